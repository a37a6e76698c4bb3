// The id of what a source leads to, before it is added: whether it is there, and where, is asked here, and only the engine
// understands torrents. null means "not told"; then the engine finds out.
import { createHash } from 'node:crypto';
import { BencodeScanner } from './bencode-scanner.js';
import type { TorrentSource } from './commands/adding.js';
import { AppError } from './errors.js';
import { infoHashFromBytes, type TorrentId } from './ids.js';
import { firstInfoHash, infoHashTexts, magnetLink, magnetParameters } from './magnet-text.js';

/** A torrent file of 10 MiB with more tokens takes too long; no spec value. Depth: as deep as the engine reads. */
export const SOURCE_LIMITS = { maxDepth: 100, maxTokens: 1_000_000 };

export function sourceId(source: TorrentSource): TorrentId | null {
  return source.kind === 'magnet' ? magnetId(source.uri) : metainfoId(source.bytes);
}

function magnetId(uri: string): TorrentId | null {
  const topics = magnetParameters(magnetLink(uri).trim())?.get('xt');
  return firstInfoHash(infoHashTexts(topics ?? []));
}

/** BEP 3: SHA-1 of the value of `info` as it stands in the file. */
function metainfoId(bytes: Uint8Array): TorrentId | null {
  try {
    const info = infoBytes(new BencodeScanner(bytes, SOURCE_LIMITS));
    return info && infoHashFromBytes(createHash('sha1').update(info).digest());
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function infoBytes(scanner: BencodeScanner): Uint8Array | null {
  if (!scanner.enter('dictionary')) return null;
  while (scanner.hasNext()) {
    const isInfo = scanner.key(['info']) !== null;
    const start = scanner.offset;
    scanner.skip();
    if (isInfo) return scanner.bytes.subarray(start, scanner.offset);
  }
  return null;
}
