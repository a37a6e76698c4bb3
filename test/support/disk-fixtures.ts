// Torrents for tests of disks: geometry and payload without metainfo, and folders of their own.
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PieceHasher } from '../../engine/hashing/types.js';
import type { TorrentStorage } from '../../engine/disk/types.js';
import type { TorrentFile, TorrentInfo } from '../../engine/metainfo/types.js';
import type { Log } from '../../engine/environment.js';
import { infoHashFromBytes } from '../../shared-protocol/ids.js';

export const QUIET: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** `a/b.bin 100`: path and size; a path that begins with `.pad/` is a pad file (BEP 47). */
export function torrentOf(pieceLength: number, ...lines: readonly string[]): TorrentInfo {
  let offset = 0;
  const files = lines.map((line, index): TorrentFile => {
    const [path = '', size = '0'] = line.split(' ');
    const file = { index, path: path.split('/'), sizeBytes: Number(size), offset, isPad: path.startsWith('.pad/') };
    offset += file.sizeBytes;
    return file;
  });
  const pieceCount = Math.ceil(offset / pieceLength);
  return {
    infoHash: infoHashFromBytes(
      createHash('sha1')
        .update([pieceLength, ...lines].join())
        .digest(),
    ),
    name: files[0]?.path[0] ?? '',
    pieceLength,
    pieceCount,
    totalBytes: offset,
    contentBytes: files.reduce((sum, { sizeBytes, isPad }) => (isPad ? sum : sum + sizeBytes), 0),
    pieceHashes: new Uint8Array(pieceCount * 20),
    files,
    isPrivate: false,
  };
}

/** Bytes that differ from place to place, zeroes where pad files lie. */
export function payloadOf(info: TorrentInfo): Uint8Array {
  const bytes = Uint8Array.from({ length: info.totalBytes }, (_, i) => 1 + ((i * 31 + (i >>> 8) * 7) % 255));
  for (const file of info.files) if (file.isPad) bytes.fill(0, file.offset, file.offset + file.sizeBytes);
  return bytes;
}

export async function readRange(storage: TorrentStorage, offset: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  await storage.read(offset, [bytes]);
  return bytes;
}

/** One digit per piece: 1 where its hash on disk is that of the payload. */
export async function piecesHere(
  storage: TorrentStorage,
  hasher: PieceHasher,
  info: TorrentInfo,
  payload = payloadOf(info),
): Promise<string> {
  const pinned = await storage.pinSpans(0, info.pieceCount);
  try {
    const digests = await hasher.hashPieces(pinned.pieces);
    return digests
      .map((digest, piece) => (digest && sameBytes(digest, sha1OfPiece(info, payload, piece)) ? 1 : 0))
      .join('');
  } finally {
    pinned.release();
  }
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

export async function temporaryFolder(t: { teardown(work: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'swarmd-disk-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function sha1OfPiece(info: TorrentInfo, payload: Uint8Array, piece: number): Uint8Array {
  const bytes = payload.subarray(piece * info.pieceLength, (piece + 1) * info.pieceLength);
  return createHash('sha1').update(bytes).digest();
}
