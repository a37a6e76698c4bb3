// Resume data as qBittorrent 4.2 to 5 keeps it of a torrent: that of libtorrent 2, and what qBittorrent adds. Pure.
import bencode, { type BencodeInput } from 'bencode';
import type { FileDetail, FilePriority, PiecesDetail } from '../../../shared-protocol/commands/details.js';
import type { RateLimits } from '../../../shared-protocol/commands/limits.js';
import type { SeedingLimit } from '../../../shared-protocol/library-record.js';

/** A torrent as it is to be elsewhere. */
export interface LeavingTorrent {
  readonly id: string;
  readonly name: string;
  /** Shown in place of its own name; empty: that is. */
  readonly shownName: string;
  readonly savePath: string;
  /** That names of incomplete files have; empty: none. */
  readonly incompleteSuffix: string;
  /** None while the metadata is unknown. */
  readonly files: readonly FileDetail[];
  readonly pieces: PiecesDetail;
  readonly isComplete: boolean;
  readonly trackers: readonly (readonly string[])[];
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
  readonly activeSeconds: number;
  readonly seedingSeconds: number;
  /** Unix seconds; 0: never. */
  readonly addedAt: number;
  readonly completedAt: number;
  readonly lastActivityAt: number;
  readonly isPaused: boolean;
  readonly isForced: boolean;
  readonly isSequential: boolean;
  readonly isFirstLastFirst: boolean;
  readonly isSuperSeeding: boolean;
  readonly rateLimits: RateLimits;
  readonly ratio: SeedingLimit;
  readonly minutes: SeedingLimit;
  readonly inactiveMinutes: SeedingLimit;
  /** Empty: none. */
  readonly category: string;
  readonly tags: readonly string[];
}

/** Levels of libtorrent as qBittorrent names them. */
const PRIORITIES: Readonly<Record<FilePriority, number>> = { skip: 0, normal: 1, high: 6, max: 7 };
const UNLIMITED = -1;

/** Bencoded. */
export function fastresumeOf(torrent: LeavingTorrent): Uint8Array {
  return bencode.encode({ ...resumeOf(torrent), ...ownOf(torrent) });
}

function resumeOf(torrent: LeavingTorrent): Record<string, BencodeInput> {
  const { files, pieces, rateLimits, isPaused, isForced } = torrent;
  return {
    'file-format': 'libtorrent resume file',
    'file-version': 1,
    'info-hash': Buffer.from(torrent.id, 'hex'),
    name: torrent.name,
    save_path: torrent.savePath,
    allocation: 'sparse',
    pieces: bytesOfBits(pieces),
    unfinished: [],
    ...(files.length > 0 && { file_priority: prioritiesOf(files), mapped_files: pathsOf(torrent) }),
    trackers: torrent.trackers.map((tier) => [...tier]),
    total_uploaded: torrent.uploadedBytes,
    total_downloaded: torrent.downloadedBytes,
    active_time: torrent.activeSeconds,
    seeding_time: torrent.seedingSeconds,
    finished_time: torrent.seedingSeconds,
    added_time: torrent.addedAt,
    completed_time: torrent.completedAt,
    last_upload: torrent.lastActivityAt,
    last_download: torrent.lastActivityAt,
    download_rate_limit: rateLimits.downBytesPerSec || UNLIMITED,
    upload_rate_limit: rateLimits.upBytesPerSec || UNLIMITED,
    paused: isPaused ? 1 : 0,
    auto_managed: !isPaused && !isForced ? 1 : 0,
    sequential_download: torrent.isSequential ? 1 : 0,
    super_seeding: torrent.isSuperSeeding ? 1 : 0,
    seed_mode: 0,
  };
}

function ownOf(torrent: LeavingTorrent): Record<string, BencodeInput> {
  return {
    'qBt-category': torrent.category,
    'qBt-tags': [...torrent.tags],
    'qBt-name': torrent.shownName,
    'qBt-savePath': torrent.savePath,
    'qBt-contentLayout': 'Original',
    'qBt-seedStatus': torrent.isComplete ? 1 : 0,
    'qBt-firstLastPiecePriority': torrent.isFirstLastFirst ? 1 : 0,
    'qBt-ratioLimit': limitOf(torrent.ratio, 1_000),
    'qBt-seedingTimeLimit': limitOf(torrent.minutes, 1),
    'qBt-inactiveSeedingTimeLimit': limitOf(torrent.inactiveMinutes, 1),
  };
}

/** -2 is the limit of all torrents there, -1 none. */
function limitOf(limit: SeedingLimit, unit: number): number {
  if (limit === 'inherited') return -2 * unit;
  return limit === null ? -unit : Math.round(limit * unit);
}

/** A byte for each piece. */
function bytesOfBits({ pieceCount, have }: PiecesDetail): Buffer {
  return Buffer.from(Array.from({ length: pieceCount }, (_, at) => (have[at >> 3]! >> (7 - (at & 7))) & 1));
}

/** By index in the info dictionary, in which there may be pad files, that nobody wants or not. */
function byIndex<Value>(files: readonly FileDetail[], value: (file: FileDetail) => Value, pad: Value): Value[] {
  const values = Array.from({ length: files.reduce((most, { index }) => Math.max(most, index), -1) + 1 }, () => pad);
  for (const file of files) values[file.index] = value(file);
  return values;
}

function prioritiesOf(files: readonly FileDetail[]): number[] {
  return byIndex(files, ({ priority }) => PRIORITIES[priority], PRIORITIES.normal);
}

/** The paths on disk; an empty one is as the metainfo has it. */
function pathsOf({ files, incompleteSuffix }: LeavingTorrent): string[] {
  return byIndex(
    files,
    ({ path, bytesDone, sizeBytes }) => (bytesDone < sizeBytes ? path + incompleteSuffix : path),
    '',
  );
}
