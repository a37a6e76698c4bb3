// Settings as remarks, for who imports. Pure.
import type { SeedingRuleForAllDto } from '../../../../shared-protocol/dto/seeding.js';
import type { AddingDefaultsDto, LimitsDto, QueueLimitsDto } from '../../../../shared-protocol/dto/settings.js';
import type { RuleDto } from '../../../../shared-protocol/dto/schedule.js';
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';

export type Words<Values> = {
  readonly [Key in keyof Values]?: readonly [name: Remark, inWords: (value: Values[Key]) => Remark];
};

const NO_LIMIT = remark('NO_LIMIT');
const plain = (value: number | string) => remark('TEXT', { text: value });
const speed = (kbps: number) => (kbps === 0 ? NO_LIMIT : remark('SPEED', { kbps }));
const count = (most: number) => (most === 0 ? NO_LIMIT : plain(most));
export const ratioInWords = (limit: number | null) => (limit === null ? NO_LIMIT : plain(limit));
const minutes = (limit: number | null) => (limit === null ? NO_LIMIT : remark('MINUTES', { minutes: limit }));
const always = (limit = 0) => (limit === 0 ? remark('ALWAYS_COUNTED') : remark('MINUTES', { minutes: limit }));

export const LIMITS: Words<LimitsDto> = {
  down_kbps: [remark('SPEED_DOWN'), speed],
  up_kbps: [remark('SPEED_UP'), speed],
  alt_down_kbps: [remark('ALT_SPEED_DOWN'), speed],
  alt_up_kbps: [remark('ALT_SPEED_UP'), speed],
  alt_active: [remark('ALT_SPEEDS_IN_FORCE'), (isActive) => remark(isActive ? 'YES' : 'NO')],
};
export const QUEUE: Words<QueueLimitsDto> = {
  max_active_downloads: [remark('DOWNLOADS_AT_A_TIME'), count],
  max_active_seeds: [remark('SEEDS_AT_A_TIME'), count],
  stalled_minutes: [remark('STALLED_AFTER'), always],
};
export const ADDING: Words<Pick<AddingDefaultsDto, 'excluded_file_names'>> = {
  excluded_file_names: [
    remark('EXCLUDED_NAMES'),
    (patterns) => (patterns.length === 0 ? remark('NONE') : plain(patterns.join(', '))),
  ],
};
export const SEEDING: Words<SeedingRuleForAllDto> = {
  ratio_limit: [remark('RATIO_LIMIT'), ratioInWords],
  time_min_limit: [remark('SEEDING_TIME_LIMIT'), minutes],
  inactive_min_limit: [remark('INACTIVE_LIMIT'), minutes],
};

/** Each that there is, with its name. */
export function wordsOf<Values extends object>(words: Words<Values>, values: Partial<Values>): Remark[] {
  return (Object.keys(values) as (keyof Values)[]).flatMap((key) => {
    const [setting, inWords] = words[key] ?? [];
    return setting && inWords ? [remark('WITH_VALUE', { setting, value: inWords(values[key]!) })] : [];
  });
}

/** By the bit of the day. */
const DAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'] as const;

export function windowInWords({
  days_mask,
  start_min,
  end_min,
}: Pick<RuleDto, 'days_mask' | 'start_min' | 'end_min'>): Remark {
  const days = DAYS.filter((_day, bit) => (days_mask & (1 << bit)) !== 0);
  const two = (number: number) => String(number).padStart(2, '0');
  const time = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
  return remark('WINDOW', {
    days: days.length === DAYS.length ? remark('EVERY_DAY') : days.map((day) => remark(day)),
    ...{ start: time(start_min), end: time(end_min) },
  });
}
