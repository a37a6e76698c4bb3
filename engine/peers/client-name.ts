// A peer's client as people know it, from the peer id (BEP 20) or what the extended handshake says (BEP 10). Both are
// written by strangers: what is shown is short and holds nothing that could turn text around or hide in it.
import { CLIENT_CODES } from './client-codes.js';
import { shortVersion, versionOf } from './client-version.js';

/** Longest name shown, in characters. */
const MAX_NAME_LENGTH = 64;
/** A character takes at most four bytes in UTF-8. */
const MAX_NAME_BYTES = 4 * MAX_NAME_LENGTH;

/** `peerId` in hex. An extended handshake's `v` is preferred: it is more precise. */
export function clientName(peerId: string, announced: unknown): string {
  const said = announced instanceof Uint8Array ? readable(announced) : '';
  if (said) return said;
  const id = Buffer.from(peerId, 'hex').toString('latin1');
  return azureusStyle(id) ?? mainlineStyle(id) ?? shadowStyle(id) ?? special(id) ?? 'unknown';
}

/** Without control, format and unassigned characters and with single spaces. */
function readable(bytes: Uint8Array): string {
  const text = decode(bytes.subarray(0, MAX_NAME_BYTES))
    .replace(/[\s\p{Z}]+/gu, ' ')
    .replace(/\p{C}/gu, '')
    .trim();
  return [...text].slice(0, MAX_NAME_LENGTH).join('').trim();
}

/** BEP 10 says UTF-8; some send Latin-1, because of the µ. */
function decode(bytes: Uint8Array): string {
  try {
    // As a stream, because the last character may have been cut.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}

/** "-qB4630-" and random bytes. */
function azureusStyle(id: string): string | null {
  const code = /^-([A-Za-z0-9~]{2})/.exec(id)?.[1];
  if (!code) return null;
  // MLDonkey writes its version out: "-ML2.7.2-".
  const written = /^-ML(\d[\d.]{0,6})-/.exec(id)?.[1];
  if (written) return `MLDonkey ${written}`;
  const client = CLIENT_CODES.get(code);
  const tail = id.slice(3);
  const short = client && shortVersion(client.style, tail);
  if (short) return `${client.name} ${short}`;
  // Some put a longer version in the place of the last "-", and FlashGet leaves that out.
  const longer = client?.style === 'utorrent' || client?.style === 'bitlord';
  const isEnded = tail[4] === '-' || (code === 'FG' && /^\d{4}/.test(tail));
  if (!isEnded && !(longer && /^[0-9A-Za-z]{5}/.test(tail))) return null;
  if (client) {
    const version = versionOf(client.style, tail);
    return version === null ? client.name : `${client.name} ${version}`;
  }
  const version = versionOf('digits', tail);
  return version === null ? null : `${code} ${version}`;
}

/** "M7-9-2--": the numbers in full, between dashes. */
function mainlineStyle(id: string): string | null {
  const match = /^(M|Q|A2-|S3-)(\d{1,3})-(\d{1,3})-(\d{1,3})-/.exec(id);
  if (!match) return null;
  const name = { M: 'BitTorrent', Q: 'Queen Bee', 'A2-': 'aria2', 'S3-': 'Amazon S3' }[match[1]!];
  return name ? `${name} ${match[2]}.${match[3]}.${match[4]}` : null;
}

const SHADOW_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.-';

/** "S58B-----": a letter and up to five base-64 digits, filled up with dashes, and three more dashes. */
function shadowStyle(id: string): string | null {
  const match = /^([AOQRSTU])(\d[0-9A-Za-z.]{0,4})-{0,4}---/.exec(id);
  if (!match || !/^.{6}---/.test(id)) return null;
  const name = {
    A: 'ABC',
    O: 'Osprey',
    Q: 'BTQueue',
    R: 'Tribler',
    S: 'Shadow',
    T: 'BitTornado',
    U: 'UPnP NAT Bit Torrent',
  }[match[1]!];
  const version = [...match[2]!].map((digit) => SHADOW_DIGITS.indexOf(digit)).join('.');
  return `${name} ${version}`;
}

/** Clients with forms of their own; `$1` and so on are parts of the version. */
const SPECIAL: readonly (readonly [RegExp, string])[] = [
  [/^TIX0?(\d{1,2})(\d\d)/, 'Tixati $1.$2'],
  [/^FD6/, 'Free Download Manager 6'],
  [/^XBT(\d)(\d)(\d)/, 'XBT Client $1.$2.$3'],
  [/^OP(\d{4})/, 'Opera $1'],
  [/^QVOD(\d)(\d)(\d)(\d)/, 'QVOD $1.$2.$3.$4'],
  [/^Mbrst(\d)-(\d)-(\d)/, 'burst! $1.$2.$3'],
  [/^Plus(\d)(\d\d)/, 'Plus! $1.$2'],
  [/^AZ2500BT/, 'BitTyrant'],
  [/^-BOWA0B/, 'Bits on Wheels 1.0.5'],
  [/^-BOWA0C/, 'Bits on Wheels 1.0.6'],
  [/^-?aria2-/, 'aria2'],
  [/^btpd/, 'BitTorrent Protocol Daemon'],
  [/^DNA\d/, 'BitTorrent DNA'],
  [/^LIME/, 'LimeWire'],
  [/^Pando/, 'Pando'],
  [/^346-/, 'TorrentTopia'],
  [/^10-------/, 'JVtorrent'],
  [/^a0[02]---0/, 'Swarmy'],
  [/^eX/, 'eXeem'],
  [/^martini/, 'Martini Man'],
];

function special(id: string): string | null {
  // BitComet before 0.59, and BitLord: the version in two bytes.
  if (/^(exbc|FUTB|xUTB)/.test(id)) {
    const minor = String(id.charCodeAt(5)).padStart(2, '0');
    return `${id.slice(6, 10) === 'LORD' ? 'BitLord' : 'BitComet'} ${id.charCodeAt(4)}.${minor}`;
  }
  if (id[0] === '\0' && id.slice(2, 4) === 'BS') return `BitSpirit ${id.charCodeAt(1) || 1}`;
  for (const [form, name] of SPECIAL) {
    const match = form.exec(id);
    if (match) return name.replace(/\$(\d)/g, (_, part: string) => match[Number(part)] ?? '');
  }
  return null;
}
