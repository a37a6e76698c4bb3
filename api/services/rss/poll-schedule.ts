// When a feed is polled next (docs/semantics.md section 9, section 13): its own interval with some chance in it, so
// that feeds made together part; ever more seldom while it cannot be got. Spans are in milliseconds, chance is in [0,
// 1).

import { DEFAULT_INTERVAL_MIN } from '../../../shared-protocol/feed-interval.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const MIN_INTERVAL_MIN = 5;
/** docs/semantics.md section 9. */
const JITTER = 0.1;
/** A feed that is polled more seldom by itself stays at that. No spec value. */
const MAX_BACK_OFF_MS = 6 * HOUR_MS;

/**
 * docs/semantics.md section 13: within 10 s. A program that makes a feed makes its filters in the next moment.
 */
export const NEW_FEED_MS = SECOND_MS;
/** After a change of filters: people change several in a row. */
export const FILTERS_CHANGED_MS = SECOND_MS;
/** Between the polls that changes of filters bring about. */
export const MIN_SPACING_MS = 10 * SECOND_MS;
/** When items were left because the engine was away or time was up. */
const UNFINISHED_MS = MINUTE_MS;

/** Feeds that are overdue at the start come within this; so much for each of them. */
const MIN_SPREAD_MS = 10 * SECOND_MS;
const SPREAD_MS_PER_FEED = SECOND_MS;
const MAX_SPREAD_MS = 10 * MINUTE_MS;

export function intervalMs(intervalMin: number): number {
  return Math.max(intervalMin === 0 ? DEFAULT_INTERVAL_MIN : intervalMin, MIN_INTERVAL_MIN) * MINUTE_MS;
}

/** From one poll to the next, after so many failures in a row. */
export function pauseMs(intervalMin: number, failures: number, chance: number): number {
  const interval = intervalMs(intervalMin);
  const backedOff = Math.min(interval * 2 ** failures, Math.max(interval, MAX_BACK_OFF_MS));
  const jittered = backedOff * (1 + JITTER * (2 * chance - 1));
  return Math.max(jittered, MIN_INTERVAL_MIN * MINUTE_MS);
}

/** After what was left to do was left so many times in a row; no more seldom than any other poll. */
export function unfinishedMs(intervalMin: number, times: number): number {
  return Math.min(UNFINISHED_MS * 2 ** (times - 1), intervalMs(intervalMin));
}

/** From the start of the service; `overdue` feeds share the time in which they are spread. */
export function firstPollMs(
  feed: { readonly intervalMin: number; readonly lastPolledMs: number },
  nowMs: number,
  overdue: number,
  chance: number,
): number {
  if (!isOverdue(feed, nowMs)) {
    // Never early; and a clock that was set back makes no feed wait for longer than usual.
    const elapsed = Math.max(0, nowMs - feed.lastPolledMs);
    return Math.max(pauseMs(feed.intervalMin, 0, chance), intervalMs(feed.intervalMin)) - elapsed;
  }
  return chance * Math.min(Math.max(MIN_SPREAD_MS, overdue * SPREAD_MS_PER_FEED), MAX_SPREAD_MS);
}

export function isOverdue(
  { intervalMin, lastPolledMs }: { readonly intervalMin: number; readonly lastPolledMs: number },
  nowMs: number,
): boolean {
  return nowMs - lastPolledMs >= intervalMs(intervalMin);
}

/** Unix seconds; an item that failed so many times is not tried again before. Some polls come early by the jitter. */
export function retryAt(nowSeconds: number, intervalMin: number, tries: number): number {
  const interval = intervalMs(intervalMin);
  const pause = Math.min(interval * (2 ** (tries - 1) - 1), Math.max(interval, MAX_BACK_OFF_MS));
  return nowSeconds + Math.floor((pause * (1 - JITTER)) / SECOND_MS);
}
