// Who may download from us now (BEP 3): regular slots by rank, optimistic ones in turn. Pure; the caller asks every 10 s
// and when the slots change. Never more than `slots` unchoked, nor more of a group than it may have; below that, a peer keeps a slot for `minUnchokedMs`,
// interested or not, so that no peer sees choke, unchoke, choke within that time.
import type { Random } from '../environment.js';
import { isInOptimisticTurn } from './candidate-times.js';
import { SLOTS_PER_OPTIMISTIC } from './constants.js';
import { drawOptimistic } from './optimistic-lottery.js';
import { rankCandidates } from './rank-candidates.js';
import { SlotRoom } from './slot-room.js';
import type { ChokeCandidate, ChokeDecision, ChokeReason, ChokerOptions } from './types.js';

/** Decides for all candidates at once; they share one pool of slots, whatever their torrents. */
export function evaluateChokes(
  candidates: readonly ChokeCandidate[],
  nowMs: number,
  random: Random,
  options: ChokerOptions,
): ChokeDecision[] {
  const slots = Math.max(0, options.slots);
  const regularSlots = slots - optimisticSlots(slots);
  const ranked = rankCandidates(candidates, regularSlots, nowMs, options);
  const unchoked = new Map<ChokeCandidate, ChokeReason>();
  const room = new SlotRoom(slots);
  const unchoke = (candidate: ChokeCandidate, reason: ChokeReason): void => {
    unchoked.set(candidate, reason);
    room.take(candidate);
  };

  // First those who must not be choked yet: they have their slots whatever their rank.
  const recent = recentlyUnchoked(candidates, ranked, nowMs, options.minUnchokedMs);
  for (const candidate of recent) if (room.has(candidate)) unchoke(candidate, 'kept');

  let regular = 0;
  for (const candidate of ranked) {
    if (regular === regularSlots) break;
    if (!unchoked.has(candidate)) {
      if (!room.has(candidate)) continue;
      unchoke(candidate, candidate.choked ? reasonToUnchoke(candidate, options) : 'kept');
    }
    regular++;
  }

  for (const candidate of inTheirTurn(candidates, nowMs, options.optimisticIntervalMs))
    if (room.has(candidate) && !unchoked.has(candidate)) unchoke(candidate, 'kept');

  const mayWait = (candidate: ChokeCandidate): boolean => !unchoked.has(candidate) && room.isOpenTo(candidate);
  let waiting = candidates.filter((candidate) => candidate.interested && mayWait(candidate));
  do {
    for (const candidate of drawOptimistic(waiting, room.left, nowMs, random))
      if (room.has(candidate)) unchoke(candidate, 'optimistic');
    // A group may be full with some of those that were drawn: others have what is left.
    waiting = waiting.filter(mayWait);
  } while (room.left > 0 && waiting.length > 0);

  return candidates.flatMap((candidate): ChokeDecision[] => {
    const reason = unchoked.get(candidate);
    if (reason !== undefined) return [{ id: candidate.id, choke: false, reason }];
    if (candidate.choked) return [];
    return [{ id: candidate.id, choke: true, reason: candidate.interested ? 'out-ranked' : 'not-interested' }];
  });
}

/** How many of the slots are optimistic; slots that no peer has earned are as well. */
export function optimisticSlots(slots: number): number {
  return Math.min(slots, Math.max(1, Math.floor(slots / SLOTS_PER_OPTIMISTIC)));
}

/** Unchoked less than `minUnchokedMs` ago: the ranked first, best first, the uninterested last. */
function recentlyUnchoked(
  candidates: readonly ChokeCandidate[],
  ranked: readonly ChokeCandidate[],
  nowMs: number,
  minUnchokedMs: number,
): ChokeCandidate[] {
  const isRecent = ({ choked, unchokedAtMs }: ChokeCandidate): boolean =>
    !choked && unchokedAtMs !== null && nowMs - unchokedAtMs < minUnchokedMs;
  const recent = new Set(ranked.filter(isRecent));
  for (const candidate of candidates) if (candidate.interested && isRecent(candidate)) recent.add(candidate);
  for (const candidate of candidates) if (isRecent(candidate)) recent.add(candidate);
  return [...recent];
}

/** Optimistic turns that are not over; the latest first, for they have had the least of it. */
function inTheirTurn(candidates: readonly ChokeCandidate[], nowMs: number, intervalMs: number): ChokeCandidate[] {
  return candidates
    .filter((candidate) => candidate.interested && isInOptimisticTurn(candidate, nowMs, intervalMs))
    .sort((a, b) => b.optimisticAtMs! - a.optimisticAtMs!);
}

function reasonToUnchoke(candidate: ChokeCandidate, options: ChokerOptions): ChokeReason {
  if (!candidate.seeding) return 'tit-for-tat';
  return options.seedTurnMs === undefined ? 'fastest' : 'turn';
}
