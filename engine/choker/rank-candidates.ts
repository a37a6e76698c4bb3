// Who earns a regular slot (BEP 3): while leeching those who give most, while seeding those who take fastest, by turns
// where the caller wants that (seed-turns.ts). Both compete for the same slots and alternate in the order, so that neither
// kind of torrent starves the other.
import { rankByTurns } from './seed-turns.js';
import type { ChokeCandidate, ChokerOptions } from './types.js';

/** The rate by which a peer is compared with those of its kind, in bytes per second. */
export function earnedRate(candidate: ChokeCandidate): number {
  if (candidate.seeding) return candidate.uploadRate;
  // BEP 3, anti-snubbing: who does not send what we asked for gets nothing beyond its optimistic turns.
  return candidate.snubbed ? 0 : candidate.downloadRate;
}

/**
 * Interested peers that earn a slot, best first; `regularSlots` is what they compete for. The unchoked win a tie, so that
 * equals do not replace each other, except where a seed lets them take turns.
 */
export function rankCandidates(
  candidates: readonly ChokeCandidate[],
  regularSlots: number,
  nowMs: number,
  options: ChokerOptions,
): ChokeCandidate[] {
  const { seedTurnMs } = options;
  const interested = candidates.filter((candidate) => candidate.interested);
  const givers = byEarnedRate(interested.filter((candidate) => !candidate.seeding));
  const seeding = interested.filter((candidate) => candidate.seeding);
  const places = Math.max(regularSlots - givers.length, Math.ceil(regularSlots / 2));
  const takers =
    seedTurnMs === undefined ? byEarnedRate(seeding) : rankByTurns(seeding, places, nowMs, seedTurnMs, options);
  const ranked: ChokeCandidate[] = [];
  for (let place = 0; place < Math.max(givers.length, takers.length); place++) {
    if (place < givers.length) ranked.push(givers[place]!);
    if (place < takers.length) ranked.push(takers[place]!);
  }
  return ranked;
}

function byEarnedRate(candidates: readonly ChokeCandidate[]): ChokeCandidate[] {
  return candidates.filter((candidate) => earnedRate(candidate) > 0).sort(compare);
}

function compare(a: ChokeCandidate, b: ChokeCandidate): number {
  return earnedRate(b) - earnedRate(a) || Number(a.choked) - Number(b.choked) || a.id - b.id;
}
