// The end of a download: every missing block is asked of a peer, so blocks are asked of a second and a third peer as
// well where these will be much sooner (docs/limits.md 2.15). The slower copies are cancelled on receipt. Without a
// clock: a block's wait is its place in the queue of the peer it was asked of, by that peer's pace among the blocks
// that arrive.
import { BLOCK_SIZE_BYTES } from '../environment.js';
import {
  COPY_ADVANTAGE,
  END_GAME_PATIENCE,
  END_GAME_PIPELINE,
  HEAD_OF_QUEUE,
  MAX_BLOCK_COPIES,
  MAX_END_GAME_BLOCKS,
} from './constants.js';
import type { OpenPiece } from './open-piece.js';
import type { PeerPieces } from './peer-pieces.js';
import type { BlockRequest, PeerKey } from './types.js';

export interface EndGameWorld {
  /** All of them, in the order in which they were opened. */
  readonly pieces: Iterable<OpenPiece>;
  /** Accepted so far, of all peers. */
  readonly acceptedCount: number;
  peer(key: PeerKey): PeerPieces;
  /** All that are connected. */
  peers(): Iterable<PeerPieces>;
  /** Whether the helper may be asked for the piece. */
  mayAskFor(piece: OpenPiece): boolean;
}

interface Outstanding {
  readonly open: OpenPiece;
  readonly block: number;
  readonly copies: number;
  /** Until the first copy comes; only comparable with others of its kind. */
  readonly wait: number;
}

/**
 * Adds copies of outstanding blocks to `requests` until it holds `count`: the least copied first, of these the last to
 * be expected, so that no peer is overtaken at a block that it is already sending. O(n log n), n at most
 * {@link MAX_END_GAME_BLOCKS}.
 */
export function askForCopies(helper: PeerPieces, world: EndGameWorld, count: number, requests: BlockRequest[]): void {
  const limit = Math.min(count, requests.length + END_GAME_PIPELINE - helper.outstanding);
  if (isOutOfPatience(helper, world, requests)) giveUpOnAskers(world);
  const pace = helper.snubbed ? 0 : helper.pace(world.acceptedCount);
  const isWorthIt = (wait: number): boolean =>
    wait === Infinity || wait * pace >= COPY_ADVANTAGE * (helper.outstanding + 1);
  const blocks = copiableBlocks(helper, world).filter(({ wait }) => isWorthIt(wait));
  for (const { open, block, wait } of blocks.sort(byNeed)) {
    if (requests.length >= limit) return;
    // Every copy makes the helper's own queue longer.
    if (!isWorthIt(wait)) continue;
    open.askAgain(helper.key, block);
    helper.requested(open.piece, world.acceptedCount);
    requests.push({ piece: open.piece, begin: block * BLOCK_SIZE_BYTES, length: open.blockLength(block) });
  }
}

/** Whether the helper has had nothing to do for a while in which no peer delivered. */
function isOutOfPatience(helper: PeerPieces, world: EndGameWorld, requests: readonly BlockRequest[]): boolean {
  if (helper.snubbed || helper.outstanding > 0 || requests.length > 0) return false;
  return helper.foundIdle(world.acceptedCount) > END_GAME_PATIENCE;
}

/** Until they deliver again they count as peers of which nothing is to be expected. */
function giveUpOnAskers(world: EndGameWorld): void {
  for (const peer of world.peers()) if (peer.outstanding > 0) peer.stopPace();
}

/** At least half as fast as the fastest. */
function isFast(helper: PeerPieces, world: EndGameWorld): boolean {
  let fastest = 0;
  for (const peer of world.peers()) if (!peer.snubbed) fastest = Math.max(fastest, peer.pace(world.acceptedCount));
  return !helper.snubbed && 2 * helper.pace(world.acceptedCount) >= fastest;
}

/** Blocks that the helper may be asked for, whether or not it is worth while. */
function copiableBlocks(helper: PeerPieces, world: EndGameWorld): Outstanding[] {
  // Three that have died must not hold a block between them: its last place is for the fast.
  const maxCopies = isFast(helper, world) ? MAX_BLOCK_COPIES : MAX_BLOCK_COPIES - 1;
  const queues = new Map<PeerKey, Queue>();
  const blocks: Outstanding[] = [];
  let seen = 0;
  for (const open of world.pieces) {
    if (open.outstanding === 0) continue;
    if (seen > MAX_END_GAME_BLOCKS) break;
    const mayAsk = world.mayAskFor(open);
    for (let block = 0; block < open.blockCount; block++) {
      const copies = open.copies(block);
      if (copies === 0) continue;
      seen++;
      const wait = shortestWait(open, block, queues, world);
      if (mayAsk && copies < maxCopies && !open.isAsked(helper.key, block)) blocks.push({ open, block, copies, wait });
    }
  }
  return blocks;
}

function byNeed(a: Outstanding, b: Outstanding): number {
  if (a.copies !== b.copies) return a.copies - b.copies;
  return a.wait === b.wait ? 0 : b.wait - a.wait;
}

interface Queue {
  readonly pace: number;
  /** Blocks of it seen so far, in about the order in which they were asked for. */
  length: number;
}

/** One place further in the queues of all who were asked for the block; how long the first of them will take. */
function shortestWait(open: OpenPiece, block: number, queues: Map<PeerKey, Queue>, world: EndGameWorld): number {
  let shortest = Infinity;
  for (let place = 0; place < MAX_BLOCK_COPIES; place++) {
    const asker = open.askerAt(block, place);
    if (asker === null) continue;
    let queue = queues.get(asker);
    if (!queue) {
      const peer = world.peer(asker);
      // Where no peer has delivered yet there is nothing to compare: none is to be waited for.
      const isHopeless = peer.snubbed || world.acceptedCount === 0;
      queue = { pace: isHopeless ? 0 : peer.pace(world.acceptedCount), length: 0 };
      queues.set(asker, queue);
    }
    queue.length++;
    shortest = Math.min(shortest, (queue.length - 1 + HEAD_OF_QUEUE) / queue.pace);
  }
  return shortest;
}
