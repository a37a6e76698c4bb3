// The spans of time that one can look at, and what the server is asked for in each. Pure.
import type { RatesDto } from '../../../../../shared-protocol/dto/rates.js';

export const PERIODS = ['hour', 'day', 'week', 'month', 'year'] as const;
export type Period = (typeof PERIODS)[number];

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
const WEEK_DAYS = 7;
const SECONDS: Readonly<Record<Period, number>> = {
  hour: 3_600,
  day: DAY_S,
  week: 7 * DAY_S,
  month: 30 * DAY_S,
  year: 365 * DAY_S,
};
/** Days that are shown of a shorter period: one bar says nothing. */
const LEAST_DAYS = 30;
/** Steps of a graph: two pixels each on a wide page. */
const POINTS = 600;

export function ratesPath(period: Period): string {
  return `/api/stats/rates?seconds=${SECONDS[period]}&points=${POINTS}`;
}

/** The range of what was moved within the period: by five minutes where they are kept, else by days. */
export function movedQuery(period: Period, nowS: number): string {
  const isShort = SECONDS[period] <= DAY_S;
  const from = isShort ? nowS - SECONDS[period] : (dayOf(nowS) - SECONDS[period] / DAY_S + 1) * DAY_S;
  return `resolution=${isShort ? '5min' : 'day'}&from=${from}`;
}

export function daysShown(period: Period): number {
  return period === 'week' ? 7 : Math.max(LEAST_DAYS, SECONDS[period] / DAY_S);
}

export function dayOf(unixS: number): number {
  return Math.floor(unixS / DAY_S);
}

export interface Day {
  /** Unix seconds. */
  readonly at: number;
  readonly down: number;
  readonly up: number;
}

/** A bar for each day up to today, those included on which nothing was moved. */
export function everyDay(points: readonly Day[], count: number, nowS: number): readonly Day[] {
  const known = new Map(points.map((point) => [dayOf(point.at), point]));
  const first = dayOf(nowS) - count + 1;
  return Array.from({ length: count }, (_, index) => {
    return known.get(first + index) ?? { at: (first + index) * DAY_S, down: 0, up: 0 };
  });
}

/** Days of the last week of which it is known how fast it went. */
export function daysKnown({ down, from, step }: RatesDto, nowS: number): number {
  const first = down.findIndex((each) => each !== null);
  return first < 0 ? 0 : Math.min(WEEK_DAYS, (nowS - (from + first * step)) / DAY_S);
}

/** Bytes a day; null: less than a day is known, from which nothing follows. */
export function paceOf(bytesOfWeek: number, knownDays: number): number | null {
  return knownDays < 1 ? null : bytesOfWeek / knownDays;
}

/** Whole days until a disk is full at the pace; null: it does not fill, as far as is known. */
export function daysUntilFull(freeBytes: number, pace: number | null): number | null {
  return pace === null || pace <= 0 ? null : Math.floor(freeBytes / pace);
}

/** The length of a step in the largest unit of which it is a multiple. */
export function stepOf(seconds: number): { readonly unit: 'seconds' | 'minutes' | 'hours'; readonly count: number } {
  if (seconds % HOUR_S === 0) return { unit: 'hours', count: seconds / HOUR_S };
  if (seconds % MINUTE_S === 0) return { unit: 'minutes', count: seconds / MINUTE_S };
  return { unit: 'seconds', count: seconds };
}
