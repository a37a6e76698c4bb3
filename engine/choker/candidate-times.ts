// What a candidate's times say: whether its optimistic turn is under way, and since when it waits for a slot.
import type { ChokeCandidate } from './types.js';

/** An optimistic turn is under way: it began with or after the last unchoke. */
export function isInOptimisticTurn(candidate: ChokeCandidate, nowMs: number, intervalMs: number): boolean {
  const startMs = candidate.optimisticAtMs ?? -Infinity;
  return !candidate.choked && nowMs - startMs < intervalMs && startMs >= (candidate.unchokedAtMs ?? -Infinity);
}

/** Since when a choked candidate has been without a slot; the start of its last turn where the end is not known. */
export function waitingSinceMs(candidate: ChokeCandidate): number {
  const { connectedAtMs, chokedAtMs, unchokedAtMs, optimisticAtMs } = candidate;
  return Math.max(connectedAtMs, chokedAtMs ?? Math.max(unchokedAtMs ?? -Infinity, optimisticAtMs ?? -Infinity));
}
