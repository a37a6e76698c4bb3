// Which piece a peer begins: the rarest of the highest priority, the first one when sequential, or any, for the first few.
// A snubbed peer gets the opposite, to stay out of the way of fast ones. Pure; opening it is the picker's.
import { RANDOM_FIRST_PIECES } from './constants.js';
import type { PeerPieces } from './peer-pieces.js';
import type { PieceBoard } from './piece-board.js';

/** `allowed`: out of these only. -1: there is none. */
export function nextPieceFor(peer: PeerPieces, board: PieceBoard, allowed: ReadonlySet<number> | undefined): number {
  return allowed ? rarestOf(allowed, peer, board) : rarestFor(peer, board);
}

function rarestFor(peer: PeerPieces, { order, haveCount, openCount, sequential }: PieceBoard): number {
  if ((peer.hasAll ? order.size : peer.candidateCount) === 0) return -1;
  if (sequential) return order.sequential(peer.bits, peer.snubbed);
  if (haveCount + openCount < RANDOM_FIRST_PIECES && !peer.snubbed) return order.anyOf(peer.bits);
  const piece = order.walk(peer.bits, peer.snubbed);
  if (piece !== -1 || peer.bits === null) return piece;
  const { shortlist } = peer;
  if (peer.snubbed) {
    const commonest: number[] = [];
    order.shortlist(peer.bits, true, commonest);
    return commonest[0] ?? -1;
  }
  while (shortlist.length > 0) {
    const listed = shortlist.pop()!;
    if (order.has(listed) && order.rank(listed) === peer.shortlistRank) return listed;
  }
  order.shortlist(peer.bits, false, shortlist);
  const found = shortlist.pop() ?? -1;
  if (found !== -1) peer.shortlistRank = order.rank(found);
  return found;
}

function rarestOf(allowed: ReadonlySet<number>, peer: PeerPieces, board: PieceBoard): number {
  const { order } = board;
  let best = -1;
  for (const piece of allowed) {
    if (!board.isPiece(piece) || !order.has(piece) || !peer.has(piece)) continue;
    if (best === -1 || order.rank(piece) < order.rank(best)) best = piece;
  }
  return best;
}
