// Magnet links (BEP 9, BEP 53): parsed for what the engine uses. Not the npm `magnet-uri`: it makes an
// array of every index in `so=0-999999999`, throws untyped errors and loses trackers with "=" in them.
import { isIPv4, isIPv6 } from 'node:net';
import type { NameRules } from '../../shared-protocol/name-rules.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { InfoHash } from '../../shared-protocol/ids.js';
import { firstInfoHash, infoHashTexts, magnetLink, magnetParameters } from '../../shared-protocol/magnet-text.js';
import { because } from '../../shared-protocol/reasons.js';
import type { PeerAddress } from '../environment.js';
import { MAX_MAGNET_CHARS, MAX_MAGNET_PEERS, MAX_SELECTED_RANGES } from './constants.js';
import { safeElement } from './safe-path.js';
import { cleanTiers, cleanWebSeeds } from './trackers.js';
import type { Magnet } from './types.js';

type Range = NonNullable<Magnet['selectOnly']>[number];

/**
 * A bare info hash will do. Each tracker makes a tier of its own. Unusable trackers, peers, web seeds and ranges are left out.
 * @throws AppError `MAGNET_INVALID`
 */
export function parseMagnet(uri: string, names: NameRules = 'windows'): Magnet {
  const text = magnetLink(uri).trim();
  if (text.length > MAX_MAGNET_CHARS) throw invalid(`${text.length} characters, at most ${MAX_MAGNET_CHARS}`);
  const values = magnetParameters(text);
  if (!values) throw invalid(`${JSON.stringify(text.slice(0, 60))} does not begin with "magnet:?"`);
  const all = (key: string) => values.get(key) ?? [];
  return {
    infoHash: readInfoHash(all('xt')),
    name: readName(all('dn'), names),
    trackers: cleanTiers(all('tr').map((url) => [url])),
    peers: readPeers(all('x.pe')),
    webSeeds: cleanWebSeeds(all('ws')),
    selectOnly: readSelection(all('so')),
  };
}

function invalid(problem: string): AppError {
  return new AppError('MAGNET_INVALID', `magnet: ${problem}`, because('MAGNET_INVALID', { detail: problem }));
}

function readInfoHash(topics: readonly string[]): InfoHash {
  const texts = infoHashTexts(topics);
  const infoHash = firstInfoHash(texts);
  if (infoHash !== null) return infoHash;
  const bad = texts[0];
  if (bad !== undefined) {
    throw invalid(`xt: ${JSON.stringify(bad.slice(0, 60))} is neither 40 hexadecimal digits nor 32 of base32`);
  }
  if (topics.some((topic) => /^urn:btmh:/i.test(topic))) {
    const problem = 'magnet: xt: version 2 only (BEP 52, urn:btmh), which is not supported';
    throw new AppError('MAGNET_INVALID', problem, because('TORRENT_VERSION_2'));
  }
  throw invalid('xt: no "urn:btih:" with an info hash');
}

function readName(given: readonly string[], rules: NameRules): string | null {
  const name = given.map((text) => text.trim()).find((text) => text !== '');
  return name === undefined ? null : safeElement(name, rules);
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
