// Which pieces have to be hashed before a record is believed, and which files a piece that fails casts doubt on. Pure.
import type { TorrentInfo } from '../../metainfo/index.js';
import type { Random } from '../../environment.js';
import { Bitfield } from '../pieces/bitfield.js';

/** rqbit: so many pieces by lot, and one of each file. */
const SAMPLE_PIECES = 64;
/** No spec value: a torrent of ten thousand files is not read through after each crash. */
const MAX_SAMPLED_FILES = 256;

type Geometry = Pick<TorrentInfo, 'pieceLength' | 'pieceCount' | 'files'>;

/** The pieces to hash: all, or those of some files. */
export type CheckScope = 'all' | ReadonlySet<number>;

export function union(one: CheckScope, other: CheckScope): CheckScope {
  return one === 'all' || other === 'all' ? 'all' : new Set([...one, ...other]);
}

/** The pieces that files (by index) lie in; those on a boundary are shared with their neighbours. */
export function piecesOfFiles({ pieceLength, pieceCount, files }: Geometry, indexes: Iterable<number>): Bitfield {
  const pieces = new Bitfield(pieceCount);
  for (const index of indexes) {
    const file = files[index];
    if (!file || file.sizeBytes === 0) continue;
    const last = Math.floor((file.offset + file.sizeBytes - 1) / pieceLength);
    for (let piece = Math.floor(file.offset / pieceLength); piece <= last; piece++) pieces.set(piece);
  }
  return pieces;
}

/** The files, by index, that have bytes in one of the pieces. */
export function filesOfPieces({ pieceLength, files }: Geometry, pieces: readonly number[]): number[] {
  const found: number[] = [];
  for (const { index, offset, sizeBytes, isPad } of files) {
    if (isPad || sizeBytes === 0) continue;
    const first = Math.floor(offset / pieceLength);
    const last = Math.floor((offset + sizeBytes - 1) / pieceLength);
    if (pieces.some((piece) => piece >= first && piece <= last)) found.push(index);
  }
  return found;
}

/**
 * After an engine that did not stop in order (docs/limits.md 2.27): one claimed piece of each file, and up to 64 of all
 * that are claimed, the n-th with a probability that falls to nothing.
 */
export function samplePieces(info: Geometry, have: Bitfield, random: Random): number[] {
  const sample = new Set<number>();
  let files = 0;
  for (const { offset, sizeBytes, isPad } of info.files) {
    if (isPad || sizeBytes === 0) continue;
    if (files++ === MAX_SAMPLED_FILES) break;
    const first = Math.floor(offset / info.pieceLength);
    const piece = claimedFrom(have, first, Math.floor((offset + sizeBytes - 1) / info.pieceLength), random);
    if (piece !== -1) sample.add(piece);
  }
  for (let n = 0; n < SAMPLE_PIECES; n++) {
    if (random.below(SAMPLE_PIECES) < n) continue;
    const piece = claimedFrom(have, 0, have.length - 1, random);
    if (piece !== -1) sample.add(piece);
  }
  return [...sample];
}

/** A claimed piece of the range: the next one from a place found by lot; -1 when there is none. */
function claimedFrom(have: Bitfield, first: number, last: number, random: Random): number {
  if (last < first || have.countBetween(first, last + 1) === 0) return -1;
  const start = first + random.below(last - first + 1);
  for (let piece = start; piece <= last; piece++) if (have.has(piece)) return piece;
  for (let piece = first; piece < start; piece++) if (have.has(piece)) return piece;
  return -1;
}
