// In which hours of the week most is moved: means of all weeks that are looked at, in the hours of the browser's clock. Pure.
import type { RatesDto } from '../../../../../shared-protocol/dto/rates.js';

export const DAYS = 7;
export const HOURS = 24;
/** Shades of a cell; 0: nothing was moved. */
export const LEVELS = 5;
const WEEKS = 4;
/** Steps of twenty minutes: a time zone may be off by half an hour. */
const POINTS = WEEKS * DAYS * HOURS * 3;

export const WEEK_PATH = `/api/stats/rates?seconds=${WEEKS * DAYS * 86_400}&points=${POINTS}`;

export interface Hour {
  /** 0 is Sunday, as `Date.getDay` has it. */
  readonly day: number;
  readonly hour: number;
  /** Bytes per second; null: nothing is known of the hour. */
  readonly rate: number | null;
}

/** The hours of a week by day and hour, Sunday first. */
export function hoursOfWeek(rates: RatesDto, of: 'down' | 'up'): readonly Hour[] {
  const sums = Array.from({ length: DAYS * HOURS }, () => ({ rate: 0, count: 0 }));
  rates[of].forEach((rate, index) => {
    if (rate === null) return;
    const at = new Date((rates.from + (index + 0.5) * rates.step) * 1000);
    const sum = sums[at.getDay() * HOURS + at.getHours()]!;
    sum.rate += rate;
    sum.count++;
  });
  return sums.map(({ rate, count }, place) => ({
    day: Math.floor(place / HOURS),
    hour: place % HOURS,
    rate: count === 0 ? null : Math.round(rate / count),
  }));
}

/** The hour in which most was moved; null: nothing was. */
export function busiest(hours: readonly Hour[]): Hour | null {
  let most: Hour | null = null;
  for (const hour of hours) if ((hour.rate ?? 0) > (most?.rate ?? 0)) most = hour;
  return most;
}

/** By the root, so that quiet hours are told from silent ones beside one that is far busier. */
export function levelOf(rate: number | null, mostRate: number): number {
  return rate === null || rate === 0 ? 0 : Math.max(1, Math.ceil(LEVELS * Math.sqrt(rate / mostRate)));
}
