// A torrent as clients see it (docs/api.md, TorrentDTO), from its facts and its row of numbers. Pure.
import { join } from 'node:path';
import type { Access, SharedTorrentDto } from '../../../shared-protocol/dto/torrents.js';
import { toKbps } from '../settings/rate-units.js';
import { diagnosisOf } from './diagnosis.js';
import { shownMagnet } from './magnet.js';
import type { Labels } from './labels.js';
import { toTrackerErrorDto } from './tracker-error.js';
import type { TorrentFacts } from '../../../shared-protocol/events.js';
import { shortened } from '../../../shared-protocol/shortened.js';
import {
  MAX_MAGNET_TRACKER_CHARS,
  MAX_TAGS_BYTES,
  MAX_TORRENT_DTO_BYTES,
} from '../../../shared-protocol/torrent-bounds.js';
import type { TagDto } from '../../../shared-protocol/dto/labels.js';
import { TORRENT_FLAGS, type TorrentFlag, type TorrentStats } from '../../../shared-protocol/stats-table.js';

/** The categories and tags there are; a torrent may name some that have been deleted since. */
export type KnownLabels = Pick<Labels, 'category' | 'tag'>;

/** The fields that come from facts and labels, which change rarely. */
export type TorrentFields = Pick<
  SharedTorrentDto,
  | 'id'
  | 'engine_away'
  | 'name'
  | 'magnet'
  | 'save_path'
  | 'content_path'
  | 'total_bytes'
  | 'added_at'
  | 'category_id'
  | 'tags'
  | 'completed_at'
  | 'private'
  | 'error'
  | 'tracker_error'
  | 'rate_limits'
>;
/** The fields that come from the row of numbers. */
export type StatsFields = Omit<SharedTorrentDto, keyof TorrentFields>;

/** Bytes that the numbers and `access` take at most: their names, and sixteen digits each. */
const STATS_FIELDS_BYTES = 1408;
/** Up to so much of what has no fixed length there is room for all of it, however it has to be escaped. */
const SHORT_CHARS = 512;
const FEW_TAGS = 12;
/** Longer ones are told whole by `diagnosis`. */
const MAX_MESSAGE_CHARS = 300;

/** The torrent whole, where it is shown alone. */
export function toSharedTorrentDto(
  facts: TorrentFacts,
  stats: Readonly<TorrentStats>,
  labels: KnownLabels,
  access: Access,
): SharedTorrentDto {
  return { ...toTorrentFields(facts, labels, access), ...toStatsFields(stats) };
}

/** The fields of the facts; with the numbers at most `MAX_TORRENT_DTO_BYTES` of JSON: trackers of the magnet make way for the rest. */
export function toTorrentFields(facts: TorrentFacts, labels: KnownLabels, access: Access): TorrentFields {
  const { categoryId, tagIds } = facts.library;
  const fields: TorrentFields = {
    id: facts.id,
    name: shownName(facts),
    magnet: '',
    save_path: facts.savePath,
    content_path: contentPath(facts),
    total_bytes: facts.totalBytes,
    added_at: facts.addedAt,
    category_id: categoryId !== null && labels.category(categoryId) ? categoryId : null,
    tags: shownTags(tagIds.flatMap((id) => labels.tag(id) ?? [])),
    completed_at: facts.completedAt,
    private: facts.isPrivate,
    error: errorOf(facts),
    tracker_error: facts.trackerError ? toTrackerErrorDto(facts.trackerError, access) : null,
    rate_limits: facts.rateLimits ? toKbps(facts.rateLimits) : null,
    ...(facts.isAway !== undefined && { engine_away: facts.isAway }),
  };
  return { ...fields, magnet: isShort(facts) ? shownMagnet(facts, access) : magnetBeside(fields, facts, access) };
}

export function shownName({ library, name }: TorrentFacts): string {
  return library.name ?? name;
}

/** The torrent's folder, or its one file; empty while the metadata is unknown, and where it is not for the reader to know. */
export function contentPath({ hasMetadata, savePath, contentName, name }: TorrentFacts): string {
  return hasMetadata && savePath !== '' ? join(savePath, contentName ?? name) : '';
}

