// The pieces in progress that have blocks to hand out, and which of them suits a peer: they come before any new piece,
// because every piece in progress holds a part of the slab.
import type { OpenPiece } from './open-piece.js';
import type { PeerPieces } from './peer-pieces.js';

/** How pieces compare beside their state. */
export interface PieceRanking {
  /** Priority class, then availability: the less, the sooner. */
  rank(piece: number): number;
  /** Index of the priority class; 0 is the most wanted. */
  priorityClass(piece: number): number;
  readonly sequential: boolean;
}

/** A peer on parole works on pieces of its own alone, and no other peer works on those (`parole.ts`). */
export function mayWorkOn(peer: PeerPieces, open: OpenPiece): boolean {
  return open.owner === null ? !peer.onParole : open.owner === peer.key;
}

export class PartialPieces {
  readonly #pieces: OpenPiece[] = [];

  constructor(private readonly ranking: PieceRanking) {}

  get size(): number {
    return this.#pieces.length;
  }

  all(): Iterable<OpenPiece> {
    return this.#pieces;
  }

  has(open: OpenPiece): boolean {
    return open.partialIndex !== -1;
  }

  /** To be called whenever a piece may have come to have, or no longer has, blocks to hand out. */
  update(open: OpenPiece, isPartial: boolean): void {
    if (isPartial === this.has(open)) return;
    if (isPartial) {
      open.partialIndex = this.#pieces.length;
      this.#pieces.push(open);
      return;
    }
    const last = this.#pieces.pop()!;
    if (last !== open) {
      this.#pieces[open.partialIndex] = last;
      last.partialIndex = open.partialIndex;
    }
    open.partialIndex = -1;
  }

  /**
   * The piece to take blocks from: one in which the peer has requests, else the rarest, else the one with the fewest
   * missing bytes. A snubbed peer gets the opposite, to stay out of the way of fast ones. Not those that are another's
   * alone. O(partial pieces).
   */
  bestFor(peer: PeerPieces, allowed: ReadonlySet<number> | undefined): OpenPiece | undefined {
    let best: OpenPiece | undefined;
    for (const open of this.#pieces) {
      if (!peer.has(open.piece) || (allowed && !allowed.has(open.piece)) || !mayWorkOn(peer, open)) continue;
      if (!best || this.#isBetter(open, best, peer)) best = open;
    }
    return best;
  }

  #isBetter(a: OpenPiece, b: OpenPiece, peer: PeerPieces): boolean {
    const ownA = peer.requests.has(a.piece);
    if (ownA !== peer.requests.has(b.piece)) return ownA;
    const order = this.ranking.sequential
      ? this.ranking.priorityClass(a.piece) - this.ranking.priorityClass(b.piece) || a.piece - b.piece
      : this.ranking.rank(a.piece) - this.ranking.rank(b.piece) || a.missingBytes - b.missingBytes;
    return peer.snubbed ? order > 0 : order < 0;
  }
}
