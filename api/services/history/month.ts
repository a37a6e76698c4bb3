// Calendar months of UTC, whose days are those of the traffic history. Pure.
import { pointAt } from '../../../storage/traffic-history.js';

const SECOND_MS = 1_000;

export interface Month {
  /** Year and month, such as `2026-11`. */
  readonly name: string;
  /** The number of its first day. */
  readonly firstDay: number;
  /** The day on which the next one begins, such as `2026-12-01`. */
  readonly next: string;
}

/** Returns the month that a moment lies in. */
export function monthAt(unixMs: number): Month {
  const date = new Date(unixMs);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  return {
    name: new Date(first).toISOString().slice(0, 'yyyy-mm'.length),
    firstDay: pointAt('day', first / SECOND_MS),
    next: new Date(next).toISOString().slice(0, 'yyyy-mm-dd'.length),
  };
}
