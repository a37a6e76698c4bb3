// Hours of the week in which something holds, as windows: for schedulers that have a table of 24 hours by 7 days. Pure.
import type { ForeignWindow } from './foreign-settings.js';

const [HOURS, DAYS, HOUR_MIN] = [24, 7, 60];

/** `grid`: hours of each day, Monday first. A window for hours that follow one another, with all days that have the same. */
export function hourlyWindows(
  grid: readonly (readonly number[])[],
  holds: (state: number | undefined) => boolean,
): ForeignWindow[] {
  const found = new Map<string, ForeignWindow>();
  grid.forEach((hours, day) => {
    hours.forEach((state, start) => {
      if (!holds(state) || (start > 0 && holds(hours[start - 1]))) return;
      const length = hours.slice(start).findIndex((each) => !holds(each));
      const end = length < 0 ? HOURS : start + length;
      const key = `${start} ${end}`;
      // Bit 0 is Sunday.
      const days_mask = (found.get(key)?.days_mask ?? 0) | (1 << ((day + 1) % DAYS));
      // What ends with the day ends at its last minute's end: at 0 of the next, or when it began.
      found.set(key, { days_mask, start_min: start * HOUR_MIN, end_min: (end % HOURS) * HOUR_MIN });
    });
  });
  return [...found.values()];
}
