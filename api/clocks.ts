// The clocks of the process, as services are given them.
import { systemClock, type Clock } from '../shared-protocol/clock.js';

export { sinceBootMs, systemClock, type Clock, type Timer } from '../shared-protocol/clock.js';

/** For spans: never set back. */
export const monotonicMs = (): number => systemClock.nowMs();

/** For points in time that are stored or shown. */
export const unixSeconds = (): number => unixSecondsOf(systemClock);

/** The same by a clock that is given. */
export function unixSecondsOf(clock: Pick<Clock, 'unixMs'>): number {
  return Math.floor(clock.unixMs() / 1_000);
}
