// Days, windows and rules in words.
import type { RuleDto } from '../../../../../shared-protocol/dto/schedule.js';
import { t } from '../../strings/index.js';
import { inLanguage } from '../../strings/locale.js';
import { clockTime } from './codecs.js';
import { rateLimit } from './rate-control.jsx';
import { DAY_MIN, dayRuns } from './week-model.js';

const DAY_MS = DAY_MIN * 60_000;
/** 1970-01-04. */
const A_SUNDAY_MS = 3 * DAY_MS;
const ALL_DAYS = 127;

const names = (weekday: 'short' | 'long') =>
  inLanguage((locale) => {
    const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' });
    return [0, 1, 2, 3, 4, 5, 6].map((day) => format.format(A_SUNDAY_MS + day * DAY_MS));
  });
const short = names('short');
const long = names('long');

export const shortDay = (day: number): string => short()[day] ?? '';
export const longDay = (day: number): string => long()[day] ?? '';

export function daysText(mask: number): string {
  if (mask === ALL_DAYS) return t('settings.schedule.everyDay');
  if (mask === 0) return t('settings.schedule.noDay');
  return dayRuns(mask)
    .map(([first, last]) => (first === last ? shortDay(first) : `${shortDay(first)}–${shortDay(last)}`))
    .join(', ');
}

export function timesText({ start_min, end_min }: Pick<RuleDto, 'start_min' | 'end_min'>): string {
  if (start_min === end_min) {
    return start_min === 0
      ? t('settings.schedule.allDay')
      : t('settings.schedule.dayFrom', { start: clockTime(start_min) });
  }
  const times = `${clockTime(start_min)}–${clockTime(end_min)}`;
  return end_min < start_min && end_min !== 0 ? t('settings.schedule.overnight', { times }) : times;
}

export function limitsText({ alt_only, down_kbps, up_kbps }: RuleDto): string {
  if (alt_only) return t('settings.schedule.altLimits');
  return t('settings.schedule.ownLimits', { down: rateLimit(down_kbps), up: rateLimit(up_kbps) });
}
