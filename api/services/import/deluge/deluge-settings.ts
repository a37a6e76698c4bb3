// What `core.conf` of Deluge says of limits, queue and seeding, and `blocklist.conf` of its plugin. Speeds are in KiB/s; -1 is no
// limit, and so is 0 of a speed. Pure.
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { NO_SETTINGS, type ForeignSettings, type LeftOut } from '../foreign-settings.js';
import type { JsonObject } from '../json-file.js';
import { leftOutOf, shortened, withoutAbsent } from '../settings-values.js';
import type { DelugeConfig } from './deluge-config.js';
import { labelSettings } from './deluge-labels.js';
import { delugeSchedule } from './deluge-schedule.js';
import { membersOf, positive, speedIn } from './deluge-values.js';
import { yarssFeeds } from './yarss.js';

/** A torrent is slow there after a minute in which it moved next to nothing (libtorrent's `inactive_*_rate`). */
const SLOW_AFTER_MIN = 1;

export function delugeSettings({ core, label, blocklist, scheduler, yarss }: DelugeConfig): ForeignSettings {
  const leftOut: LeftOut[] = [];
  const seeding = seedingOf(core, leftOut);
  const queue = queueOf(core, leftOut);
  leftOut.push(...notSaid(core));
  const schedule = delugeSchedule(scheduler, core);
  const labels = labelSettings(label, seeding.ratio_limit !== undefined);
  const { feeds, filters, leftOut: rules } = yarssFeeds(yarss, core);
  const url = blocklist['url'];
  return {
    ...NO_SETTINGS,
    limits: { ...speedsOf(core), ...schedule.limits },
    queue,
    seeding,
    categorySeeding: labels.categorySeeding,
    schedule: schedule.windows,
    blocklistUrl: typeof url === 'string' ? url : '',
    feeds,
    filters,
    leftOut: [...leftOut, ...schedule.leftOut, ...labels.leftOut, ...rules],
  };
}

function speedsOf(core: JsonObject): ForeignSettings['limits'] {
  return withoutAbsent({
    down_kbps: speedIn(core, 'max_download_speed'),
    up_kbps: speedIn(core, 'max_upload_speed'),
  });
}

function queueOf(core: JsonObject, leftOut: LeftOut[]): ForeignSettings['queue'] {
  const count = (key: string, name: Remark) => {
    if (core[key] === 0) leftOut.push({ name, reason: remark('NONE_AT_ALL') });
    return Number.isSafeInteger(core[key]) ? positive(core, key) : undefined;
  };
  const queue = withoutAbsent({
    max_active_downloads: count('max_active_downloading', remark('DOWNLOADS_AT_A_TIME')),
    max_active_seeds: count('max_active_seeding', remark('SEEDS_AT_A_TIME')),
    stalled_minutes: core['dont_count_slow_torrents'] === true ? SLOW_AFTER_MIN : undefined,
  });
  const most = positive(core, 'max_active_limit');
  if (most) leftOut.push({ name: remark('MOST_RUNNING', { most }), reason: remark('COUNTED_APART') });
  return queue;
}

/** A ratio that new torrents are given there; each of those that are there has its own. */
function seedingOf(core: JsonObject, leftOut: LeftOut[]): ForeignSettings['seeding'] {
  const ratio = core['stop_seed_ratio'];
  if (core['stop_seed_at_ratio'] !== true || typeof ratio !== 'number' || ratio < 0) return {};
  if (core['remove_seed_at_ratio'] !== true) return { ratio_limit: ratio };
  leftOut.push({ name: remark('SEEDING_LIMITS'), reason: remark('REMOVED_AT_LIMITS') });
  return {};
}

function notSaid(core: JsonObject): LeftOut[] {
  const ofEach = ['max_download_speed_per_torrent', 'max_upload_speed_per_torrent'];
  const { move_completed: moves, move_completed_path: path } = core;
  const { type, hostname } = membersOf(core['proxy']);
  return leftOutOf([
    [ofEach.some((key) => speedIn(core, key) !== undefined), remark('NEW_TORRENT_SPEEDS'), remark('LIMITS_EACH')],
    [
      moves === true && typeof path === 'string' && path !== '',
      remark('MOVED_WHEN_COMPLETE', { path: shortened(path) }),
      remark('SAVED_AS_HERE'),
    ],
    [
      typeof type === 'number' && type > 0 && typeof hostname === 'string' && hostname !== '',
      remark('PROXY_AT', { host: shortened(hostname) }),
      remark('BY_HAND_PASSWORD'),
    ],
  ]);
}
