// How many bytes are there, in all and of the wanted files, kept up to date piece by piece. Pure.
import type { FilePriority } from '../../disk/types.js';
import type { TorrentFile, TorrentInfo } from '../../metainfo/types.js';
import type { Bitfield } from './bitfield.js';
import { pieceLengthAt, type PieceGeometry } from './geometry.js';

export interface ProgressNumbers {
  readonly bytesDone: number;
  readonly wantedDone: number;
  readonly wantedBytes: number;
}

/**
 * The progress of a whole torrent. A file's bytes in a piece count when the piece is verified; pad files count in nothing.
 */
export function measureProgress(
  info: TorrentInfo,
  priorities: readonly FilePriority[] | null,
  have: Bitfield,
): ProgressNumbers {
  let bytesDone = 0;
  let wantedBytes = 0;
  let wantedDone = 0;
  if (countsAll(info, priorities)) {
    for (let piece = 0; piece < info.pieceCount; piece++) if (have.has(piece)) bytesDone += pieceLengthAt(info, piece);
    return { bytesDone, wantedDone: bytesDone, wantedBytes: info.totalBytes };
  }
  for (const file of info.files) {
    if (file.isPad) continue;
    const done = verifiedBytesOf(info, have, file.offset, file.sizeBytes);
    bytesDone += done;
    if (priorities?.[file.index] === 'skip') continue;
    wantedBytes += file.sizeBytes;
    wantedDone += done;
  }
  return { bytesDone, wantedDone, wantedBytes };
}

/** Whether every byte of the pieces belongs to a wanted file. */
function countsAll(info: TorrentInfo, priorities: readonly FilePriority[] | null): boolean {
  if (info.contentBytes !== info.totalBytes) return false;
  return priorities === null || priorities.every((priority) => priority !== 'skip');
}

/** Verified bytes in a range of the torrent. */
export function verifiedBytesOf(geometry: PieceGeometry, have: Bitfield, offset: number, length: number): number {
  if (length === 0) return 0;
  const { pieceLength } = geometry;
  const end = offset + length;
  const first = Math.floor(offset / pieceLength);
  const last = Math.floor((end - 1) / pieceLength);
  const within = (piece: number): number =>
    have.has(piece) ? Math.min(end, (piece + 1) * pieceLength) - Math.max(offset, piece * pieceLength) : 0;
  if (first === last) return within(first);
  return within(first) + have.countBetween(first + 1, last) * pieceLength + within(last);
}

/** Wanted bytes that one verified piece adds; `priorities` null: of all files. */
export function wantedBytesInPiece(
  info: TorrentInfo,
  priorities: readonly FilePriority[] | null,
  piece: number,
): number {
  const start = piece * info.pieceLength;
  const end = start + pieceLengthAt(info, piece);
  if (countsAll(info, priorities)) return end - start;
  let wanted = 0;
  for (const file of filesInPiece(info, piece)) {
    if (priorities?.[file.index] === 'skip' || file.isPad) continue;
    wanted += Math.max(0, Math.min(end, file.offset + file.sizeBytes) - Math.max(start, file.offset));
  }
  return wanted;
}

/** Files with bytes of the piece, and empty ones among them. */
export function filesInPiece(info: TorrentInfo, piece: number): readonly TorrentFile[] {
  const start = piece * info.pieceLength;
  const end = start + pieceLengthAt(info, piece);
  const first = fileAt(info, start);
  let next = first;
  while (next < info.files.length && info.files[next]!.offset < end) next++;
  return info.files.slice(first, next);
}

/** Index of the first file that reaches beyond an offset; files lie behind one another. */
function fileAt(info: TorrentInfo, offset: number): number {
  let low = 0;
  let high = info.files.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const file = info.files[middle]!;
    if (file.offset + file.sizeBytes > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How long a file is at least, if what is verified of it is on disk. */
export function verifiedEnd(geometry: PieceGeometry, have: Bitfield, offset: number, length: number): number {
  if (length === 0) return 0;
  const { pieceLength } = geometry;
  const first = Math.floor(offset / pieceLength);
  for (let piece = Math.floor((offset + length - 1) / pieceLength); piece >= first; piece--) {
    if (have.has(piece)) return Math.min(length, (piece + 1) * pieceLength - offset);
  }
  return 0;
}
