// What `settings.json` of Transmission says of limits, schedule, queue, seeding and the blocklist; names are with hyphens in it, or
// with underscores from version 4.1 on. Speeds are in kB/s of 1,000 bytes. What is switched off is as if it were not there. Pure.
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { NO_SETTINGS, type ForeignSettings, type ForeignWindow, type LeftOut } from '../foreign-settings.js';
import type { JsonObject } from '../json-file.js';
import { leftOutOf, shortened, withoutAbsent } from '../settings-values.js';

const KB = 1_000;
const KIB = 1_024;
/** The address in a new file, where no list is. */
const NO_LIST = /^https?:\/\/www\.example\.com\//;
const LAST_MINUTE = 1_439;
const ALL_DAYS = 0b1111111;

export function transmissionSettings(written: JsonObject): ForeignSettings {
  const settings = new Map(Object.entries(written).map(([name, value]) => [name.replaceAll('_', '-'), value]));
  const leftOut: LeftOut[] = [];
  const isOn = (key: string) => settings.get(key) === true;
  const number = (key: string) => {
    const value = settings.get(key);
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const orNone = (key: string, name: Remark) => {
    const value = number(key);
    if (value === 0) leftOut.push({ name, reason: remark('NONE_AT_ALL') });
    return value || undefined;
  };
  const speed = (key: string, name: Remark) => {
    const value = orNone(key, name);
    return value && Math.max(1, Math.floor((value * KB) / KIB));
  };
  const where = (key: string, value: () => number | undefined) => (isOn(key) ? value() : undefined);
  const isScheduled = isOn('alt-speed-time-enabled');
  const isWanted = isOn('alt-speed-enabled') || isScheduled;
  // One without the other would be no limit, and not none at all.
  const usesAlternative = isWanted && number('alt-speed-down') !== 0 && number('alt-speed-up') !== 0;
  if (isWanted && !usesAlternative) leftOut.push({ name: remark('ALT_SPEEDS'), reason: remark('ONE_NONE_AT_ALL') });
  const url = settings.get('blocklist-url');
  leftOut.push(...notSaid(settings));
  return {
    ...NO_SETTINGS,
    limits: withoutAbsent({
      down_kbps: where('speed-limit-down-enabled', () => speed('speed-limit-down', remark('SPEED_DOWN'))),
      up_kbps: where('speed-limit-up-enabled', () => speed('speed-limit-up', remark('SPEED_UP'))),
      alt_down_kbps: usesAlternative ? speed('alt-speed-down', remark('ALT_SPEED_DOWN')) : undefined,
      alt_up_kbps: usesAlternative ? speed('alt-speed-up', remark('ALT_SPEED_UP')) : undefined,
      alt_active: usesAlternative && !isScheduled ? true : undefined,
    }),
    queue: withoutAbsent({
      max_active_downloads: where('download-queue-enabled', () =>
        orNone('download-queue-size', remark('DOWNLOADS_AT_A_TIME')),
      ),
      max_active_seeds: where('seed-queue-enabled', () => orNone('seed-queue-size', remark('SEEDS_AT_A_TIME'))),
      stalled_minutes: where('queue-stalled-enabled', () => number('queue-stalled-minutes')),
    }),
    seeding: withoutAbsent({
      ratio_limit: where('ratio-limit-enabled', () => number('ratio-limit')),
      inactive_min_limit: where('idle-seeding-limit-enabled', () => number('idle-seeding-limit')),
    }),
    schedule: isScheduled && usesAlternative ? scheduleOf(number, leftOut) : [],
    blocklistUrl: isOn('blocklist-enabled') && typeof url === 'string' && !NO_LIST.test(url) ? url : '',
    leftOut,
  };
}

/** Days are bits from Sunday on, windows those of the day on which they begin, and a day where they begin when they end, as here. */
function scheduleOf(number: (key: string) => number | undefined, leftOut: LeftOut[]): ForeignWindow[] {
  const [start, end] = [number('alt-speed-time-begin'), number('alt-speed-time-end')];
  const days = number('alt-speed-time-day');
  const isMinute = (value: number | undefined) => Number.isInteger(value) && value! <= LAST_MINUTE;
  const isMask = Number.isInteger(days) && days! > 0 && days! <= ALL_DAYS;
  if (isMinute(start) && isMinute(end) && isMask) return [{ days_mask: days!, start_min: start!, end_min: end! }];
  leftOut.push({ name: remark('SCHEDULE'), reason: remark('TIMES_UNREADABLE') });
  return [];
}

const SCRIPTS = ['added', 'done', 'done-seeding'];

function notSaid(settings: ReadonlyMap<string, unknown>): LeftOut[] {
  const isOn = (key: string) => settings.get(key) === true;
  const text = (key: string) => shortened(settings.get(key)).trim();
  return leftOutOf([
    [isOn('watch-dir-enabled'), remark('WATCH_FOLDER', { folder: text('watch-dir') }), remark('FOLDER_BY_HAND')],
    [
      isOn('incomplete-dir-enabled'),
      remark('INCOMPLETE_FOLDER', { folder: text('incomplete-dir') }),
      remark('BY_HAND_KEPT'),
    ],
    ...SCRIPTS.map(
      (event) =>
        [isOn(`script-torrent-${event}-enabled`), remark('PROGRAM_AT', { event }), remark('NO_PROGRAM')] as const,
    ),
    [text('default-trackers') !== '', remark('TRACKERS_OF_ALL'), remark('TRACKERS_EACH')],
  ]);
}
