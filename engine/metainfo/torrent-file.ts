// A `.torrent` file (BEP 3): finds the exact bytes of its info dictionary, whose SHA-1 is the info hash, and the
// trackers (BEP 12), web seeds (BEP 17, BEP 19) and DHT nodes (BEP 5) around it. Bytes behind the root dictionary are ignored.
import { isIP } from 'node:net';
import type { PeerAddress } from '../environment.js';
import { BencodeScanner, type BencodeScalar } from '../../shared-protocol/bencode-scanner.js';
import type { NameRules } from '../../shared-protocol/name-rules.js';
import { utf8 } from './bencode.js';
import { INFO_LIMITS, MAX_NODES, MAX_TORRENT_BYTES, MAX_TRACKER_CANDIDATES, TORRENT_LIMITS } from './constants.js';
import { invalid } from './fields.js';
import { parseInfoDictionary, refuseSmallPieces } from './info-dictionary.js';
import { commentOf, secondsOf, shortText } from './origin.js';
import { cleanTiers, cleanWebSeeds } from './trackers.js';
import type { Metainfo } from './types.js';

const ROOT_KEYS = [
  'info',
  'announce',
  'announce-list',
  'url-list',
  'httpseeds',
  'nodes',
  'comment',
  'comment.utf-8',
  'created by',
  'creation date',
] as const;

/** Longer ones are no addresses. */
const MAX_ADDRESS_BYTES = 64;

/** The keys around the info dictionary; of a key given twice the first counts. */
interface RawTorrent {
  infoBytes?: Uint8Array;
  announce?: string[];
  announceList?: string[][];
  urlList?: string[];
  httpSeeds?: string[];
  nodes?: PeerAddress[];
  comment?: BencodeScalar | null;
  commentUtf8?: BencodeScalar | null;
  createdBy?: BencodeScalar | null;
  createdAt?: BencodeScalar | null;
}

/**
 * @param bytes the file; not kept
 * @throws AppError `TORRENT_INVALID`, its message names the field and the value
 */
export function parseTorrentFile(bytes: Uint8Array, names: NameRules = 'windows'): Metainfo {
  if (bytes.length > MAX_TORRENT_BYTES) throw invalid('torrent', `${bytes.length} bytes, at most ${MAX_TORRENT_BYTES}`);
  const raw = readTorrent(bytes);
  if (!raw.infoBytes) throw invalid('info', 'missing');
  const info = parseInfoDictionary(raw.infoBytes, names);
  refuseSmallPieces(info);
  const tiers = cleanTiers(raw.announceList ?? []);
  return {
    info,
    infoBytes: new Uint8Array(raw.infoBytes),
    // BEP 12: `announce` counts only where there is no list, or none of use.
    trackers: tiers.length > 0 ? tiers : cleanTiers([raw.announce ?? []]),
    webSeeds: cleanWebSeeds(raw.urlList ?? []),
    httpSeeds: cleanWebSeeds(raw.httpSeeds ?? []),
    nodes: raw.nodes ?? [],
    origin: {
      comment: commentOf(raw.commentUtf8) || commentOf(raw.comment),
      createdBy: shortText(raw.createdBy),
      createdAt: secondsOf(raw.createdAt),
    },
  };
}

function readTorrent(bytes: Uint8Array): RawTorrent {
  const scanner = new BencodeScanner(bytes, TORRENT_LIMITS);
  if (!scanner.enter('dictionary')) throw invalid('torrent', 'not a bencoded dictionary');
  const raw: RawTorrent = {};
  while (scanner.hasNext()) {
    const key = scanner.key(ROOT_KEYS);
    const { offset: start, tokens } = scanner;
    if (key === 'info') {
      scanner.skip();
      // Known already: it need not be read once more to be refused.
      if (scanner.tokens - tokens > INFO_LIMITS.maxTokens) {
        throw invalid('info', `more than ${INFO_LIMITS.maxTokens} tokens`);
      }
      raw.infoBytes ??= bytes.subarray(start, scanner.offset);
    } else if (key === 'announce') {
      const texts = readTexts(scanner);
      raw.announce ??= texts;
    } else if (key === 'announce-list') {
      const tiers = readTiers(scanner);
      raw.announceList ??= tiers;
    } else if (key === 'url-list') {
      const texts = readTexts(scanner);
      raw.urlList ??= texts;
    } else if (key === 'httpseeds') {
      const texts = readTexts(scanner);
      raw.httpSeeds ??= texts;
    } else if (key === 'nodes') {
      const nodes = readNodes(scanner);
      raw.nodes ??= nodes;
    } else if (key === 'comment') {
      const scalar = scanner.scalar();
      raw.comment ??= scalar;
    } else if (key === 'comment.utf-8') {
      const scalar = scanner.scalar();
      raw.commentUtf8 ??= scalar;
    } else if (key === 'created by') {
      const scalar = scanner.scalar();
      raw.createdBy ??= scalar;
    } else if (key === 'creation date') {
      const scalar = scanner.scalar();
      raw.createdAt ??= scalar;
    } else {
      scanner.skip();
    }
  }
  return raw;
}

/** A list of strings, or a single one; whatever else is in it does not count. */
function readTexts(scanner: BencodeScanner): string[] {
  if (!scanner.atList()) return textOf(scanner);
  scanner.enter('list');
  const texts: string[] = [];
  while (scanner.hasNext()) {
    if (texts.length < MAX_TRACKER_CANDIDATES) texts.push(...textOf(scanner));
    else scanner.skip();
  }
  return texts;
}

/** BEP 12: a list of lists. A plain list of strings is seen too, and makes a tier of each. */
function readTiers(scanner: BencodeScanner): string[][] {
  if (!scanner.enter('list')) return [];
  const tiers: string[][] = [];
  let candidates = 0;
  while (scanner.hasNext()) {
    if (candidates >= MAX_TRACKER_CANDIDATES) {
      scanner.skip();
      continue;
    }
    const tier = readTexts(scanner);
    candidates += 1 + tier.length;
    tiers.push(tier);
  }
  return tiers;
}

/** BEP 5: a list of `[host, port]`. Host names are left out: resolving what a stranger wrote is not done here. */
function readNodes(scanner: BencodeScanner): PeerAddress[] {
  if (!scanner.enter('list')) return [];
  const nodes: PeerAddress[] = [];
  while (scanner.hasNext()) {
    if (!scanner.enter('list')) continue;
    const fields: (BencodeScalar | null)[] = [];
    while (scanner.hasNext()) {
      const field = scanner.scalar();
      if (fields.length < 2) fields.push(field);
    }
    const [given, port] = fields;
    const host = given instanceof Uint8Array ? utf8(given.subarray(0, MAX_ADDRESS_BYTES)) : '';
    const isNode = isIP(host) !== 0 && typeof port === 'number' && port >= 1 && port <= 65_535;
    if (isNode && nodes.length < MAX_NODES) nodes.push({ host, port });
  }
  return nodes;
}

function textOf(scanner: BencodeScanner): string[] {
  const value = scanner.scalar();
  return value instanceof Uint8Array ? [utf8(value)] : [];
}
