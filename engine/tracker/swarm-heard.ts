// What the trackers of a torrent tell of its swarm, in few numbers. The figures are those of one tracker, the one that knows
// of the most peers: those of several count the same peers, and do not add up. Pure.
import type { TrackerRecord } from './records.js';
import type { SwarmHeard, TrackerFailure } from './types.js';

export const NOTHING_HEARD: SwarmHeard = { seeds: -1, leechers: -1, working: new Set(), failed: new Map() };

export function heardOf(tiers: readonly (readonly TrackerRecord[])[]): SwarmHeard {
  let best: TrackerRecord | null = null;
  let working: Set<string> | null = null;
  let failed: Map<string, TrackerFailure> | null = null;
  for (const tier of tiers) {
    for (const tracker of tier) {
      if (tracker.answered) (working ??= new Set()).add(tracker.endpoint.url);
      else if (tracker.error !== null) {
        const failure = { message: tracker.error, isRefusal: tracker.isRefused };
        (failed ??= new Map<string, TrackerFailure>()).set(tracker.endpoint.url, failure);
      }
      if (tracker.hasTold && (!best || peersOf(tracker) > peersOf(best))) best = tracker;
    }
  }
  if (!best && !working && !failed) return NOTHING_HEARD;
  return {
    seeds: best?.seeds ?? -1,
    leechers: best?.leechers ?? -1,
    working: working ?? NOTHING_HEARD.working,
    failed: failed ?? NOTHING_HEARD.failed,
  };
}

function peersOf({ seeds, leechers }: TrackerRecord): number {
  return seeds + leechers;
}
