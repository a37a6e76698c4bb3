// When a tracker is to be asked again, from how the last attempt went (BEP 3 `interval`, `min interval`). Pure:
// time comes in as an argument, chance as a generator.
import { SECOND_MS, type Random } from '../environment.js';
import {
  BACKOFF_BASE_MS,
  BACKOFF_FACTOR,
  BACKOFF_MAX_MS,
  INTERVAL_DEFAULT_MS,
  INTERVAL_MAX_MS,
  INTERVAL_MIN_MS,
  JITTER,
  MIN_INTERVAL_DEFAULT_MS,
} from './constants.js';

/** All times are monotonic milliseconds. */
export interface AnnounceTiming {
  /** Failures since the last success. */
  readonly fails: number;
  readonly dueMs: number;
  /** Before this a mere wish for more peers does not reach the tracker. */
  readonly earliestMs: number;
}

export type AttemptOutcome =
  | { readonly kind: 'answered'; readonly intervalSec: number | null; readonly minIntervalSec: number | null }
  | { readonly kind: 'failed' };

const clamp = (ms: number): number => Math.min(INTERVAL_MAX_MS, Math.max(INTERVAL_MIN_MS, ms));

/** A part in ±10 % of the delay. */
export function withJitter(delayMs: number, random: Random): number {
  const spread = Math.floor(delayMs * JITTER);
  return delayMs - spread + random.below(2 * spread + 1);
}

/** Delay after the given number of failures in a row, without jitter. */
export function backOffMs(fails: number): number {
  return Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS + BACKOFF_BASE_MS * fails * fails * BACKOFF_FACTOR);
}

export function nextAnnounce(fails: number, outcome: AttemptOutcome, nowMs: number, random: Random): AnnounceTiming {
  if (outcome.kind === 'failed') {
    const dueMs = nowMs + withJitter(backOffMs(fails + 1), random);
    return { fails: fails + 1, dueMs, earliestMs: dueMs };
  }
  const interval = outcome.intervalSec === null ? INTERVAL_DEFAULT_MS : clamp(outcome.intervalSec * SECOND_MS);
  const asked = outcome.minIntervalSec === null ? null : clamp(outcome.minIntervalSec * SECOND_MS);
  const minimum = asked ?? Math.min(interval, MIN_INTERVAL_DEFAULT_MS);
  // Jitter may come before the interval, which trackers tolerate, but never before what they call the minimum.
  const delay = Math.max(asked ?? 0, withJitter(Math.max(interval, asked ?? 0), random));
  return { fails: 0, dueMs: nowMs + delay, earliestMs: nowMs + minimum };
}
