// Sizes, rates and times as people read them, in the language of the page. Binary units, as the limits are in KB of 1,024
// bytes.
import { t } from '../strings/index.js';
import { inLanguage } from '../strings/locale.js';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
/** From here on it is less of the next unit: four digits are wider than what has room in a column. */
const LONGEST = 999.5;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
const YEAR_S = 365 * DAY_S;
/** The smallest last. */
const TIMES = [
  ['years', YEAR_S],
  ['days', DAY_S],
  ['hours', HOUR_S],
  ['minutes', MINUTE_S],
  ['seconds', 1],
] as const satisfies readonly (readonly [string, number])[];
type TimeUnit = (typeof TIMES)[number][0];

const WITHOUT_SECONDS = TIMES.slice(0, -1);
/** The length of `9m 59s`: more has no room in a narrow cell. */
const NARROW_CHARACTERS = 6;

/** By the number of digits behind the point. */
const decimals = inLanguage((locale) =>
  [0, 1, 2].map(
    (digits) => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  ),
);
const percents = inLanguage((locale) =>
  [0, 1].map(
    (digits) =>
      new Intl.NumberFormat(locale, {
        style: 'percent',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  ),
);

function decimal(value: number, digits: 0 | 1 | 2): string {
  return decimals()[digits]!.format(value);
}

/** A whole number. */
export function count(value: number): string {
  return decimal(value, 0);
}

export function bytes(size: number): string {
  let value = size;
  let unit = 0;
  while (value >= LONGEST && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${decimal(value, unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2)} ${UNITS[unit]}`;
}

/** '' for nothing: a column of zeros hides what moves. */
export function rate(bytesPerSecond: number): string {
  return bytesPerSecond === 0 ? '' : `${bytes(bytesPerSecond)}/s`;
}

/** Never 100% of what is not complete. */
export function percent(fraction: number): string {
  const tenths = Math.floor(fraction * 1000);
  return percents()[tenths === 1000 || tenths === 0 ? 0 : 1]!.format(tenths / 1000);
}

/** Rounded down, without decimals: of what moves quickly. */
export function wholePercent(fraction: number): string {
  return percents()[0]!.format(Math.floor(fraction * 100) / 100);
}

/**
 * Writes the two largest units, without the second when there is none of it, and without seconds from ten minutes on;
 * '∞' for never.
 */
export function duration(seconds: number): string {
  return timeParts(seconds, (unit, amount) => t(`format.${unit}`, { count: amount })).join(' ');
}

/** The same in the shortest words, for columns. */
export function shortDuration(seconds: number): string {
  return shortParts(seconds).join(' ');
}

/** The same where there is hardly room: the largest unit alone where both would not fit. */
export function narrowDuration(seconds: number): string {
  const parts = shortParts(seconds);
  const both = parts.join(' ');
  return both.length <= NARROW_CHARACTERS ? both : parts[0]!;
}

function shortParts(seconds: number): readonly string[] {
  return timeParts(seconds, (unit, amount) => t(`format.short.${unit}`, { count: amount }));
}

/** At least one. */
function timeParts(seconds: number, write: (unit: TimeUnit, amount: number) => string): readonly string[] {
  if (!Number.isFinite(seconds) || seconds > 100 * YEAR_S) return ['∞'];
  const whole = Math.round(seconds);
  const first = TIMES.findIndex(([, unitS]) => whole >= unitS);
  if (first === -1) return [write('seconds', 0)];
  let rest = whole;
  const known = whole < 10 * MINUTE_S ? TIMES : WITHOUT_SECONDS;
  return known.slice(first, first + 2).flatMap(([unit, unitS]) => {
    const amount = Math.floor(rest / unitS);
    rest %= unitS;
    return amount === 0 ? [] : [write(unit, amount)];
  });
}

export function ratio(value: number): string {
  return decimal(value, 2);
}

/** Rounded down: less than a whole copy never looks like one. `copies`: in thousandths at most. */
export function availability(copies: number): string {
  return decimal(Math.floor(Math.round(copies * 1000) / 10) / 100, 2);
}

const dateTimes = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }));
const dates = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));

/** Formats unix seconds; '' for 0. */
export function dateTime(unixS: number): string {
  return unixS === 0 ? '' : dateTimes().format(unixS * 1000);
}

const timesOfDay = inLanguage((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));
const daysAndTimes = inLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }),
);

/** Formats unix seconds as briefly as it can be said: of today the time alone, of another year the day. Nothing for 0. */
export function recentTime(unixS: number, nowMs: number): string {
  if (unixS === 0) return '';
  const [then, now] = [new Date(unixS * 1000), new Date(nowMs)];
  if (then.getFullYear() !== now.getFullYear()) return dates().format(then);
  const isToday = then.getMonth() === now.getMonth() && then.getDate() === now.getDate();
  return (isToday ? timesOfDay() : daysAndTimes()).format(then);
}

export function date(unixS: number): string {
  return unixS === 0 ? '' : dates().format(unixS * 1000);
}

/** Formats a day of the calendar such as `2026-12-01`: the same one in each time zone. */
export function calendarDay(isoDay: string): string {
  return dates().format(new Date(`${isoDay}T00:00`));
}

/** Text of strangers on one line: what would turn or break the line is shown as a mark. */
export function inert(text: string): string {
  return text.replace(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, '\ufffd');
}

/** Longer names take a note over. */
const SHORT_CHARACTERS = 60;

/** Writes a name of strangers within a sentence. */
export function shortened(name: string): string {
  const characters = [...inert(name)];
  if (characters.length <= SHORT_CHARACTERS) return characters.join('');
  return `${characters.slice(0, SHORT_CHARACTERS - 1).join('')}…`;
}
