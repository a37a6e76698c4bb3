// Who has a seed's regular slots next: in turns among all that take about as fast as the fastest, because a seed serves
// the swarm best when many peers get something; who is much slower is left to the optimistic slots. As in libtorrent's
// round robin, a turn has a least length; unlike there, speed decides who takes part.
import { isInOptimisticTurn, waitingSinceMs } from './candidate-times.js';
import { COMPARABLE_RATE } from './constants.js';
import type { ChokeCandidate, ChokerOptions } from './types.js';

/** The standing of a taker at the moment: the less, the sooner it gets a slot. */
const IN_TURN = 0;
const ON_TRIAL = 1;
const WAITING = 2;
const SERVED = 3;
const SLOW = 4;

/** Seeding candidates that are interested, best first; `places`: regular slots that they can hope for. */
export function rankByTurns(
  takers: readonly ChokeCandidate[],
  places: number,
  nowMs: number,
  turnMs: number,
  options: ChokerOptions,
): ChokeCandidate[] {
  const leastRate = COMPARABLE_RATE * nthFastest(takers, places);
  const standings = takers.map((taker) => {
    const rate = provenRate(taker);
    const sinceMs = taker.choked ? waitingSinceMs(taker) : (taker.unchokedAtMs ?? -Infinity);
    const takesPart = rate === null || rate > leastRate;
    return { taker, rate: rate ?? 0, sinceMs, standing: takesPart ? standingOf(taker, nowMs, turnMs, options) : SLOW };
  });
  return standings
    .sort((a, b) => {
      if (a.standing !== b.standing) return a.standing - b.standing;
      if (a.standing === SLOW) return b.rate - a.rate || Number(a.taker.choked) - Number(b.taker.choked);
      // Who waits longest is next; who was served longest makes room first.
      const order = a.standing === WAITING ? a.sinceMs - b.sinceMs : b.sinceMs - a.sinceMs;
      return order || a.taker.id - b.taker.id;
    })
    .filter(({ standing, rate }) => standing !== SLOW || rate > 0)
    .map(({ taker }) => taker);
}

function standingOf(taker: ChokeCandidate, nowMs: number, turnMs: number, options: ChokerOptions): number {
  if (taker.choked) return WAITING;
  if (isInOptimisticTurn(taker, nowMs, options.optimisticIntervalMs)) return ON_TRIAL;
  return nowMs - (taker.unchokedAtMs ?? -Infinity) < turnMs ? IN_TURN : SERVED;
}

/** Null: it has not had a slot long enough to tell. */
function provenRate(taker: ChokeCandidate): number | null {
  return taker.provenRate ?? null;
}

function nthFastest(takers: readonly ChokeCandidate[], n: number): number {
  const rates = takers.flatMap((taker) => provenRate(taker) ?? []);
  return rates.sort((a, b) => b - a)[n - 1] ?? 0;
}
