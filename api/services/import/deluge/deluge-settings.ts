// What `core.conf` of Deluge says of limits, queue and seeding, and `blocklist.conf` of its plugin. Speeds are in KiB/s; -1 is no
// limit, and so is 0 of a speed. Pure.
import { NO_SETTINGS, type ForeignSettings, type LeftOut } from '../foreign-settings.js';
import type { JsonObject } from '../json-file.js';
import { REASONS, shortened, withoutAbsent } from '../settings-values.js';
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
  const count = (key: string, name: string) => {
    if (core[key] === 0) leftOut.push({ name, reason: REASONS.noneAtAll });
    return Number.isSafeInteger(core[key]) ? positive(core, key) : undefined;
  };
  const queue = withoutAbsent({
    max_active_downloads: count('max_active_downloading', 'downloads at a time'),
    max_active_seeds: count('max_active_seeding', 'seeds at a time'),
    stalled_minutes: core['dont_count_slow_torrents'] === true ? SLOW_AFTER_MIN : undefined,
  });
  const most = positive(core, 'max_active_limit');
  if (most) leftOut.push({ name: `at most ${most} torrents running`, reason: REASONS.sum });
  return queue;
}

/** A ratio that new torrents are given there; each of those that are there has its own. */
function seedingOf(core: JsonObject, leftOut: LeftOut[]): ForeignSettings['seeding'] {
  const ratio = core['stop_seed_ratio'];
  if (core['stop_seed_at_ratio'] !== true || typeof ratio !== 'number' || ratio < 0) return {};
  if (core['remove_seed_at_ratio'] !== true) return { ratio_limit: ratio };
  leftOut.push({ name: 'seeding limits', reason: REASONS.removed });
  return {};
}

function notSaid(core: JsonObject): LeftOut[] {
  const ofEach = ['max_download_speed_per_torrent', 'max_upload_speed_per_torrent'];
  const { move_completed: moves, move_completed_path: path } = core;
  const { type, hostname } = membersOf(core['proxy']);
  const found: readonly (readonly [holds: boolean, name: string, reason: string])[] = [
    [
      ofEach.some((key) => speedIn(core, key) !== undefined),
      'speed limits of each new torrent',
      'torrents here have none until they are given one; those that come along keep theirs',
    ],
    [
      moves === true && typeof path === 'string' && path !== '',
      `complete torrents are moved to ${shortened(path)}`,
      'where torrents are saved is set here: torrents that come along are moved there',
    ],
    [
      typeof type === 'number' && type > 0 && typeof hostname === 'string' && hostname !== '',
      `proxy ${shortened(hostname)}`,
      'it is set here by hand, with its password',
    ],
  ];
  return found.flatMap(([holds, name, reason]) => (holds ? [{ name, reason }] : []));
}
