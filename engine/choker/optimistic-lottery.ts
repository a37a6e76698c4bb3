// Whose turn an optimistic slot is (BEP 3). New peers have three tickets each, those who have waited longer than any of
// them one each, with which the first of their queue wins: the peer that waited longest. So newcomers are favoured, no
// peer starves, and none has a second turn before those that came with it have had their first.
import type { Random } from '../environment.js';
import { waitingSinceMs } from './candidate-times.js';
import { NEW_PEER_MS, NEW_PEER_WEIGHT } from './constants.js';
import type { ChokeCandidate } from './types.js';

/** Takes up to `count` of `waiting`, in the order drawn. O(n log n + count × n). */
export function drawOptimistic(
  waiting: readonly ChokeCandidate[],
  count: number,
  nowMs: number,
  random: Random,
): ChokeCandidate[] {
  const isNew = (candidate: ChokeCandidate): boolean =>
    candidate.choked &&
    candidate.unchokedAtMs === null &&
    candidate.optimisticAtMs === null &&
    nowMs - candidate.connectedAtMs < NEW_PEER_MS;
  const newcomers = waiting.filter(isNew);
  const queue = inRandomOrder(
    waiting.filter((candidate) => !isNew(candidate)),
    random,
  ).sort((a, b) => queuedSinceMs(b, nowMs) - queuedSinceMs(a, nowMs) || unchokes(b) - unchokes(a));
  const eldestMs = Math.min(...newcomers.map(({ connectedAtMs }) => connectedAtMs));
  const drawn: ChokeCandidate[] = [];
  while (drawn.length < count && newcomers.length + queue.length > 0) {
    const queueTickets = queue.filter((candidate) => queuedSinceMs(candidate, nowMs) <= eldestMs).length;
    const ticket = random.below(newcomers.length * NEW_PEER_WEIGHT + queueTickets);
    const newcomer = Math.floor(ticket / NEW_PEER_WEIGHT);
    drawn.push(newcomer < newcomers.length ? newcomers.splice(newcomer, 1)[0]! : queue.pop()!);
  }
  return drawn;
}

/** An unchoked peer has only now begun to wait. */
function queuedSinceMs(candidate: ChokeCandidate, nowMs: number): number {
  return candidate.choked ? waitingSinceMs(candidate) : nowMs;
}

/** Among equals, who never had a slot is next: a peer unchoked as it connected has not waited as long. */
function unchokes(candidate: ChokeCandidate): number {
  return candidate.unchokedAtMs === null ? 0 : 1;
}

/** Fisher–Yates: decides among those who have waited equally long. */
function inRandomOrder<Item>(items: Item[], random: Random): Item[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [items[last], items[other]] = [items[other]!, items[last]!];
  }
  return items;
}
