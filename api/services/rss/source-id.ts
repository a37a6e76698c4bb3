// The id of what an item leads to, before it is added: whether it was added before is asked here, and only the engine
// understands torrents. null means "not told"; then the engine finds out.
import { createHash } from 'node:crypto';
import type { TorrentSource } from '../../../shared-protocol/commands.js';
import { magnetLink } from '../../../shared-protocol/magnet-text.js';
import { infoHashFromBytes, parseInfoHash, type TorrentId } from '../../../shared-protocol/ids.js';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
/** A torrent file of 10 MiB with more than these takes too long; no spec value. */
const MAX_TOKENS = 1_000_000;
const [DICTIONARY, LIST, INTEGER, END, COLON, ZERO, NINE] = Buffer.from('dlie:09');

export function sourceId(source: TorrentSource): TorrentId | null {
  return source.kind === 'magnet' ? magnetId(source.uri) : metainfoId(source.bytes);
}

/** BEP 9: `xt=urn:btih:` and 40 hexadecimal or 32 base32 digits. */
function magnetId(given: string): TorrentId | null {
  const uri = magnetLink(given);
  if (!URL.canParse(uri)) return null;
  for (const topic of new URL(uri).searchParams.getAll('xt')) {
    const digits = /^urn:btih:([0-9a-z]+)$/i.exec(topic)?.[1] ?? '';
    if (/^[0-9a-f]{40}$/i.test(digits)) return parseInfoHash(digits);
    if (/^[a-z2-7]{32}$/i.test(digits)) return infoHashFromBytes(fromBase32(digits.toLowerCase()));
  }
  return null;
}

/** 5 bits each, most significant first (RFC 4648). */
function fromBase32(digits: string): Uint8Array {
  const bits = Array.from(digits, (digit) => BASE32.indexOf(digit).toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

/** BEP 3: SHA-1 of the value of `info` as it stands in the file. */
function metainfoId(given: Uint8Array): TorrentId | null {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  if (bytes[0] !== DICTIONARY) return null;
  for (let at = 1; bytes[at] !== END;) {
    const keyEnd = stringEnd(bytes, at);
    const valueEnd = keyEnd === null ? null : behindValue(bytes, keyEnd);
    if (keyEnd === null || valueEnd === null) return null;
    if (bytes.toString('latin1', at, keyEnd) === '4:info') {
      return infoHashFromBytes(createHash('sha1').update(bytes.subarray(keyEnd, valueEnd)).digest());
    }
    at = valueEnd;
  }
  return null;
}

/** null: cut off, malformed, or too long a story. */
function behindValue(bytes: Buffer, start: number): number | null {
  let depth = 0;
  let at = start;
  for (let tokens = 0; tokens < MAX_TOKENS && at < bytes.length; tokens++) {
    const first = bytes[at];
    if (first === DICTIONARY || first === LIST) {
      depth++;
      at++;
    } else if (first === END) {
      depth--;
      at++;
    } else {
      const end = first === INTEGER ? bytes.indexOf(END ?? 0, at) + 1 : stringEnd(bytes, at);
      if (end === null || end === 0) return null;
      at = end;
    }
    if (depth <= 0) return depth === 0 ? at : null;
  }
  return null;
}

function stringEnd(bytes: Buffer, start: number): number | null {
  let length = 0;
  let at = start;
  for (let digit = bytes[at]; digit !== COLON; digit = bytes[++at]) {
    if (digit === undefined || digit < (ZERO ?? 0) || digit > (NINE ?? 0) || at - start > 8) return null;
    length = length * 10 + digit - (ZERO ?? 0);
  }
  const end = at + 1 + length;
  return at === start || end > bytes.length ? null : end;
}
