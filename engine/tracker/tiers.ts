// The order of a torrent's trackers (BEP 12): tiers are independent of each other, within a tier one tracker speaks
// for all, and the one that answered is asked first from then on. Pure functions over arrays.
import type { Random } from '../environment.js';

/** The facts that the choice within a tier depends on. */
export interface TierMember {
  /** Failures since the last success; 0 also when never asked. */
  readonly fails: number;
  /** Monotonic milliseconds. */
  readonly dueMs: number;
  /** False when the URL cannot be announced to at all. */
  readonly usable: boolean;
}

/** BEP 12: "all trackers within a tier are shuffled" when first read. Fisher-Yates, in place. */
export function shuffle<Item>(tier: Item[], random: Random): void {
  for (let i = tier.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [tier[i], tier[j]] = [tier[j]!, tier[i]!];
  }
}

/** BEP 12: "if a connection with a tracker is successful, it will be moved to the front of the tier". */
export function moveToFront<Item>(tier: Item[], member: Item): void {
  const at = tier.indexOf(member);
  if (at <= 0) return;
  tier.copyWithin(1, 0, at);
  tier[0] = member;
}

/**
 * The member that speaks for the tier next: the first that does not fail or whose back-off has passed, else the one
 * whose back-off ends first. Null when none is usable.
 */
export function electMember<Member extends TierMember>(tier: readonly Member[], nowMs: number): Member | null {
  let soonest: Member | null = null;
  for (const member of tier) {
    if (!member.usable) continue;
    if (member.fails === 0 || member.dueMs <= nowMs) return member;
    if (!soonest || member.dueMs < soonest.dueMs) soonest = member;
  }
  return soonest;
}
