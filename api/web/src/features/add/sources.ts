// What a pasted or dropped text says to add: magnets, http(s) URLs, bare info hashes; one a line, or several in it. Pure.

export interface LinkSource {
  readonly kind: 'magnet' | 'url';
  /** The same for two ways to write one thing. */
  readonly key: string;
  /** The link as it was written. */
  readonly text: string;
  /** The link that the server is sent. */
  readonly link: string;
  readonly name: string;
}

export interface ParsedText {
  readonly links: readonly LinkSource[];
  /** Texts that are none of the three. */
  readonly unknown: readonly string[];
}

/** A link begins within a line only after white space: URLs have others in their parameters. */
const LINK_START = /\s+(?=magnet:\?|https?:\/\/)/i;
const HEX_HASH = /^[0-9a-f]{40}$/i;
const BASE32_HASH = /^[a-z2-7]{32}$/i;
const BASE32_DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';

export function parseText(text: string): ParsedText {
  const links = new Map<string, LinkSource>();
  const unknown: string[] = [];
  for (const piece of text.split(/[\r\n]+/).flatMap((line) => line.trim().split(LINK_START))) {
    for (const part of partsOf(piece)) {
      const link = linkOf(part);
      if (!link) unknown.push(part);
      else if (!links.has(link.key)) links.set(link.key, link);
    }
  }
  return { links: [...links.values()], unknown };
}

/** Only hashes stand beside one another without being links; anything else is one thing, spaces and all. */
function partsOf(piece: string): readonly string[] {
  const trimmed = piece.trim();
  if (trimmed === '') return [];
  const words = trimmed.split(/[\s,;]+/).filter(Boolean);
  return words.every(isHash) ? words : [trimmed];
}

function isHash(text: string): boolean {
  return HEX_HASH.test(text) || BASE32_HASH.test(text);
}

function linkOf(text: string): LinkSource | null {
  if (isHash(text)) return magnet(text, `magnet:?xt=urn:btih:${text}`);
  if (/^magnet:\?/i.test(text)) return magnet(text, text);
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return null;
  return { kind: 'url', key: text, text, link: text, name: text };
}

function magnet(text: string, link: string): LinkSource {
  const infoHash = infoHashOf(link);
  const name = new URLSearchParams(link.slice(link.indexOf('?') + 1)).get('dn');
  return { kind: 'magnet', key: infoHash ?? link, text, link, name: name || infoHash || link };
}

/** Returns the hash in the `xt` of BEP 9, as torrents are named by the API; null when there is none that we know. */
export function infoHashOf(magnetUri: string): string | null {
  const [, hash = ''] = /[?&]xt(?:\.\d+)?=urn:btih:([0-9a-z]+)/i.exec(magnetUri) ?? [];
  if (HEX_HASH.test(hash)) return hash.toLowerCase();
  return BASE32_HASH.test(hash) ? hexOf(hash.toLowerCase()) : null;
}

/** 32 digits of 5 bits are 40 of 4. */
function hexOf(base32: string): string {
  const bits = [...base32].map((digit) => BASE32_DIGITS.indexOf(digit).toString(2).padStart(5, '0')).join('');
  return (bits.match(/.{4}/g) ?? []).map((nibble) => parseInt(nibble, 2).toString(16)).join('');
}