function errorOf(facts: TorrentFacts): TorrentFields['error'] {
  const { error, code, data } = diagnosisOf(facts);
  if (error === null || code === null) return null;
  return { code, message: shortened(error, MAX_MESSAGE_CHARS), ...(data && { data }) };
}

function isShort({ savePath, trackers, library, error, trackerError }: TorrentFacts): boolean {
  if (error || trackerError) return false;
  return savePath.length + trackers.length <= SHORT_CHARS && library.tagIds.length <= FEW_TAGS;
}

function magnetBeside(fields: TorrentFields, facts: TorrentFacts, access: Access): string {
  const link = shownMagnet(facts, access, 0);
  const room = MAX_TORRENT_DTO_BYTES - STATS_FIELDS_BYTES - jsonBytes(fields) - link.length;
  return shownMagnet(facts, access, Math.max(0, Math.min(MAX_MAGNET_TRACKER_CHARS, room)));
}

/** The first of them that fit: torrent-labels.ts adds no more, but the store may have them. */
function shownTags(tags: TagDto[]): TagDto[] {
  if (tags.length <= FEW_TAGS) return tags;
  let bytes = 0;
  return tags.filter((tag) => (bytes += jsonBytes(tag) + 1) <= MAX_TAGS_BYTES);
}

function jsonBytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The fields of the numbers. */
export function toStatsFields(stats: Readonly<TorrentStats>): StatsFields {
  return {
    bytes_done: stats.bytesDone,
    progress: progressOf(stats),
    download_rate: Math.round(stats.downloadRate),
    upload_rate: Math.round(stats.uploadRate),
    peers: stats.peers,
    seeds: stats.seeds,
    paused: hasFlag(stats, 'paused'),
    completed: hasFlag(stats, 'completed'),
    queue_position: stats.queuePosition,
    force_start: hasFlag(stats, 'forceStart'),
    sequential: hasFlag(stats, 'sequential'),
    queued: hasFlag(stats, 'queued'),
    verifying: hasFlag(stats, 'verifying'),
    files_missing: hasFlag(stats, 'filesMissing'),
    moving: hasFlag(stats, 'moving'),
    tracker_works: stats.workingTracker >= 0,
    total_down: stats.totalDown,
    total_up: stats.totalUp,
    ratio: ratioOf(stats),
    swarm_seeds: stats.swarmSeeds,
    swarm_leechers: stats.swarmLeechers,
    availability: stats.availabilityPerMille < 0 ? null : stats.availabilityPerMille / 1000,
    last_activity_at: stats.lastActivityAt,
    seeding_seconds: Math.floor(stats.seedingSeconds),
    seeding_since: hasFlag(stats, 'completed') ? stats.countedSince : 0,
    checking_progress: hasFlag(stats, 'verifying') ? stats.checkedPerMille / 1000 : null,
    active_seconds: Math.floor(stats.activeSeconds),
    active_since: stats.countedSince,
  };
}

/** docs/api.md, SeedingDefaultsDTO: bytes up by bytes done. JSON knows no infinity, so 0 while nothing is there. */
export function ratioOf({ totalUp, bytesDone }: Readonly<Pick<TorrentStats, 'totalUp' | 'bytesDone'>>): number {
  return bytesDone > 0 ? totalUp / bytesDone : 0;
}

/** Whether the numbers of a torrent have the flag. */
export function hasFlag(stats: Readonly<Pick<TorrentStats, 'flags'>>, flag: TorrentFlag): boolean {
  return (stats.flags & TORRENT_FLAGS[flag]) !== 0;
}

/** A torrent without bytes is complete or has nothing that is wanted. */
export function progressOf(stats: Readonly<TorrentStats>): number {
  if (stats.wantedBytes === 0) return hasFlag(stats, 'completed') ? 1 : 0;
  return Math.min(1, stats.wantedDone / stats.wantedBytes);
}
