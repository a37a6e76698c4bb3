// The spans of time that one can look at, and what the server is asked for in each. Pure.
export const PERIODS = ['hour', 'day', 'week', 'month', 'year'] as const;
export type Period = (typeof PERIODS)[number];

const DAY_S = 86_400;
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

/** Whole days until a disk is full at the pace of the last week; null: it does not fill. */
export function daysUntilFull(freeBytes: number, bytesOfWeek: number): number | null {
  return bytesOfWeek <= 0 ? null : Math.floor(freeBytes / (bytesOfWeek / 7));
}
