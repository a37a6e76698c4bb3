// A torrent in detail as clients see it (interface.md, DetailDTO), from its facts, its row of numbers and what the
// engine said of its parts. Pure.
import type { FileDetail, PeerDetail, TorrentDetails, TrackerDetail } from '../../shared-protocol/commands.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { TorrentStats } from '../../shared-protocol/stats-table.js';
import { toSharedTorrentDto, type SharedTorrentDto } from '../snapshot/torrent-dto.js';
import type { Countries } from './countries.js';

export interface FileDto {
  readonly index: number;
  readonly path: string;
  readonly size: number;
  readonly bytes_done: number;
  readonly progress: number;
  readonly priority: FileDetail['priority'];
}

export interface PeerDto {
  readonly ip: string;
  readonly port: number;
  readonly client: string;
  readonly flags: string;
  readonly progress: number;
  readonly download_rate: number;
  readonly upload_rate: number;
  /** ISO 3166 alpha-2, or ''. */
  readonly country: string;
}

export interface TrackerDto {
  readonly url: string;
  readonly status: TrackerDetail['status'];
  readonly seeds: number;
  readonly peers: number;
  readonly downloaded: number;
  readonly last_announce: number;
  readonly next_announce: number;
}

/** Alike in a list and in detail. */
type SharedField =
  | 'id'
  | 'name'
  | 'magnet'
  | 'save_path'
  | 'total_bytes'
  | 'bytes_done'
  | 'progress'
  | 'peers'
  | 'seeds'
  | 'added_at'
  | 'paused'
  | 'completed'
  | 'files_missing';

export interface DetailDto extends Pick<SharedTorrentDto, SharedField> {
  readonly ratio: number;
  readonly total_down: number;
  readonly total_up: number;
  readonly completed_at?: number;
  readonly files?: readonly FileDto[];
  readonly peers_list?: readonly PeerDto[];
  readonly trackers?: readonly TrackerDto[];
}

export interface DetailSources {
  readonly facts: TorrentFacts;
  readonly stats: Readonly<TorrentStats>;
  readonly details: TorrentDetails;
  readonly countries: Countries;
}

export function toDetailDto({ facts, stats, details, countries }: DetailSources): DetailDto {
  const shared = toSharedTorrentDto(facts, stats);
  const { files, peers, trackers } = details;
  return {
    id: shared.id,
    name: shared.name,
    magnet: shared.magnet,
    save_path: shared.save_path,
    total_bytes: shared.total_bytes,
    bytes_done: shared.bytes_done,
    progress: shared.progress,
    ratio: ratioOf(stats),
    total_down: stats.totalDown,
    total_up: stats.totalUp,
    peers: shared.peers,
    seeds: shared.seeds,
    added_at: shared.added_at,
    ...(facts.completedAt === null ? {} : { completed_at: facts.completedAt }),
    paused: shared.paused,
    completed: shared.completed,
    files_missing: shared.files_missing,
    ...(files ? { files: files.map(toFileDto) } : {}),
    ...(peers ? { peers_list: peers.map((peer) => toPeerDto(peer, countries)) } : {}),
    ...(trackers ? { trackers: trackers.map(toTrackerDto) } : {}),
  };
}

/** interface.md, SeedingDefaultsDTO: bytes up by bytes done. JSON knows no infinity, so 0 while nothing is there. */
function ratioOf({ totalUp, bytesDone }: Readonly<TorrentStats>): number {
  return bytesDone > 0 ? totalUp / bytesDone : 0;
}

/** A file without bytes misses none. */
function toFileDto({ index, path, sizeBytes, bytesDone, priority }: FileDetail): FileDto {
  const progress = sizeBytes === 0 ? 1 : bytesDone / sizeBytes;
  return { index, path, size: sizeBytes, bytes_done: bytesDone, progress, priority };
}

function toPeerDto(peer: PeerDetail, countries: Countries): PeerDto {
  const { host, port, client, flags, progress, downloadRate, uploadRate } = peer;
  return {
    ip: host,
    port,
    client,
    flags,
    progress,
    download_rate: Math.round(downloadRate),
    upload_rate: Math.round(uploadRate),
    country: countries.of(host),
  };
}

function toTrackerDto(tracker: TrackerDetail): TrackerDto {
  const { url, status, seeds, peers, downloaded, lastAnnounce, nextAnnounce } = tracker;
  return { url, status, seeds, peers, downloaded, last_announce: lastAnnounce, next_announce: nextAnnounce };
}
