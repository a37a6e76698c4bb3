// Who is given which piece while a peer is suspected of bad data (docs/limits.md 2.13). A peer on parole gets whole
// pieces, each alone; a piece that failed is fetched again from one peer alone, soon, and from one that is not on parole
// where there is any. Neither may hold the download up: a piece is given away by an owner that does not deliver.
import { OWNER_ADVANTAGE } from './constants.js';
import type { OpenPiece } from './open-piece.js';
import type { PeerPieces } from './peer-pieces.js';
import type { PieceBoard } from './piece-board.js';

/** Pieces for which it is found out whether a better peer has them, so that a question costs little. */
const MAX_ASKED = 4;

/** Pieces that failed and have not been verified since. */
export class PiecesToProve {
  readonly #pieces = new Set<number>();

  constructor(private readonly board: PieceBoard) {}

  get size(): number {
    return this.#pieces.size;
  }

  has(piece: number): boolean {
    return this.#pieces.has(piece);
  }

  add(piece: number): void {
    this.#pieces.add(piece);
  }

  delete(piece: number): void {
    this.#pieces.delete(piece);
  }

  /** One that the peer should open before anything else; -1: none. O(failed pieces + peers). */
  nextFor(peer: PeerPieces, allowed: ReadonlySet<number> | undefined): number {
    if (peer.snubbed) return -1;
    const { order, peers } = this.board;
    let asked = 0;
    for (const piece of this.#pieces) {
      if (!order.has(piece) || !peer.has(piece) || (allowed && !allowed.has(piece))) continue;
      if (!peer.onParole || !peers.anyTrustedHas(piece)) return piece;
      if (++asked === MAX_ASKED) return -1;
    }
    return -1;
  }
}

/**
 * For a peer that could be asked for nothing otherwise: a piece that it was to keep out of, if its owner lets go of it.
 * From then on that is open to all.
 */
export function lastResort(
  peer: PeerPieces,
  board: PieceBoard,
  acceptedCount: number,
  allowed: ReadonlySet<number> | undefined,
): OpenPiece | undefined {
  for (const open of board.partial.all()) {
    if (!peer.has(open.piece) || (allowed && !allowed.has(open.piece))) continue;
    if (isKeptFrom(peer, open, board, acceptedCount)) continue;
    open.owner = null;
    return open;
  }
  return undefined;
}

/** An owner lets go of its piece when it is asked for nothing of it, snubs us, or is much slower than the peer. */
export function isKeptFrom(peer: PeerPieces, open: OpenPiece, { peers }: PieceBoard, acceptedCount: number): boolean {
  if (open.owner === null || open.owner === peer.key) return false;
  const owner = peers.find(open.owner);
  return (
    owner !== undefined &&
    !owner.snubbed &&
    owner.requests.has(open.piece) &&
    peer.pace(acceptedCount) < OWNER_ADVANTAGE * owner.pace(acceptedCount)
  );
}
