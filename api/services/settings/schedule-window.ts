// When a schedule rule holds (docs/semantics.md section 8). The day bit names the day on which a window starts: from
// Friday 22:00 to 06:00 with only Friday's bit covers Saturday until 06:00. The end is not part of the window; a window
// that ends where it starts lasts 24 hours. Wall clock of this machine: an hour that comes twice counts twice.
import type { RuleDto } from '../../../shared-protocol/dto/schedule.js';

const DAY_MIN = 24 * 60;
const WEEK_DAYS = 7;

export interface WeekMinute {
  /** 0 is Sunday. */
  readonly day: number;
  /** Since midnight. */
  readonly minute: number;
}

export type RuleWindow = Pick<RuleDto, 'days_mask' | 'start_min' | 'end_min'>;

/** Returns what the clock on the wall shows at a unix time. */
export function weekMinuteAt(unixMs: number): WeekMinute {
  const local = new Date(unixMs);
  return { day: local.getDay(), minute: local.getHours() * 60 + local.getMinutes() };
}

export function isWithin({ days_mask, start_min, end_min }: RuleWindow, { day, minute }: WeekMinute): boolean {
  const startsOn = (weekday: number) => (days_mask & (1 << weekday)) !== 0;
  const end = end_min > start_min ? end_min : end_min + DAY_MIN;
  if (startsOn(day) && minute >= start_min && minute < end) return true;
  const yesterday = (day + WEEK_DAYS - 1) % WEEK_DAYS;
  return startsOn(yesterday) && minute + DAY_MIN < end;
}
