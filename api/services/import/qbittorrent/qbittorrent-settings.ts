// What `qBittorrent.conf` says of limits, schedule, queue, seeding, files that are excluded and the IP filter. Only what was set there is in the file. Pure.
import { excludedNamesSchema } from '../../../../shared-protocol/dto/fields.js';
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import type { IniValues } from '../ini-file.js';
import { NO_SETTINGS, type ForeignLimits, type ForeignSettings, type LeftOut } from '../foreign-settings.js';
import { shortened, withoutAbsent } from '../settings-values.js';
import { scheduleOf } from './scheduler.js';

const FIELD = 'BitTorrent/Session\\';
/** KiB/s that the alternative limits have where nothing was set. */
const ALTERNATIVE_DEFAULT = '10';
/** How many run at a time where nothing was set. */
const ACTIVE_DEFAULT = '3';
/** Seconds. */
const INACTIVE_DEFAULT_S = 60;

/** All but feeds and rules. */
export function qbittorrentSettings(ini: IniValues): ForeignSettings {
  const leftOut: LeftOut[] = [];
  const schedule = scheduleOf(ini, leftOut);
  leftOut.push(...notSaid(ini));
  return {
    ...NO_SETTINGS,
    limits: limitsOf(ini),
    queue: queueOf(ini, leftOut),
    seeding: seedingOf(ini, leftOut),
    schedule: schedule ? [schedule] : [],
    excludedNames: excludedNamesOf(ini, leftOut),
    leftOut,
  };
}

function limitsOf(ini: IniValues): ForeignLimits {
  const isScheduled = isOn(ini, 'BandwidthSchedulerEnabled');
  const isActive = isOn(ini, 'UseAlternativeGlobalSpeedLimit');
  const speed = (key: string) => limitIn(ini.get(FIELD + key)) || undefined;
  // Where they are used, that there is none counts as well.
  const alternative = (key: string) =>
    isScheduled || isActive ? limitIn(ini.get(FIELD + key) ?? ALTERNATIVE_DEFAULT) : speed(key);
  return withoutAbsent({
    down_kbps: speed('GlobalDLSpeedLimit'),
    up_kbps: speed('GlobalUPSpeedLimit'),
    alt_down_kbps: alternative('AlternativeGlobalDLSpeedLimit'),
    alt_up_kbps: alternative('AlternativeGlobalUPSpeedLimit'),
    // With a schedule it says what the clock made of it.
    alt_active: isActive && !isScheduled ? true : undefined,
  });
}

function queueOf(ini: IniValues, leftOut: LeftOut[]): ForeignSettings['queue'] {
  if (!isOn(ini, 'QueueingSystemEnabled')) return {};
  const most = Number(ini.get(`${FIELD}MaxActiveTorrents`) ?? Number.NaN);
  if (most > 0) leftOut.push({ name: remark('MOST_RUNNING', { most }), reason: remark('COUNTED_APART') });
  const count = (key: string, name: Remark) => {
    const value = Number(ini.get(FIELD + key) ?? ACTIVE_DEFAULT);
    if (value === 0) leftOut.push({ name, reason: remark('NONE_AT_ALL') });
    return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  };
  return withoutAbsent({
    max_active_downloads: count('MaxActiveDownloads', remark('DOWNLOADS_AT_A_TIME')),
    max_active_seeds: count('MaxActiveUploads', remark('SEEDS_AT_A_TIME')),
    stalled_minutes: stalledMinutesOf(ini),
  });
}

/** Slow is there what is below a rate, here what moves nothing. */
function stalledMinutesOf(ini: IniValues): number | undefined {
  if (!isOn(ini, 'IgnoreSlowTorrentsForQueueing')) return undefined;
  const seconds = Number(ini.get(`${FIELD}SlowTorrentsInactivityTimer`) ?? INACTIVE_DEFAULT_S);
  return seconds > 0 ? Math.ceil(seconds / 60) : undefined;
}

function seedingOf(ini: IniValues, leftOut: LeftOut[]): ForeignSettings['seeding'] {
  const number = (key: string) => {
    const value = Number(ini.get(FIELD + key) ?? Number.NaN);
    return Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const seeding = withoutAbsent({
    ratio_limit: number('GlobalMaxRatio'),
    time_min_limit: number('GlobalMaxSeedingMinutes'),
    inactive_min_limit: number('GlobalMaxInactiveSeedingMinutes'),
  });
  const action = ini.get(`${FIELD}ShareLimitAction`) ?? ini.get('BitTorrent/MaxRatioAction') ?? '0';
  const isPausing = ['0', 'Pause', 'Stop', 'Default'].includes(action);
  if (isPausing || Object.keys(seeding).length === 0) return seeding;
  leftOut.push({ name: remark('SEEDING_LIMITS'), reason: remark('REMOVED_AT_LIMITS') });
  return {};
}

/** There a pattern may name a range of characters. */
function excludedNamesOf(ini: IniValues, leftOut: LeftOut[]): readonly string[] {
  // Some versions say that they are on beside the session's fields.
  const isOnAtAll = isOn(ini, 'ExcludedFileNamesEnabled') || ini.get('BitTorrent/ExcludedFileNamesEnabled') === 'true';
  if (!isOnAtAll) return [];
  return ini.list(`${FIELD}ExcludedFileNames`).filter((pattern) => {
    const isPattern = !/[[\]]/.test(pattern) && excludedNamesSchema.safeParse([pattern]).success;
    if (!isPattern)
      leftOut.push({ name: remark('EXCLUDED_NAME', { pattern: shortened(pattern) }), reason: remark('NO_PATTERN') });
    return isPattern;
  });
}

function notSaid(ini: IniValues): LeftOut[] {
  const filter = ini.get(`${FIELD}IPFilter`) ?? '';
  const banned = (ini.get('State/BannedIPs') ?? '').split(',').filter((address) => address.trim() !== '');
  return [
    ...(isOn(ini, 'IPFilteringEnabled') && filter !== ''
      ? [{ name: remark('IP_FILTER', { file: filter }), reason: remark('BLOCKLIST_FILE') }]
      : []),
    ...(banned.length > 0
      ? [{ name: remark('BANNED_ADDRESSES', { count: banned.length }), reason: remark('BANNED_BY_HAND') }]
      : []),
  ];
}

function isOn(ini: IniValues, key: string): boolean {
  return ini.get(FIELD + key) === 'true';
}

/** KiB/s; 0: no limit. Absent: none was set. */
function limitIn(text: string | undefined): number | undefined {
  const limit = Number(text ?? Number.NaN);
  return Number.isSafeInteger(limit) ? Math.max(0, limit) : undefined;
}
