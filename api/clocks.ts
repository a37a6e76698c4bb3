// The clocks of the process, as services are given them.
import { systemClock } from '../shared-protocol/clock.js';

export { systemClock, type Clock, type Timer } from '../shared-protocol/clock.js';

/** For spans: never set back. */
export const monotonicMs = (): number => systemClock.nowMs();

/** For points in time that are stored or shown. */
export const unixSeconds = (): number => Math.floor(systemClock.unixMs() / 1_000);
