// The ratio of all that was moved, as it was at the end of each day: the totals of now, less what was moved since. Pure.
import type { Day } from './periods.js';

export interface Totals {
  readonly down: number;
  readonly up: number;
}

/** null: nothing had been downloaded by then. `days` up to today, in order. */
export function ratiosOf(days: readonly Day[], now: Totals): readonly (number | null)[] {
  const ratios: (number | null)[] = [];
  let { down, up } = now;
  for (const day of days.toReversed()) {
    ratios.push(down > 0 ? Math.max(0, up) / down : null);
    down -= day.down;
    up -= day.up;
  }
  return ratios.reverse();
}
