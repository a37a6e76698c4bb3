// A torrent as clients see it (interface.md, TorrentDTO), from its facts and its row of numbers. Pure.
import type { SharedTorrentDto } from '../../shared-protocol/dto/torrents.js';
import type { Labels } from '../services/library/labels.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import { TORRENT_FLAGS, type TorrentFlag, type TorrentStats } from '../../shared-protocol/stats-table.js';

/** What a category or tag of a torrent is; nothing when it has been deleted since. */
export type KnownLabels = Pick<Labels, 'category' | 'tag'>;

/** What changes rarely. */
export type TorrentIdentity = Pick<
  SharedTorrentDto,
  'id' | 'name' | 'magnet' | 'save_path' | 'total_bytes' | 'added_at' | 'category_id' | 'tags'
>;
/** What its row of numbers says. */
export type TorrentFigures = Omit<SharedTorrentDto, keyof TorrentIdentity>;

export function toSharedTorrentDto(
  facts: TorrentFacts,
  stats: Readonly<TorrentStats>,
  labels: KnownLabels,
): SharedTorrentDto {
  return { ...toTorrentIdentity(facts, labels), ...toTorrentFigures(stats) };
}

export function toTorrentIdentity(facts: TorrentFacts, labels: KnownLabels): TorrentIdentity {
  const { categoryId, tagIds } = facts.library;
  return {
    id: facts.id,
    name: facts.name,
    magnet: facts.magnet,
    save_path: facts.savePath,
    total_bytes: facts.totalBytes,
    added_at: facts.addedAt,
    category_id: categoryId !== null && labels.category(categoryId) ? categoryId : null,
    tags: tagIds.flatMap((id) => labels.tag(id) ?? []),
  };
}

export function toTorrentFigures(stats: Readonly<TorrentStats>): TorrentFigures {
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
  };
}

export function hasFlag(stats: Readonly<Pick<TorrentStats, 'flags'>>, flag: TorrentFlag): boolean {
  return (stats.flags & TORRENT_FLAGS[flag]) !== 0;
}

/** A torrent without bytes is complete or has nothing that is wanted. */
function progressOf(stats: Readonly<TorrentStats>): number {
  if (stats.wantedBytes === 0) return hasFlag(stats, 'completed') ? 1 : 0;
  return Math.min(1, stats.wantedDone / stats.wantedBytes);
}
