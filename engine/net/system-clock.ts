// The real clock and chance; simulation brings its own.
import { randomBytes, randomInt } from 'node:crypto';
import type { Clock, Random } from '../ports.js';

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  unixMs: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Below this `Math.random` is exact enough, and thirty times as fast as the cryptographic generator. */
const FAST_BOUND = 2 ** 32;

export const systemRandom: Random = {
  below: (bound) => (bound <= FAST_BOUND ? Math.floor(Math.random() * bound) : randomInt(bound)),
  bytes: (length) => new Uint8Array(randomBytes(length)),
};
