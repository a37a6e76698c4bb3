// A torrent as clients see it (interface.md, TorrentDTO), from its facts and its row of numbers. Pure.
import type { TorrentFacts } from '../../shared-protocol/events.js';
import { TORRENT_FLAGS, type TorrentFlag, type TorrentStats } from '../../shared-protocol/stats-table.js';

/** Without `access`, the one field that differs between accounts. */
export interface SharedTorrentDto {
  readonly id: string;
  readonly name: string;
  readonly magnet: string;
  readonly save_path: string;
  readonly total_bytes: number;
  readonly bytes_done: number;
  /** 0..1, of what is wanted. */
  readonly progress: number;
  readonly download_rate: number;
  readonly upload_rate: number;
  readonly peers: number;
  readonly seeds: number;
  readonly paused: boolean;
  readonly completed: boolean;
  readonly added_at: number;
  readonly category_id: number | null;
  readonly tags: readonly { readonly id: number; readonly name: string; readonly color: string }[];
  readonly queue_position: number;
  readonly force_start: boolean;
  readonly sequential: boolean;
  readonly queued: boolean;
  readonly verifying: boolean;
  readonly files_missing: boolean;
}

export function toSharedTorrentDto(facts: TorrentFacts, stats: Readonly<TorrentStats>): SharedTorrentDto {
  return {
    id: facts.id,
    name: facts.name,
    magnet: facts.magnet,
    save_path: facts.savePath,
    total_bytes: facts.totalBytes,
    bytes_done: stats.bytesDone,
    progress: progressOf(stats),
    download_rate: Math.round(stats.downloadRate),
    upload_rate: Math.round(stats.uploadRate),
    peers: stats.peers,
    seeds: stats.seeds,
    paused: hasFlag(stats, 'paused'),
    completed: hasFlag(stats, 'completed'),
    added_at: facts.addedAt,
    category_id: null,
    tags: [],
    queue_position: stats.queuePosition,
    force_start: hasFlag(stats, 'forceStart'),
    sequential: hasFlag(stats, 'sequential'),
    queued: hasFlag(stats, 'queued'),
    verifying: hasFlag(stats, 'verifying'),
    files_missing: hasFlag(stats, 'filesMissing'),
  };
}

export function hasFlag(stats: Readonly<TorrentStats>, flag: TorrentFlag): boolean {
  return (stats.flags & TORRENT_FLAGS[flag]) !== 0;
}

/** A torrent without bytes is complete or has nothing that is wanted. */
function progressOf(stats: Readonly<TorrentStats>): number {
  if (stats.wantedBytes === 0) return hasFlag(stats, 'completed') ? 1 : 0;
  return Math.min(1, stats.wantedDone / stats.wantedBytes);
}
