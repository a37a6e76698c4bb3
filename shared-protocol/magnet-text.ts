// Magnets as text (BEP 9): what people paste for one, the link or nothing but its info hash, the parameters of the link,
// and the info hash among them.
import { parseInfoHash, type InfoHash } from './ids.js';

const SCHEME = /^magnet:\/{0,2}\?/i;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
/** 40 hexadecimal digits, or 32 of base32. */
const BARE_HASH = /^(?:[0-9a-f]{40}|[a-z2-7]{32})$/i;

/** Whether the text is meant as a magnet; it may still be a bad one. */
export function isMagnetText(text: string): boolean {
  return /^magnet:/i.test(text) || BARE_HASH.test(text.trim());
}

/** The link that a bare info hash stands for; anything else as it is. */
export function magnetLink(text: string): string {
  const hash = text.trim();
  return BARE_HASH.test(hash) ? `magnet:?xt=urn:btih:${hash}` : text;
}

/**
 * The values of a link's parameters by key; null for what is no link. Numbered keys (`tr.1`) count as plain ones; `&amp;`
 * is what links copied from HTML contain.
 */
export function magnetParameters(link: string): Map<string, string[]> | null {
  const scheme = SCHEME.exec(link);
  if (!scheme) return null;
  const values = new Map<string, string[]>();
  for (const parameter of link.slice(scheme[0].length).split(/&(?:amp;)?/)) {
    const equals = parameter.indexOf('=');
    if (equals < 1) continue;
    const key = parameter
      .slice(0, equals)
      .toLowerCase()
      .replace(/\.\d+$/, '');
    const raw = parameter.slice(equals + 1);
    // Names are often written like form fields, where "+" is a space; in URLs it is a plus.
    const value = percentDecode(key === 'dn' ? raw.replaceAll('+', ' ') : raw);
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  return values;
}

/** The texts behind `urn:btih:` in the topics (`xt`) of a link. */
export function infoHashTexts(topics: readonly string[]): string[] {
  return topics.flatMap((topic) => /^urn:btih:(.*)$/is.exec(topic.trim())?.[1] ?? []);
}

/** The first that is an info hash, of 40 hexadecimal digits or 32 of base32; null without one. */
export function firstInfoHash(texts: readonly string[]): InfoHash | null {
  const text = texts.find((candidate) => BARE_HASH.test(candidate));
  if (text === undefined) return null;
  return parseInfoHash(text.length === 40 ? text : base32ToHex(text.toLowerCase()));
}

/** 32 digits of five bits make the 20 bytes (BEP 9, RFC 4648). */
function base32ToHex(text: string): string {
  let bits = 0n;
  for (const digit of text) bits = (bits << 5n) | BigInt(BASE32.indexOf(digit));
  return bits.toString(16).padStart(40, '0');
}

/** Never throws: what is no escape stays, what is no UTF-8 becomes U+FFFD. */
function percentDecode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}
