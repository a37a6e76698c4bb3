// Settings in words, for who imports. Pure.
import type { SeedingRuleForAllDto } from '../../../../shared-protocol/dto/seeding.js';
import type { AddingDefaultsDto, LimitsDto, QueueLimitsDto } from '../../../../shared-protocol/dto/settings.js';
import type { RuleDto } from '../../../../shared-protocol/dto/schedule.js';

export type Words<Values> = {
  readonly [Key in keyof Values]?: readonly [name: string, inWords: (value: Values[Key]) => string];
};

const speed = (kbps: number) => (kbps === 0 ? 'no limit' : `${kbps} KiB/s`);
const count = (most: number) => (most === 0 ? 'no limit' : String(most));
export const ratioInWords = (limit: number | null) => (limit === null ? 'no limit' : String(limit));
const minutes = (limit: number | null) => (limit === null ? 'no limit' : `${limit} min`);
const always = (limit = 0) => (limit === 0 ? 'always counted' : `${limit} min`);

export const LIMITS: Words<LimitsDto> = {
  down_kbps: ['speed limit down', speed],
  up_kbps: ['speed limit up', speed],
  alt_down_kbps: ['alternative speed limit down', speed],
  alt_up_kbps: ['alternative speed limit up', speed],
  alt_active: ['alternative speed limits in force', (isActive) => (isActive ? 'yes' : 'no')],
};
export const QUEUE: Words<QueueLimitsDto> = {
  max_active_downloads: ['downloads at a time', count],
  max_active_seeds: ['seeds at a time', count],
  stalled_minutes: ['time after which stalled torrents are not counted', always],
};
export const ADDING: Words<Pick<AddingDefaultsDto, 'excluded_file_names'>> = {
  excluded_file_names: ['file names that are excluded', (patterns) => patterns.join(', ') || 'none'],
};
export const SEEDING: Words<SeedingRuleForAllDto> = {
  ratio_limit: ['ratio limit', ratioInWords],
  time_min_limit: ['seeding time limit', minutes],
  inactive_min_limit: ['limit of seeding without activity', minutes],
};

/** Each that there is, with its name. */
export function wordsOf<Values extends object>(words: Words<Values>, values: Partial<Values>): string[] {
  return (Object.keys(values) as (keyof Values)[]).flatMap((key) => {
    const [name, inWords] = words[key] ?? [];
    return name && inWords ? [`${name} ${inWords(values[key]!)}`] : [];
  });
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export function windowInWords({
  days_mask,
  start_min,
  end_min,
}: Pick<RuleDto, 'days_mask' | 'start_min' | 'end_min'>): string {
  const days = DAYS.filter((_day, bit) => (days_mask & (1 << bit)) !== 0);
  const two = (number: number) => String(number).padStart(2, '0');
  const time = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
  return `${days.length === DAYS.length ? 'every day' : days.join(', ')}, ${time(start_min)} to ${time(end_min)}`;
}
