// Which pieces are there and how many peers have them, made small enough to be drawn: columns of a width, each the
// middle of its pieces; and in figures. Pure.
import type { PiecesDto } from '../../../../../shared-protocol/dto/inspector.js';

/** 1 for each piece that is there. */
export function haveOf({ piece_count, have }: Pick<PiecesDto, 'piece_count' | 'have'>): Uint8Array {
  const bits = bytesOf(have);
  return Uint8Array.from({ length: piece_count }, (_, i) => ((bits[i >> 3] ?? 0) >> (7 - (i & 7))) & 1);
}

/** Connected peers for each piece; null while the engine does not count them. */
export function availabilityOf({ availability }: Pick<PiecesDto, 'availability'>): Uint8Array | null {
  return availability === undefined ? null : bytesOf(availability);
}

export function countOf(have: Uint8Array): number {
  return have.reduce((sum, bit) => sum + bit, 0);
}

/** Pieces that are not there, and that no connected peer has. */
export function countLacking(have: Uint8Array, availability: Uint8Array): number {
  return availability.reduce((sum, peers, piece) => sum + (peers === 0 && have[piece] === 0 ? 1 : 0), 0);
}

/** The mean of each column's pieces; at most as many columns as there are pieces. */
export function columnsOf(pieces: Uint8Array, width: number): number[] {
  const columns = Math.min(Math.max(width, 0), pieces.length);
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * pieces.length) / columns);
    const to = Math.floor(((column + 1) * pieces.length) / columns);
    let sum = 0;
    for (let piece = from; piece < to; piece++) sum += pieces[piece]!;
    return sum / (to - from);
  });
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
