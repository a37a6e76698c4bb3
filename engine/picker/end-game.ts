// The end of a download: every missing block is asked of somebody, so blocks are asked of a second and a third peer
// as well, those with the fewest copies first (safety.md 2.15). The slower copies are cancelled on receipt.
import { BLOCK_SIZE_BYTES } from '../ports.js';
import { END_GAME_PIPELINE, MAX_BLOCK_COPIES } from './constants.js';
import type { OpenPiece } from './open-piece.js';
import type { PeerPieces } from './peer-pieces.js';
import type { BlockRequest } from './types.js';

/**
 * Adds copies of outstanding blocks of `pieces` to `requests` until it holds `count`, never one that the peer was
 * asked for already. O(blocks in progress).
 */
export function askForCopies(
  peer: PeerPieces,
  pieces: readonly OpenPiece[],
  count: number,
  requests: BlockRequest[],
): void {
  const limit = Math.min(count, requests.length + END_GAME_PIPELINE - peer.outstanding);
  for (let copies = 1; copies < MAX_BLOCK_COPIES; copies++)
    for (const open of pieces) {
      if (open.outstanding === 0) continue;
      for (let block = 0; block < open.blockCount; block++) {
        if (requests.length >= limit) return;
        if (open.copies(block) !== copies || open.isAsked(peer.key, block)) continue;
        open.askAgain(peer.key, block);
        peer.requested(open.piece);
        requests.push({ piece: open.piece, begin: block * BLOCK_SIZE_BYTES, length: open.blockLength(block) });
      }
    }
}
