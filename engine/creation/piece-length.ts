// How long the pieces of a torrent are that is made here. Pure.
import { AIMED_PIECES, MAX_CHOSEN_PIECE_BYTES, MIN_CHOSEN_PIECE_BYTES } from './constants.js';

/** The least power of two with which there are not too many pieces. */
export function pieceLengthFor(totalBytes: number): number {
  let length = MIN_CHOSEN_PIECE_BYTES;
  while (length < MAX_CHOSEN_PIECE_BYTES && totalBytes / length > AIMED_PIECES) length *= 2;
  return length;
}
