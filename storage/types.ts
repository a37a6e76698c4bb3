// Storage ports. `TorrentStore` holds what grows with torrents (LMDB); `Collection` what people edit (lowdb).
import type { AccountId, TorrentId } from '../shared-protocol/ids.js';
import type { LibraryRecord } from '../shared-protocol/library-record.js';

/** What is kept of a torrent besides its metainfo and progress. Plain data; extended by migrations only. */
export interface TorrentRow {
  readonly id: TorrentId;
  readonly ownerId: AccountId;
  readonly savePath: string;
  /** Unix seconds. */
  readonly addedAt: number;
  readonly completedAt: number | null;
  readonly paused: boolean;
  readonly sequential: boolean;
  /** Display name known so far: the magnet's `dn`, or the metainfo's name. */
  readonly name: string;
  /** Announce tiers as they are now, after merges and edits (BEP 12). */
  readonly trackers: readonly (readonly string[])[];
  readonly webSeeds: readonly string[];
  /** One for each file once metadata is known; null means all `normal`. */
  readonly filePriorities: readonly ('skip' | 'normal' | 'high' | 'max')[] | null;
  /** What lists and idle torrents need of the metainfo, so that it is only parsed when used; null before metadata. */
  readonly summary: TorrentSummary | null;
  /** BEP 53 ranges of a magnet, applied when metadata arrives; null means all. */
  readonly selectOnly: readonly { readonly first: number; readonly last: number }[] | null;
  /** Of this torrent alone, in bytes per second, 0 for none. Absent in rows of before there were limits. */
  readonly rateLimits?: { readonly downBytesPerSec: number; readonly upBytesPerSec: number };
  /** Absent in rows of before there was one. */
  readonly library?: LibraryRecord;
  /** Absent: not. */
  readonly forceStart?: boolean;
  /** Torrents are queued by ascending key; any finite number. Absent: after those that have one, oldest first. */
  readonly queueKey?: number;
  /** What was wanted of files while the metadata was unknown, by file index. Absent or null: nothing. */
  readonly pendingPriorities?: Readonly<Record<number, 'skip' | 'normal' | 'high' | 'max'>> | null;
}

/** The few facts of the metainfo that an idle torrent keeps in memory. */
export interface TorrentSummary {
  /** Pad files included: what the pieces cover. */
  readonly totalBytes: number;
  readonly pieceLength: number;
  readonly pieceCount: number;
  readonly isPrivate: boolean;
}

/** Progress of a torrent. Written only after the data it speaks of is on stable storage. */
export interface ResumeRow {
  /** One bit for each piece, most significant first; a set bit is verified and synced. */
  readonly have: Uint8Array;
  /** Verified bytes of the whole torrent and of its wanted files, and the size of the wanted files. */
  readonly bytesDone: number;
  readonly wantedDone: number;
  readonly wantedBytes: number;
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
  /** Size and mtime of each file when the row was written; null size: absent. */
  readonly files: readonly { readonly sizeBytes: number | null; readonly mtimeMs: number }[];
  /** Unix seconds. */
  readonly savedAt: number;
}

/** All promises resolve when the change is durable. Reads see every write that was made before them. */
export interface TorrentStore {
  rows(): Iterable<TorrentRow>;
  row(id: TorrentId): TorrentRow | undefined;
  /** The torrent appears whole or not at all. */
  insert(row: TorrentRow, infoBytes: Uint8Array | null, resume: ResumeRow | null): Promise<void>;
  update(id: TorrentId, change: Partial<Omit<TorrentRow, 'id'>>): Promise<void>;
  /** Row, metainfo and resume go together. */
  remove(id: TorrentId): Promise<void>;
  /** The info dictionary's exact bytes; undefined while metadata is unknown. */
  infoBytes(id: TorrentId): Uint8Array | undefined;
  putInfoBytes(id: TorrentId, bytes: Uint8Array): Promise<void>;
  resume(id: TorrentId): ResumeRow | undefined;
  /** Many at once in one transaction. Rows of torrents that are gone are left out. */
  putResume(rows: ReadonlyMap<TorrentId, ResumeRow>): Promise<void>;
  /** Small engine state by name (peer id seed, DHT nodes). */
  meta(key: string): Uint8Array | undefined;
  putMeta(key: string, value: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** One file of edited records, kept crash-safe. */
export interface Collection<Data> {
  readonly data: Data;
  /** Applies the change and resolves when it is durable; when that fails the data is as before, and it rejects. */
  update(change: (data: Data) => void): Promise<void>;
}
