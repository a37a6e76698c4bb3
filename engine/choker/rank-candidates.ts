// Who earns a regular slot (BEP 3): while leeching those who give most, while seeding those who take fastest. Both
// compete for the same slots and take turns in the order, so that neither kind of torrent starves the other.
import type { ChokeCandidate } from './types.js';

/** The rate by which a peer is compared with those of its kind, in bytes per second. */
export function earnedRate(candidate: ChokeCandidate): number {
  if (candidate.seeding) return candidate.uploadRate;
  // BEP 3, anti-snubbing: who does not send what we asked for gets nothing beyond its optimistic turns.
  return candidate.snubbed ? 0 : candidate.downloadRate;
}

/** Interested peers that earn a slot, best first. The unchoked win a tie, so that equals do not replace each other. */
export function rankCandidates(candidates: readonly ChokeCandidate[]): ChokeCandidate[] {
  const earning = candidates.filter((candidate) => candidate.interested && earnedRate(candidate) > 0).sort(compare);
  const givers = earning.filter((candidate) => !candidate.seeding);
  const takers = earning.filter((candidate) => candidate.seeding);
  const ranked: ChokeCandidate[] = [];
  for (let place = 0; place < Math.max(givers.length, takers.length); place++) {
    if (place < givers.length) ranked.push(givers[place]!);
    if (place < takers.length) ranked.push(takers[place]!);
  }
  return ranked;
}

function compare(a: ChokeCandidate, b: ChokeCandidate): number {
  return earnedRate(b) - earnedRate(a) || Number(a.choked) - Number(b.choked) || a.id - b.id;
}
