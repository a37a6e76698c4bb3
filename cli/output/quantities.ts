// Sizes, rates and times as people read them at a terminal.
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
/** More is never: a download that is said to take a year takes longer. */
const LONGEST_S = 365 * DAY_S;

export function bytes(value: number): string {
  let [rest, unit] = [value, 0];
  while (rest >= 1024 && unit < UNITS.length - 1) [rest, unit] = [rest / 1024, unit + 1];
  return `${unit === 0 || rest >= 100 ? Math.round(rest) : rest.toFixed(1)} ${UNITS[unit]}`;
}

export function rate(bytesPerSec: number): string {
  return bytesPerSec === 0 ? '' : `${bytes(bytesPerSec)}/s`;
}

/** Never 100 % before all of it is there. */
export function percent(part: number): string {
  return part >= 1 ? '100%' : `${(Math.floor(part * 1000) / 10).toFixed(1)}%`;
}

export function ratio(value: number): string {
  return value.toFixed(2);
}

/** In two units; empty for what never ends. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds > LONGEST_S) return '';
  if (seconds < MINUTE_S) return `${Math.ceil(seconds)}s`;
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)}m ${Math.floor(seconds % MINUTE_S)}s`;
  if (seconds < DAY_S) return `${Math.floor(seconds / HOUR_S)}h ${Math.floor((seconds % HOUR_S) / MINUTE_S)}m`;
  return `${Math.floor(seconds / DAY_S)}d ${Math.floor((seconds % DAY_S) / HOUR_S)}h`;
}

/** A moment in the time of this machine; empty for none. */
export function moment(unixS: number | null): string {
  if (!unixS) return '';
  const at = new Date(unixS * 1_000);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
