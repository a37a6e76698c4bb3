// What one connected peer has, and what is outstanding from it. Counts are kept so that the questions asked for every
// block ("is it interesting?", "could it open a piece?") cost nothing.
import { hasBit, type Bits } from './bits.js';
import { PACE_WINDOW_BLOCKS } from './constants.js';
import type { PeerKey } from './types.js';

export class PeerPieces {
  /** Null while it has nothing, and when it has everything. */
  bits: Bits | null = null;
  hasAll = false;
  /** Index in the list of peers that have something, but not everything; -1 when it is not there. */
  partialIndex = -1;
  /** Pieces of `bits`: all, those wanted and not verified, and those that may be opened. */
  count = 0;
  missingCount = 0;
  candidateCount = 0;
  snubbed = false;
  /** Whether it is asked for whole pieces only, each alone. */
  onParole = false;
  outstanding = 0;
  /** Outstanding requests of each piece that has any. */
  readonly requests = new Map<number, number>();
  /** The piece that its last request belongs to; -1 for none. */
  lastPiece = -1;
  /** Candidates that were all of this rank when they were found; each is checked again before it is used. */
  readonly shortlist: number[] = [];
  shortlistRank = 0;
  /** A newcomer is taken for one of many until it has had time to deliver. */
  #pace = 1;
  #paceAt: number | null = null;
  /** Blocks accepted of all when it was last found idle in end-game, and how often since. */
  #idleAt = -1;
  #idleTimes = 0;

  constructor(readonly key: PeerKey) {}

  /** A block of it was accepted, the `acceptedCount`-th of all. */
  delivered(acceptedCount: number): void {
    this.#pace = this.pace(acceptedCount) + 1;
    this.#paceAt = acceptedCount;
  }

  /** Notes that the peer was waited for in vain. */
  stopPace(): void {
    this.#pace = 0;
  }

  /** The peer's part of the last {@link PACE_WINDOW_BLOCKS} or so blocks of all peers; fades while others deliver. */
  pace(acceptedCount: number): number {
    const since = acceptedCount - (this.#paceAt ?? acceptedCount);
    return this.#pace * Math.exp(-since / PACE_WINDOW_BLOCKS);
  }

  /** Notes that it was found idle in end-game. Returns how often that has been since a block came of any peer. */
  foundIdle(acceptedCount: number): number {
    if (this.#idleAt !== acceptedCount) this.#idleTimes = 0;
    this.#idleAt = acceptedCount;
    return ++this.#idleTimes;
  }

  has(piece: number): boolean {
    return this.hasAll || (this.bits !== null && hasBit(this.bits, piece));
  }

  requested(piece: number, acceptedCount: number): void {
    this.#paceAt ??= acceptedCount;
    this.outstanding++;
    this.lastPiece = piece;
    this.requests.set(piece, (this.requests.get(piece) ?? 0) + 1);
  }

  /** One request of the piece is answered, or will not be. */
  settled(piece: number): void {
    this.outstanding--;
    const left = this.requests.get(piece)! - 1;
    if (left === 0) this.requests.delete(piece);
    else this.requests.set(piece, left);
  }
}
