// Sizes, rates and times as people read them. Binary units, as the limits are in KB of 1,024 bytes.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
const YEAR_S = 365 * DAY_S;

export function bytes(count: number): string {
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

/** '' for nothing: a column of zeros hides what moves. */
export function rate(bytesPerSecond: number): string {
  return bytesPerSecond === 0 ? '' : `${bytes(bytesPerSecond)}/s`;
}

/** Never 100 % of what is not complete. */
export function percent(fraction: number): string {
  const shown = Math.floor(fraction * 1000) / 10;
  return shown === 100 || shown === 0 ? `${shown} %` : `${shown.toFixed(1)} %`;
}

/** The two largest units; '∞' for never. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds > 100 * YEAR_S) return '∞';
  const s = Math.round(seconds);
  if (s < MINUTE_S) return `${s} s`;
  if (s < HOUR_S) return `${Math.floor(s / MINUTE_S)} min ${s % MINUTE_S} s`;
  if (s < DAY_S) return `${Math.floor(s / HOUR_S)} h ${Math.floor((s % HOUR_S) / MINUTE_S)} min`;
  if (s < YEAR_S) return `${Math.floor(s / DAY_S)} d ${Math.floor((s % DAY_S) / HOUR_S)} h`;
  return `${Math.floor(s / YEAR_S)} y ${Math.floor((s % YEAR_S) / DAY_S)} d`;
}

export function ratio(value: number): string {
  return value.toFixed(2);
}

const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** Formats unix seconds; '' for 0. */
export function dateTime(unixS: number): string {
  return unixS === 0 ? '' : DATE_TIME.format(unixS * 1000);
}

export function date(unixS: number): string {
  return unixS === 0 ? '' : DATE.format(unixS * 1000);
}

/** Text of strangers on one line: what would turn or break the line is shown as a mark. */
export function inert(text: string): string {
  return text.replace(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, '\ufffd');
}
