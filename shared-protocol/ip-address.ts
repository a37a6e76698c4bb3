// Addresses as numbers, read without making anything: a list has a million of them, and each connection and each
// datagram is looked up. IPv4 as one number of 32 bits, IPv6 as four.

export const IPV6_WORDS = 4;

const DOT = 0x2e;
const COLON = 0x3a;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * Four decimals of at most three digits each; zeros in front mean nothing, as lists are written (001.009.096.105).
 * -1 for anything else.
 */
export function parseIpv4(text: string): number {
  return parseIpv4Within(text, 0);
}

/**
 * RFC 4291, also with an IPv4 address at the end; no zone, no brackets. False for anything else; `into` is then left
 * with whatever was read.
 */
export function parseIpv6(text: string, into: Uint32Array): boolean {
  let groups = 0;
  let gapAt = -1;
  let at = 0;
  into.fill(0, 0, IPV6_WORDS);
  if (text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return false;
    at = 2;
    gapAt = 0;
  }
  while (at < text.length) {
    const start = at;
    let value = 0;
    for (; at < text.length && at - start < 4; at++) {
      const digit = hexDigit(text.charCodeAt(at));
      if (digit < 0) break;
      value = value * 16 + digit;
    }
    if (at === start || groups === 8) return false;
    if (text.charCodeAt(at) === DOT) {
      const tail = groups <= 6 ? parseIpv4Within(text, start) : -1;
      if (tail < 0) return false;
      setGroup(into, groups++, tail >>> 16);
      setGroup(into, groups++, tail & 0xffff);
      break;
    }
    setGroup(into, groups++, value);
    if (at === text.length) break;
    if (text.charCodeAt(at++) !== COLON) return false;
    if (text.charCodeAt(at) === COLON) {
      if (gapAt >= 0) return false;
      gapAt = groups;
      at++;
    } else if (at === text.length) return false;
  }
  if (gapAt < 0) return groups === 8;
  if (groups === 8) return false;
  openGap(into, gapAt, groups);
  return true;
}

/** The IPv4 address that is mapped into it (::ffff:a.b.c.d), which is where packets go; -1 when there is none. */
export function mappedIpv4(words: Uint32Array): number {
  return words[0] === 0 && words[1] === 0 && words[2] === 0xffff ? words[3]! : -1;
}

/** Up to the end of the text. */
function parseIpv4Within(text: string, start: number): number {
  let value = 0;
  let at = start;
  for (let part = 0; part < 4; part++) {
    if (part > 0 && text.charCodeAt(at++) !== DOT) return -1;
    const first = at;
    let octet = 0;
    for (; at < text.length && at - first < 3; at++) {
      const code = text.charCodeAt(at);
      if (code < ZERO || code > NINE) break;
      octet = octet * 10 + (code - ZERO);
    }
    if (at === first || octet > 255) return -1;
    value = value * 256 + octet;
  }
  return at === text.length ? value : -1;
}

function hexDigit(code: number): number {
  if (code >= ZERO && code <= NINE) return code - ZERO;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function setGroup(words: Uint32Array, group: number, value: number): void {
  const word = group >> 1;
  const shift = (group & 1) === 0 ? 16 : 0;
  words[word] = (words[word]! & (0xffff << (16 - shift))) | (value << shift);
}

function groupAt(words: Uint32Array, group: number): number {
  return (words[group >> 1]! >>> ((group & 1) === 0 ? 16 : 0)) & 0xffff;
}

/** Moves the groups after the `::` to the end. */
function openGap(words: Uint32Array, gapAt: number, groups: number): void {
  for (let from = groups - 1, to = 7; from >= gapAt; from--, to--) {
    setGroup(words, to, groupAt(words, from));
    setGroup(words, from, 0);
  }
}
