// Announces and scrapes over HTTP as bytes (BEP 3, 7, 23, 24, 48): the query that is sent and the bencoded reply.
// Sans I/O. Fields of a wrong type count as absent; only a reply that is no dictionary at all is invalid.
import { AppError } from '../../shared-protocol/errors.js';
import { infoHashFromBytes, type InfoHash } from '../../shared-protocol/ids.js';
import { decodeBencode, type BencodeDictionary, type BencodeValue } from '../metainfo/bencode.js';
import type { PeerAddress } from '../environment.js';
import {
  trackerFailure,
  type AnnounceOutcome,
  type AnnounceRequest,
  type ScrapeFigures,
  type ScrapeOutcome,
} from './client.js';
import { REPLY_BENCODE_LIMITS, REPLY_MAX_PEERS } from './constants.js';
import { addressFromBytes, compactPeers, compactPeers6, peerFromText } from './peer-list.js';
import { printableBytes } from './printable.js';

/** The URL's own query stays in front: it may hold a passkey. */
export function announceUrl(request: AnnounceRequest): URL {
  const { figures, identity, event } = request;
  const fields = [
    `info_hash=${percentEncode(Buffer.from(request.infoHash, 'hex'))}`,
    `peer_id=${percentEncode(Buffer.from(identity.peerId, 'hex'))}`,
    `port=${identity.port}`,
    `uploaded=${counter(figures.uploaded)}`,
    `downloaded=${counter(figures.downloaded)}`,
    `left=${counter(figures.left)}`,
    `numwant=${counter(figures.numWant)}`,
    `key=${(identity.key >>> 0).toString(16).padStart(8, '0')}`,
    'compact=1',
    'no_peer_id=1',
  ];
  if (event !== 'none') fields.push(`event=${event}`);
  if (request.trackerId !== null) fields.push(`trackerid=${percentEncode(Buffer.from(request.trackerId, 'latin1'))}`);
  return withQuery(new URL(request.url), fields);
}

/** BEP 48: one `info_hash` per torrent. */
export function scrapeQueryUrl(scrape: URL, infoHashes: readonly InfoHash[]): URL {
  return withQuery(
    scrape,
    infoHashes.map((infoHash) => `info_hash=${percentEncode(Buffer.from(infoHash, 'hex'))}`),
  );
}

/** RFC 3986: everything but unreserved characters as %XX. `encodeURIComponent` would encode text, not bytes. */
export function percentEncode(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    text += /[A-Za-z0-9._~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return text;
}

export function parseAnnounceReply(body: Uint8Array): AnnounceOutcome {
  const root = readDictionary(body);
  if (!root) return trackerFailure('TRACKER_REPLY_INVALID', 'reply is not a bencoded dictionary');
  const failure = text(root.get('failure reason'));
  if (failure !== null) return trackerFailure('TRACKER_FAILURE', failure || 'failure without a reason');
  const externalIp = root.get('external ip');
  const trackerId = root.get('tracker id');
  return {
    kind: 'answered',
    intervalSec: integer(root.get('interval')),
    minIntervalSec: integer(root.get('min interval')),
    seeds: count(root.get('complete')),
    leechers: count(root.get('incomplete')),
    downloaded: count(root.get('downloaded')),
    peers: peersOf(root),
    trackerId: trackerId instanceof Uint8Array ? Buffer.from(trackerId).toString('latin1') : null,
    warning: text(root.get('warning message')),
    externalIp: externalIp instanceof Uint8Array ? addressFromBytes(externalIp) : null,
  };
}

export function parseScrapeReply(body: Uint8Array): ScrapeOutcome {
  const root = readDictionary(body);
  const files = root?.get('files');
  if (!root) return trackerFailure('TRACKER_REPLY_INVALID', 'reply is not a bencoded dictionary');
  const failure = text(root.get('failure reason'));
  if (failure !== null) return trackerFailure('TRACKER_FAILURE', failure || 'failure without a reason');
  if (!(files instanceof Map)) return trackerFailure('TRACKER_REPLY_INVALID', 'scrape reply without files');
  const found = new Map<InfoHash, ScrapeFigures>();
  for (const [key, entry] of files as BencodeDictionary) {
    if (key.length !== 20 || !(entry instanceof Map)) continue;
    const file = entry as BencodeDictionary;
    found.set(infoHashFromBytes(Buffer.from(key, 'latin1')), {
      seeds: count(file.get('complete')) ?? 0,
      leechers: count(file.get('incomplete')) ?? 0,
      downloaded: count(file.get('downloaded')) ?? 0,
    });
  }
  return { kind: 'scraped', files: found };
}

function readDictionary(body: Uint8Array): BencodeDictionary | null {
  try {
    const root = decodeBencode(body, REPLY_BENCODE_LIMITS);
    return root instanceof Map ? root : null;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code !== 'BUG') return null;
    throw thrown;
  }
}

/** `peers` is compact bytes (BEP 23) or a list of dictionaries (BEP 3); `peers6` is always compact (BEP 7). */
function peersOf(root: BencodeDictionary): PeerAddress[] {
  const peers: PeerAddress[] = [];
  const list = root.get('peers');
  const list6 = root.get('peers6');
  if (list instanceof Uint8Array) peers.push(...compactPeers(list));
  if (Array.isArray(list)) peers.push(...listedPeers(list));
  if (list6 instanceof Uint8Array) peers.push(...compactPeers6(list6));
  return peers.slice(0, REPLY_MAX_PEERS);
}

function listedPeers(list: readonly BencodeValue[]): PeerAddress[] {
  const peers: PeerAddress[] = [];
  for (const entry of list) {
    if (!(entry instanceof Map) || peers.length === REPLY_MAX_PEERS) continue;
    const dictionary = entry as BencodeDictionary;
    const ip = dictionary.get('ip');
    const port = integer(dictionary.get('port'));
    if (!(ip instanceof Uint8Array) || ip.length > 45 || port === null) continue;
    const peer = peerFromText(Buffer.from(ip).toString('latin1'), port);
    if (peer) peers.push(peer);
  }
  return peers;
}

function withQuery(url: URL, fields: readonly string[]): URL {
  const own = url.search.replace(/^\?/, '').replace(/&$/, '');
  url.search = own === '' ? fields.join('&') : `${own}&${fields.join('&')}`;
  url.hash = '';
  return url;
}

function counter(bytes: number): string {
  return Number.isFinite(bytes) && bytes > 0 ? BigInt(Math.floor(bytes)).toString() : '0';
}

/** An integer as a number; beyond 2^53 it only needs to stay large or small. */
function integer(value: BencodeValue | undefined): number | null {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
}

function count(value: BencodeValue | undefined): number | null {
  const number = integer(value);
  return number === null || number < 0 || number > Number.MAX_SAFE_INTEGER ? null : number;
}

function text(value: BencodeValue | undefined): string | null {
  return value instanceof Uint8Array ? printableBytes(value) : null;
}
