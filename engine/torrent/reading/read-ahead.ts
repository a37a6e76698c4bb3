// Which pieces somebody who reads a file waits for, and in which order those of several readers are wanted. Pure.
import type { Bitfield } from '../pieces/bitfield.js';

const MIB = 1024 * 1024;

/** Fetched in advance for a reader: some seconds of any video, and what fifty peers have under way of it. No spec value. */
const READ_AHEAD_BYTES = 16 * MIB;
/** Larger pieces: the next one is on its way while one is read. */
const MIN_PIECES_AHEAD = 2;
/** Small pieces: each look at the window is short. */
const MAX_PIECES_AHEAD = 128;

/** A range of a torrent in bytes, `end` not included. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** The missing pieces of the window that begins at `span.start`, the first first; none beyond the span. */
export function missingAhead(pieceLength: number, { start, end }: ByteSpan, have: Bitfield): number[] {
  if (end <= start) return [];
  const first = Math.floor(start / pieceLength);
  const lastOfSpan = Math.floor((end - 1) / pieceLength);
  const inWindow = Math.floor((start + READ_AHEAD_BYTES - 1) / pieceLength) - first + 1;
  const count = Math.min(MAX_PIECES_AHEAD, Math.max(MIN_PIECES_AHEAD, inWindow));
  const missing: number[] = [];
  for (let piece = first; piece <= Math.min(lastOfSpan, first + count - 1); piece++) {
    if (!have.has(piece)) missing.push(piece);
  }
  return missing;
}

/** Where the verified bytes end that begin at `span.start`; `span.start` where there are none. */
export function verifiedEnd(pieceLength: number, { start, end }: ByteSpan, have: Bitfield): number {
  let at = start;
  for (let piece = Math.floor(start / pieceLength); at < end && have.has(piece); piece++) {
    at = Math.min(end, (piece + 1) * pieceLength);
  }
  return at;
}

/** Where those of the verified bytes end that may be given. */
export function provenEnd(pieceLength: number, { start, end }: ByteSpan, isProven: (piece: number) => boolean): number {
  let at = start;
  for (let piece = Math.floor(start / pieceLength); at < end && isProven(piece); piece++) {
    at = Math.min(end, (piece + 1) * pieceLength);
  }
  return at;
}

/** The first of each list, then the second of each, …; none twice. */
export function inTurns(lists: readonly (readonly number[])[]): number[] {
  const longest = lists.reduce((most, { length }) => Math.max(most, length), 0);
  const joined = new Set<number>();
  for (let nth = 0; nth < longest; nth++) for (const list of lists) if (nth < list.length) joined.add(list[nth]!);
  return [...joined];
}
