// One line of a list of addresses (docs/semantics.md section 9), whatever the format, since lists are found with other
// formats in them than their names say:
//   P2P      some name: with colons:1.2.3.0-1.2.3.255
//   DAT      001.002.003.000 - 001.002.003.255 , 100 , some name       (a level above 127 means: let in)
//   others   1.2.3.0/24   1.2.3.4   1.2.3.0-1.2.3.9   2001:db8::/32     (and then perhaps a comment)
import { compareWords } from '../../../shared-protocol/address-ranges.js';
import { IPV6_WORDS, mappedIpv4, parseIpv4, parseIpv6 } from '../../../shared-protocol/ip-address.js';

/** Takes the ranges, both ends included, first not after last. Arrays are only good during the call. */
export interface RangeSink {
  addIpv4(first: number, last: number): void;
  addIpv6(first: Uint32Array, last: Uint32Array): void;
}

/** `allowed`: a range that is to be let in. `nothing`: a comment or an empty line. */
export type LineKind = 'range' | 'allowed' | 'nothing' | 'bad';

/** eMule: ranges of a higher level are not blocked. */
const MAX_BLOCKED_LEVEL = 127;
/** The mark of UTF-8, each byte of it a character. */
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

const first = new Uint32Array(IPV6_WORDS);
const last = new Uint32Array(IPV6_WORDS);
const candidate = new Uint32Array(IPV6_WORDS);

/** @param line without its end */
export function readLine(line: string, sink: RangeSink): LineKind {
  const text = (line.startsWith(BYTE_ORDER_MARK) ? line.slice(BYTE_ORDER_MARK.length) : line).trim();
  if (text === '' || text.startsWith('#') || text.startsWith(';') || text.startsWith('//')) return 'nothing';
  const comma = text.indexOf(',');
  if (comma > 0) {
    const kind = readDat(text, comma, sink);
    if (kind !== 'bad') return kind;
  }
  if (readRange(text, sink)) return 'range';
  const bare = /^[^#;]*/.exec(text)?.[0].trim() ?? '';
  if (bare !== text && readRange(bare, sink)) return 'range';
  const [, network = '', dash = ''] = /^([^\s,]*)\s*(-?)/.exec(bare) ?? [];
  // A range whose other end is no address is not its first address alone.
  return dash === '' && readNetwork(network, sink) ? 'range' : 'bad';
}

function readDat(text: string, comma: number, sink: RangeSink): LineKind {
  const second = text.indexOf(',', comma + 1);
  const level = text.slice(comma + 1, second < 0 ? text.length : second).trim();
  if (!/^\d{1,5}$/.test(level)) return 'bad';
  const isAllowed = Number(level) > MAX_BLOCKED_LEVEL;
  const isRead = readRange(text.slice(0, comma).trim(), isAllowed ? NOBODY : sink);
  if (!isRead) return 'bad';
  return isAllowed ? 'allowed' : 'range';
}

/** `first-last`, with a name and a colon before it or without. */
function readRange(text: string, sink: RangeSink): boolean {
  const dash = text.lastIndexOf('-');
  if (dash <= 0) return false;
  const end = text.slice(dash + 1).trimStart();
  const start = text.slice(0, dash).trimEnd();
  const lastIpv4 = parseIpv4(end);
  if (lastIpv4 >= 0) {
    const firstIpv4 = parseIpv4(start.slice(start.lastIndexOf(':') + 1).trimStart());
    if (firstIpv4 < 0 || firstIpv4 > lastIpv4) return false;
    sink.addIpv4(firstIpv4, lastIpv4);
    return true;
  }
  if (!parseIpv6(end, last) || !findStart(start)) return false;
  addIpv6(sink);
  return true;
}

/**
 * Sets `first` to the address at the end of the text. Where the name before it could be a part of it, the narrowest range
 * is meant: who is called `abc` does not own half of the internet.
 */
function findStart(text: string): boolean {
  let isFound = false;
  for (let at = 0; at >= 0 && at < text.length; at = nextColon(text, at)) {
    if (!parseIpv6(text.slice(at).trimStart(), candidate) || compareWords(candidate, 0, last, 0) > 0) continue;
    if (isFound && compareWords(candidate, 0, first, 0) <= 0) continue;
    first.set(candidate);
    isFound = true;
  }
  return isFound;
}

function nextColon(text: string, from: number): number {
  const colon = text.indexOf(':', from);
  return colon < 0 ? -1 : colon + 1;
}

/** An address, or a network in CIDR notation, whose host bits mean nothing. */
function readNetwork(text: string, sink: RangeSink): boolean {
  const slash = text.indexOf('/');
  const address = slash < 0 ? text : text.slice(0, slash);
  const bits = slash < 0 ? '' : text.slice(slash + 1);
  if (slash >= 0 && !/^\d{1,3}$/.test(bits)) return false;
  const ipv4 = parseIpv4(address);
  if (ipv4 >= 0) {
    const size = 2 ** (32 - Number(slash < 0 ? 32 : bits));
    if (size < 1) return false;
    const start = Math.floor(ipv4 / size) * size;
    sink.addIpv4(start, start + size - 1);
    return true;
  }
  const prefix = slash < 0 ? 128 : Number(bits);
  if (prefix > 128 || !parseIpv6(address, first)) return false;
  for (let word = 0; word < IPV6_WORDS; word++) {
    const free = Math.min(32, Math.max(0, (word + 1) * 32 - prefix));
    const mask = free === 32 ? 0xffff_ffff : 2 ** free - 1;
    last[word] = first[word]! | mask;
    first[word] = first[word]! & ~mask;
  }
  addIpv6(sink);
  return true;
}

function addIpv6(sink: RangeSink): void {
  const [from, to] = [mappedIpv4(first), mappedIpv4(last)];
  if (from >= 0 && to >= 0) sink.addIpv4(from, to);
  else sink.addIpv6(first, last);
}

const NOBODY: RangeSink = { addIpv4: () => undefined, addIpv6: () => undefined };
