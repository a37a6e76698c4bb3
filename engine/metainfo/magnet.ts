// Magnet links (BEP 9, BEP 53): parsed for what the engine uses. Not the npm `magnet-uri`: it makes an
// array of every index in `so=0-999999999`, throws untyped errors and loses trackers with "=" in them.
import { isIPv4, isIPv6 } from 'node:net';
import { AppError } from '../../shared-protocol/errors.js';
import { parseInfoHash, type InfoHash } from '../../shared-protocol/ids.js';
import { magnetLink } from '../../shared-protocol/magnet-text.js';
import type { PeerAddress } from '../environment.js';
import { MAX_MAGNET_CHARS, MAX_MAGNET_PEERS, MAX_SELECTED_RANGES } from './constants.js';
import { safeElement } from './safe-path.js';
import { cleanTiers, cleanWebSeeds } from './trackers.js';
import type { Magnet } from './types.js';

type Range = NonNullable<Magnet['selectOnly']>[number];

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const SCHEME = /^magnet:\/{0,2}\?/i;

/**
 * A bare info hash will do. Each tracker makes a tier of its own. Unusable trackers, peers, web seeds and ranges are left out.
 * @throws AppError `MAGNET_INVALID`
 */
export function parseMagnet(uri: string): Magnet {
  const text = magnetLink(uri).trim();
  if (text.length > MAX_MAGNET_CHARS) throw invalid(`${text.length} characters, at most ${MAX_MAGNET_CHARS}`);
  const scheme = SCHEME.exec(text);
  if (!scheme) throw invalid(`${JSON.stringify(text.slice(0, 60))} does not begin with "magnet:?"`);
  const values = readParameters(text.slice(scheme[0].length));
  const all = (key: string) => values.get(key) ?? [];
  return {
    infoHash: readInfoHash(all('xt')),
    name: readName(all('dn')),
    trackers: cleanTiers(all('tr').map((url) => [url])),
    peers: readPeers(all('x.pe')),
    webSeeds: cleanWebSeeds(all('ws')),
    selectOnly: readSelection(all('so')),
  };
}

function invalid(problem: string): AppError {
  return new AppError('MAGNET_INVALID', `magnet: ${problem}`);
}

/** Values by key. Numbered keys (`tr.1`) count as plain ones; `&amp;` is what links copied from HTML contain. */
function readParameters(query: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const parameter of query.split(/&(?:amp;)?/)) {
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

/** Never throws: what is no escape stays, what is no UTF-8 becomes U+FFFD. */
function percentDecode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

function readInfoHash(topics: readonly string[]): InfoHash {
  const hashes = topics.flatMap((topic) => /^urn:btih:(.*)$/is.exec(topic.trim())?.[1] ?? []);
  for (const hash of hashes) {
    if (/^[0-9a-f]{40}$/i.test(hash)) return parseInfoHash(hash);
    if (/^[a-z2-7]{32}$/i.test(hash)) return parseInfoHash(base32ToHex(hash.toLowerCase()));
  }
  const bad = hashes[0];
  if (bad !== undefined) {
    throw invalid(`xt: ${JSON.stringify(bad.slice(0, 60))} is neither 40 hexadecimal digits nor 32 of base32`);
  }
  if (topics.some((topic) => /^urn:btmh:/i.test(topic))) {
    throw invalid('xt: version 2 only (BEP 52, urn:btmh), which is not supported');
  }
  throw invalid('xt: no "urn:btih:" with an info hash');
}

/** 32 digits of five bits make the 20 bytes (BEP 9, RFC 4648). */
function base32ToHex(text: string): string {
  let bits = 0n;
  for (const digit of text) bits = (bits << 5n) | BigInt(BASE32.indexOf(digit));
  return bits.toString(16).padStart(40, '0');
}

function readName(names: readonly string[]): string | null {
  const name = names.map((text) => text.trim()).find((text) => text !== '');
  return name === undefined ? null : safeElement(name);
}

/** `host:port`, IPv6 in brackets. Host names are left out: resolving what a stranger wrote is not done here. */
function readPeers(texts: readonly string[]): PeerAddress[] {
  const peers = new Map<string, PeerAddress>();
  for (const text of texts) {
    const match = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):(\d{1,5})$/i.exec(text.trim());
    if (!match) continue;
    const [, v6, v4, digits] = match;
    const port = Number(digits);
    const host = v6 !== undefined && isIPv6(v6) ? v6.toLowerCase() : v4 !== undefined && isIPv4(v4) ? v4 : null;
    if (host === null || port < 1 || port > 65_535) continue;
    peers.set(`${host} ${port}`, { host, port });
    if (peers.size === MAX_MAGNET_PEERS) break;
  }
  return [...peers.values()];
}

/** BEP 53: `0,2,4,6-8` as sorted ranges that do not touch; never a list of indices, which a link could make endless. */
function readSelection(texts: readonly string[]): Range[] | null {
  const ranges: Range[] = [];
  for (const part of texts.join(',').split(',')) {
    const match = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(part.trim());
    if (!match) continue;
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (first <= last) ranges.push({ first, last });
  }
  const merged: { first: number; last: number }[] = [];
  for (const { first, last } of ranges.sort((a, b) => a.first - b.first)) {
    const previous = merged.at(-1);
    if (previous && first <= previous.last + 1) previous.last = Math.max(previous.last, last);
    else merged.push({ first, last });
  }
  return merged.length > 0 ? merged.slice(0, MAX_SELECTED_RANGES) : null;
}
