// A torrent in detail as clients see it (docs/api.md, DetailDTO), from its facts, its row of numbers and what the
// engine said of its parts. Pure.
import type {
  FileDetail,
  PeerDetail,
  PiecesDetail,
  TorrentMetainfo,
  TorrentWaste,
  TrackerDetail,
  WebSeedDetail,
} from '../../../shared-protocol/commands/details.js';
import type { TorrentDetails } from '../../../shared-protocol/commands/inspection.js';
import type {
  DetailDto,
  FileDto,
  MetainfoDto,
  PeerDto,
  PiecesDto,
  TrackerDto,
  WasteDto,
  WebSeedDto,
} from '../../../shared-protocol/dto/inspector.js';
import type { Access } from '../../../shared-protocol/dto/torrents.js';
import type { TorrentFacts } from '../../../shared-protocol/events.js';
import { maskTracker, maskUrl } from '../../../shared-protocol/masking.js';
import type { TorrentStats } from '../../../shared-protocol/stats-table.js';
import { hasFlag, toSharedTorrentDto, type KnownLabels } from './torrent-dto.js';
import type { Countries } from './countries.js';

/** Details do not say what they are. */
const NO_LABELS: KnownLabels = { category: () => undefined, tag: () => undefined };

export interface DetailSources {
  readonly facts: TorrentFacts;
  /** The access of the account that is shown it: viewers see no passkeys. */
  readonly access: Access;
  readonly stats: Readonly<TorrentStats>;
  readonly details: TorrentDetails;
  readonly countries: Countries;
  /** The engine that it is on; '' where that is not told. @default '' */
  readonly engine?: string;
}

export function toDetailDto({ facts, access, stats, details, countries, engine = '' }: DetailSources): DetailDto {
  const shared = toSharedTorrentDto(facts, stats, NO_LABELS, access);
  const { files, peers, trackers, metainfo, waste, webSeeds } = details;
  const isMasked = access === 'viewer';
  return {
    id: shared.id,
    name: shared.name,
    magnet: shared.magnet,
    save_path: shared.save_path,
    content_path: shared.content_path,
    total_bytes: shared.total_bytes,
    bytes_done: shared.bytes_done,
    progress: shared.progress,
    first_last_first: hasFlag(stats, 'firstLastFirst'),
    ratio: shared.ratio,
    total_down: shared.total_down,
    total_up: shared.total_up,
    peers: shared.peers,
    seeds: shared.seeds,
    added_at: shared.added_at,
    ...(facts.completedAt === null ? {} : { completed_at: facts.completedAt }),
    paused: shared.paused,
    completed: shared.completed,
    files_missing: shared.files_missing,
    ...(engine === '' ? {} : { engine }),
    ...(files ? { files: files.map(toFileDto) } : {}),
    ...(peers ? { peers_list: peers.map((peer) => toPeerDto(peer, countries)) } : {}),
    ...(trackers
      ? { trackers: trackers.map(toTrackerDto).map((tracker) => (isMasked ? maskTracker(tracker) : tracker)) }
      : {}),
    ...(webSeeds ? { web_seeds: webSeeds.map((seed) => toWebSeedDto(seed, isMasked)) } : {}),
    ...(metainfo ? { metainfo: toMetainfoDto(metainfo) } : {}),
    ...(waste ? { waste: toWasteDto(waste) } : {}),
  };
}

/** A file without bytes misses none. */
export function toFileDto({ index, path, sizeBytes, bytesDone, priority }: FileDetail): FileDto {
  const progress = sizeBytes === 0 ? 1 : bytesDone / sizeBytes;
  return { index, path, size: sizeBytes, bytes_done: bytesDone, progress, priority };
}

function toPeerDto(peer: PeerDetail, countries: Countries): PeerDto {
  const { host, port, client, flags, progress, downloadRate, uploadRate, bytesDown, bytesUp } = peer;
  return {
    ip: host,
    port,
    client,
    flags,
    progress,
    download_rate: Math.round(downloadRate),
    upload_rate: Math.round(uploadRate),
    total_down: bytesDown,
    total_up: bytesUp,
    country: countries.of(host),
  };
}

export function toTrackerDto(tracker: TrackerDetail): TrackerDto {
  const { url, tier, status, seeds, peers, downloaded, lastAnnounce, nextAnnounce, interval, minInterval } = tracker;
  const times = { last_announce: lastAnnounce, next_announce: nextAnnounce, interval, min_interval: minInterval };
  return { url, tier, status, seeds, peers, downloaded, ...times };
}

function toWebSeedDto({ url, form, state, downloadRate, bytesDown }: WebSeedDetail, isMasked: boolean): WebSeedDto {
  const shown = isMasked ? maskUrl(url) : url;
  return { url: shown, form, state, download_rate: Math.round(downloadRate), total_down: bytesDown };
}

function toMetainfoDto({ comment, createdBy, createdAt, source }: TorrentMetainfo): MetainfoDto {
  return { comment, created_by: createdBy, created_at: createdAt, source };
}

function toWasteDto({ failedPieces, failedBytes, redundantBytes }: TorrentWaste): WasteDto {
  return { failed_pieces: failedPieces, failed_bytes: failedBytes, redundant_bytes: redundantBytes };
}

export function toPiecesDto({ pieceCount, pieceLength, have, availability }: PiecesDetail): PiecesDto {
  return {
    piece_count: pieceCount,
    piece_length: pieceLength,
    have: base64(have),
    ...(availability ? { availability: base64(availability) } : {}),
  };
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
