// How long is waited before what failed is tried again: ever longer, and with chance in it, so that fronts that have lost
// one database together do not come back together.
import type { Clock } from '../../shared-protocol/clock.js';

const FIRST_MS = 100;
/** A database that is back is noticed within this. No spec value. */
const LONGEST_MS = 10_000;

/** Chance as this module is given it. */
export interface Patience {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly chance: () => number;
}

/** The pause after so many failures in a row; `chance` is in [0, 1) and takes up to half of it. */
export function backOffMs(failures: number, chance: number): number {
  return Math.min(FIRST_MS * 2 ** failures, LONGEST_MS) * (1 - chance / 2);
}

export function pause({ clock, chance }: Patience, failures: number): Promise<void> {
  return new Promise((resolve) => void clock.after(backOffMs(failures, chance()), resolve));
}
