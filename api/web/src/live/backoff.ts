// How long to wait before the next attempt to connect (docs/api.md: exponential, capped at about 30 seconds). With
// chance, so that the browsers of a daemon that restarts do not all come back at the same moment.

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** `failures` in a row, from 1; `chance` in [0, 1). */
export function retryDelayMs(failures: number, chance: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
  return full * (0.5 + chance / 2);
}
