// The real clock, for integration tests: timers of sockets under test must pass for real.
import type { Clock } from '../../engine/ports.js';

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  unixMs: () => Date.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};
