// The two clocks of the process, as services are given them.

/** For spans: never set back. */
export function monotonicMs(): number {
  return performance.now();
}

/** For points in time that are stored or shown. */
export function unixSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
