// Pieces that somebody waits for: they come before all else, in the order in which they will be needed. The first few are
// for peers that are not slow, and their blocks are asked for a second time where whoever was asked lets them wait. Without
// a clock: what is slow and late is so by the pace of peers among the blocks that arrive (`peer-pieces.ts`).
import { BLOCK_SIZE_BYTES } from '../environment.js';
import {
  COPY_ADVANTAGE,
  MAX_BLOCK_COPIES,
  MAX_LATE_BLOCKS,
  MAX_LATE_COPIES,
  NEAR_ADVANTAGE,
  NEAR_PIECES,
} from './constants.js';
import type { OpenPiece } from './open-piece.js';
import { mayWorkOn } from './partial-pieces.js';
import type { PeerPieces } from './peer-pieces.js';
import type { PieceBoard } from './piece-board.js';
import type { BlockRequest } from './types.js';

export class UrgentPieces {
  #pieces: readonly number[] = [];
  #isSlow = false;

  constructor(private readonly board: PieceBoard) {}

  get size(): number {
    return this.#pieces.length;
  }

  /** Pieces that are needed next. */
  get near(): readonly number[] {
    return this.#pieces.slice(0, NEAR_PIECES);
  }

  /** Whether one of those that are needed next has blocks to hand out to the peer, or may be opened. */
  hasNearFor(peer: PeerPieces, allowed: ReadonlySet<number> | undefined): boolean {
    return this.#firstFor(peer, allowed, 0, NEAR_PIECES) !== -1;
  }

  set(pieces: readonly number[]): void {
    this.#pieces = pieces.filter((piece) => this.board.isPiece(piece));
  }

  /** To be called before a peer is asked for anything: whether it is slow beside those that deliver. O(peers). */
  beginPick(peer: PeerPieces, acceptedCount: number): void {
    const pace = NEAR_ADVANTAGE * peer.pace(acceptedCount);
    this.#isSlow = false;
    for (const other of this.board.peers.all()) {
      if (other !== peer && !other.snubbed && other.outstanding > 0 && other.pace(acceptedCount) > pace) {
        this.#isSlow = true;
        return;
      }
    }
  }

  /** One with blocks to hand out to the peer, or that may be opened; -1: none. O(urgent pieces). */
  nextFor(peer: PeerPieces, allowed: ReadonlySet<number> | undefined): number {
    return this.#firstFor(peer, allowed, this.#isSlow ? NEAR_PIECES : 0, this.#pieces.length);
  }

  #firstFor(peer: PeerPieces, allowed: ReadonlySet<number> | undefined, from: number, end: number): number {
    if (peer.snubbed) return -1;
    const { order, peers, partial } = this.board;
    for (let nth = from; nth < Math.min(end, this.#pieces.length); nth++) {
      const piece = this.#pieces[nth]!;
      if (!peer.has(piece) || (allowed && !allowed.has(piece))) continue;
      const open = this.board.findOpen(piece);
      if (open ? partial.has(open) && mayWorkOn(peer, open) : order.has(piece)) {
        // It would have it alone, and everybody would wait for it.
        if (open || !peer.onParole || !peers.anyTrustedHas(piece)) return piece;
      }
    }
    return -1;
  }
}

export interface LateScope {
  readonly board: PieceBoard;
  readonly acceptedCount: number;
  readonly allowed: ReadonlySet<number> | undefined;
}

/**
 * Adds to `requests`, until it holds `count`, copies of outstanding blocks of these pieces that the helper will have sent
 * long before those who were asked for them.
 */
export function askForLate(
  helper: PeerPieces,
  pieces: readonly number[],
  { board, acceptedCount, allowed }: LateScope,
  count: number,
  requests: BlockRequest[],
): void {
  if (helper.snubbed || acceptedCount === 0) return;
  const most = Math.min(count, requests.length + MAX_LATE_COPIES);
  let seen = 0;
  for (const piece of pieces) {
    const open = board.findOpen(piece);
    if (!open || open.outstanding === 0 || !helper.has(piece) || (allowed && !allowed.has(piece))) continue;
    if (!board.isWanted(piece) || !mayWorkOn(helper, open)) continue;
    for (let block = 0; block < open.blockCount && seen < MAX_LATE_BLOCKS; block++, seen++) {
      if (requests.length >= most) return;
      const copies = open.copies(block);
      if (copies === 0 || copies >= MAX_BLOCK_COPIES || open.isAsked(helper.key, block)) continue;
      if (!isLate(open, block, helper, board, acceptedCount)) continue;
      open.askAgain(helper.key, block);
      helper.requested(piece, acceptedCount);
      requests.push({ piece, begin: block * BLOCK_SIZE_BYTES, length: open.blockLength(block) });
    }
  }
}

/** Every copy makes the helper's own queue longer. */
function isLate(open: OpenPiece, block: number, helper: PeerPieces, board: PieceBoard, acceptedCount: number): boolean {
  const helperWait = (COPY_ADVANTAGE * (helper.outstanding + 1)) / helper.pace(acceptedCount);
  for (let place = 0; place < MAX_BLOCK_COPIES; place++) {
    const asker = open.askerAt(block, place);
    if (asker === null) continue;
    const peer = board.peers.get(asker);
    // As if it were the last of its queue: who delivers at all has sent it by then.
    const wait = peer.snubbed ? Infinity : peer.outstanding / peer.pace(acceptedCount);
    if (wait < helperWait) return false;
  }
  return true;
}
