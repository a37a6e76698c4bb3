// A torrent as `torrents/info` and `sync/maindata` of qBittorrent 5.1 show it, in three parts by how often they change: what
// comes from facts, labels and rules; what comes from the row of figures; what goes on by itself. Pure.
import { activeSecondsOf, seedingSecondsOf } from '../../../shared-protocol/active-times.js';
import type { Access } from '../../../shared-protocol/dto/torrents.js';
import type { CategoryDto, TagDto } from '../../../shared-protocol/dto/labels.js';
import type { SeedingInForceDto, SeedingRuleForAllDto } from '../../../shared-protocol/dto/seeding.js';
import { maskUrl } from '../../../shared-protocol/masking.js';
import type { TorrentStats } from '../../../shared-protocol/stats-table.js';
import { shownMagnet } from '../../services/library/magnet.js';
import type { ListedTorrent } from '../../services/library/shares.js';
import { contentPath, hasFlag, progressOf, ratioOf, shownName } from '../../services/library/torrent-dto.js';
import { stateOf } from './torrent-state.js';

/** Seconds of a transfer that has no end; qBittorrent's value. */
export const NO_ETA = 8_640_000;
/** Numbers in place of a limit, as in qBittorrent: the one of all torrents holds; there is none. */
const [GLOBAL_LIMIT, NO_LIMIT] = [-2, -1];
/** Numbers for what has no time, and for what is not known. */
const [NEVER, UNKNOWN] = [-1, -1];
/** Seconds of a month of 30 days. */
const MONTH_S = 30 * 24 * 3600;

/** A torrent with what it is shown by. */
export interface ShownTorrent {
  readonly torrent: ListedTorrent;
  /** The access of the account that is shown it: viewers see no passkeys. */
  readonly access: Access;
  readonly category: CategoryDto | undefined;
  readonly tags: readonly TagDto[];
  readonly seeding: SeedingInForceDto;
}

export type ObjectFacts = ReturnType<typeof objectFacts>;
export type ObjectFigures = ReturnType<typeof objectFigures>;
export type ObjectTimes = ReturnType<typeof objectTimes>;
export type TorrentObject = ObjectFacts & ObjectFigures & ObjectTimes;

/** The fields that come from facts, labels and rules. Limits of seeding: minutes. */
export function objectFacts({ torrent, access, category, tags, seeding }: ShownTorrent) {
  const { id, isPrivate, hasMetadata, trackers } = torrent;
  const { in_force } = seeding;
  return {
    hash: id,
    infohash_v1: id,
    infohash_v2: '',
    name: shownName(torrent),
    magnet_uri: shownMagnet(torrent, access),
    has_metadata: hasMetadata,
    private: hasMetadata ? isPrivate : null,
    comment: '',
    category: category?.name ?? '',
    auto_tmm: category?.auto_move ?? false,
    tags: tags.map(({ name }) => name).join(', '),
    save_path: torrent.savePath,
    download_path: '',
    content_path: contentPath(torrent),
    root_path: '',
    total_size: hasMetadata ? torrent.totalBytes : UNKNOWN,
    added_on: torrent.addedAt,
    completion_on: torrent.completedAt ?? NEVER,
    seen_complete: NEVER,
    trackers_count: trackers === '' ? 0 : trackers.split('\n').length,
    super_seeding: torrent.superSeeding ?? false,
    dl_limit: torrent.rateLimits?.downBytesPerSec ?? 0,
    up_limit: torrent.rateLimits?.upBytesPerSec ?? 0,
    ratio_limit: shownLimit(seeding, 'ratio_limit'),
    seeding_time_limit: shownLimit(seeding, 'time_min_limit'),
    inactive_seeding_time_limit: shownLimit(seeding, 'inactive_min_limit'),
    max_ratio: in_force.ratio_limit ?? NO_LIMIT,
    max_seeding_time: in_force.time_min_limit ?? NO_LIMIT,
    max_inactive_seeding_time: in_force.inactive_min_limit ?? NO_LIMIT,
  };
}

/** A rule of the category or of a tracker, which qBittorrent has not, is shown as the torrent's own: its end is told by it. */
function shownLimit({ in_force, from }: SeedingInForceDto, field: LimitField): number {
  return from[field] === 'global' ? GLOBAL_LIMIT : (in_force[field] ?? NO_LIMIT);
}
type LimitField = Exclude<keyof SeedingRuleForAllDto, 'action' | 'tag_id'>;

/** The fields that come from the row of figures. Speeds: bytes per second. */
export function objectFigures(torrent: ListedTorrent, access: Access, stats: Readonly<TorrentStats>) {
  const leechers = Math.max(0, stats.peers - stats.seeds);
  const left = Math.max(0, stats.wantedBytes - stats.wantedDone);
  const isComplete = hasFlag(stats, 'completed');
  return {
    state: stateOf(torrent, stats),
    size: stats.wantedBytes,
    completed: stats.wantedDone,
    amount_left: left,
    progress: progressOf(stats),
    downloaded: stats.totalDown,
    uploaded: stats.totalUp,
    downloaded_session: stats.totalDown,
    uploaded_session: stats.totalUp,
    ratio: ratioOf(stats),
    dlspeed: Math.round(stats.downloadRate),
    upspeed: Math.round(stats.uploadRate),
    eta: etaOf(left, stats.downloadRate),
    num_seeds: stats.seeds,
    num_leechs: leechers,
    num_complete: stats.swarmSeeds < 0 ? stats.seeds : stats.swarmSeeds,
    num_incomplete: stats.swarmLeechers < 0 ? leechers : stats.swarmLeechers,
    availability: stats.availabilityPerMille < 0 ? UNKNOWN : stats.availabilityPerMille / 1000,
    priority: isComplete ? 0 : stats.queuePosition + 1,
    seq_dl: hasFlag(stats, 'sequential'),
    f_l_piece_prio: hasFlag(stats, 'firstLastFirst'),
    force_start: hasFlag(stats, 'forceStart'),
    last_activity: stats.lastActivityAt || torrent.addedAt,
    tracker: workingTrackerOf(torrent, access, stats.workingTracker),
    reannounce: 0,
  };
}

/** Whole seconds; `NO_ETA` while nothing comes or nothing is known to miss. */
function etaOf(bytesLeft: number, bytesPerSec: number): number {
  return bytesLeft > 0 && bytesPerSec > 0 ? Math.min(NO_ETA, Math.ceil(bytesLeft / bytesPerSec)) : NO_ETA;
}

/** The address of the tracker at the place; empty where there is none. Viewers see no passkeys. */
function workingTrackerOf({ trackers }: Pick<ListedTorrent, 'trackers'>, access: Access, place: number): string {
  const url = place < 0 ? '' : (trackers.split('\n')[place] ?? '');
  return access === 'viewer' && url !== '' ? maskUrl(url) : url;
}

/** The fields that change while nothing happens. `now`: Unix seconds. */
export function objectTimes(stats: Readonly<TorrentStats>, now: number) {
  const active = activeSecondsOf(stats, now);
  return {
    time_active: active,
    seeding_time: seedingSecondsOf(stats, now),
    popularity: active > 0 ? Math.round((ratioOf(stats) / (active / MONTH_S)) * 100) / 100 : 0,
  };
}
