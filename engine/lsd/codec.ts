// BT-SEARCH datagrams (BEP 14): HTTP-like headers over UDP. Sans-I/O and strict where that costs no client anything:
// what is too long, not finished or without a usable port or hash is not an announcement. Lines may end in LF alone,
// since libtorrent's parser takes that too.
import type { InfoHash } from '../../shared-protocol/ids.js';
import { parseInfoHash } from '../../shared-protocol/ids.js';
import { LSD_GROUPS, LSD_MAX_BYTES, LSD_MAX_HASHES, LSD_PORT } from './constants.js';

export interface LsdSearch {
  /** 1 to 65535. */
  readonly port: number;
  /** 1 to 25, each once. */
  readonly infoHashes: readonly InfoHash[];
  /** The text by which the sender knows its own announcements. */
  readonly cookie: string | null;
}

const REQUEST_LINE = /^BT-SEARCH \* HTTP\/1\.1$/i;
const NAME = /^[a-z0-9-]+$/i;
const HASH = /^[0-9a-fA-F]{40}$/;
const PORT = /^[0-9]{1,5}$/;

/** At most 1,400 bytes for up to 25 hashes. */
export function formatLsdSearch(family: 4 | 6, search: LsdSearch): Uint8Array {
  const host = family === 4 ? LSD_GROUPS[4] : `[${LSD_GROUPS[6]}]`;
  const lines = [
    'BT-SEARCH * HTTP/1.1',
    `Host: ${host}:${LSD_PORT}`,
    `Port: ${search.port}`,
    ...search.infoHashes.slice(0, LSD_MAX_HASHES).map((infoHash) => `Infohash: ${infoHash}`),
    ...(search.cookie === null ? [] : [`cookie: ${search.cookie}`]),
  ];
  // BEP 14 prints two empty lines at the end.
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n\r\n`, 'latin1');
}

/** Null for anything that is not an announcement; never throws. */
export function parseLsdSearch(bytes: Uint8Array): LsdSearch | null {
  if (bytes.length > LSD_MAX_BYTES) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const [first, ...lines] = text.split(/\r?\n/);
  if (!REQUEST_LINE.test(first ?? '')) return null;
  const end = lines.indexOf('');
  // Without an empty line the datagram has been cut; and the piece after the last line end is not a line.
  if (end === -1 || end === lines.length - 1) return null;
  return searchOf(lines.slice(0, end));
}

function searchOf(lines: readonly string[]): LsdSearch | null {
  const infoHashes = new Set<InfoHash>();
  let port: number | null = null;
  let cookie: string | null = null;
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon));
    const value = line.slice(colon + 1).trim();
    if (!NAME.test(name)) return null;
    switch (name.toLowerCase()) {
      case 'port':
        // Two ports contradict each other.
        if (port !== null || !PORT.test(value)) return null;
        port = Number(value);
        break;
      case 'infohash':
        // Longer hashes of other protocols do not spoil the ones we understand.
        if (HASH.test(value) && infoHashes.size < LSD_MAX_HASHES) infoHashes.add(parseInfoHash(value));
        break;
      case 'cookie':
        cookie = value;
        break;
    }
  }
  if (port === null || port < 1 || port > 65_535 || infoHashes.size === 0) return null;
  return { port, infoHashes: [...infoHashes], cookie };
}
