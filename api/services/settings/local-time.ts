// What the clock on the wall of this machine shows, as text that others understand: ISO 8601 in whole seconds, with how
// far it is from UTC.

const MINUTE_MS = 60_000;

/** Returns the time as in `2026-03-29T03:00:00+02:00`. */
export function localIsoTime(unixMs: number): string {
  const aheadMin = -new Date(unixMs).getTimezoneOffset();
  const wall = new Date(unixMs + aheadMin * MINUTE_MS).toISOString().slice(0, -'.000Z'.length);
  const distance = Math.abs(aheadMin);
  return `${wall}${aheadMin < 0 ? '-' : '+'}${twoDigits(Math.floor(distance / 60))}:${twoDigits(distance % 60)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
