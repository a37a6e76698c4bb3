// Torrents' shapes without their bytes, for tests of what is computed from sizes and offsets alone.
import { parseInfoHash } from '../../shared-protocol/ids.js';
import type { TorrentInfo } from '../../engine/metainfo/index.js';

export interface ShapedFile {
  readonly sizeBytes: number;
  /** BEP 47. @default false */
  readonly isPad?: boolean;
}

/** Files `f0`, `f1`, … behind one another. */
export function shapeTorrent(pieceLength: number, files: readonly ShapedFile[]): TorrentInfo {
  let offset = 0;
  const placed = files.map(({ sizeBytes, isPad = false }, index) => {
    const file = { index, path: ['t', `f${index}`], sizeBytes, offset, isPad };
    offset += sizeBytes;
    return file;
  });
  const pieceCount = Math.ceil(offset / pieceLength);
  return {
    infoHash: parseInfoHash('ab'.repeat(20)),
    name: 't',
    pieceLength,
    pieceCount,
    totalBytes: offset,
    contentBytes: placed.reduce((sum, { sizeBytes, isPad }) => (isPad ? sum : sum + sizeBytes), 0),
    pieceHashes: new Uint8Array(20 * pieceCount),
    files: placed,
    isPrivate: false,
  };
}
