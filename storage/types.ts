// Storage ports. `TorrentStore` holds what grows with torrents (LMDB); `Collection` what people edit, which a `StateStore`
// opens (lowdb, or PostgreSQL where several fronts share it), and `Leases` what only one of these does.
import type { ErrorCode } from '../shared-protocol/errors.js';
import type { AccountId, TorrentId } from '../shared-protocol/ids.js';
import type { ContentLayout } from '../shared-protocol/content-layout.js';
import type { LibraryRecord } from '../shared-protocol/library-record.js';
import type { NewNameRules } from '../shared-protocol/name-rules.js';
import type { Preallocation } from '../shared-protocol/preallocation.js';
import type { RecordedTimes } from '../shared-protocol/recorded-state.js';
import type { CollectionShape } from './collection-shape.js';

/** Where a torrent's files lie below its save path, as far as that is not where the metainfo has them. */
export interface PathsRow {
  /**
   * The folder that its files lie in in place of the metainfo's own; empty: none (engine/metainfo/disk-paths.ts). Absent: the
   * metainfo's own.
   */
  readonly folder?: string | undefined;
  /** The first elements of all paths. Absent: the torrent's name alone. */
  readonly topNames?: readonly string[] | undefined;
  /** The stored list of files with paths of their own ({@link TorrentStore.pathList}). Absent: there are none. */
  readonly pathList?: number | undefined;
}

/** A torrent's row: all that is kept besides metainfo and progress. Plain data; extended by migrations only. */
export interface TorrentRow extends PathsRow {
  readonly id: TorrentId;
  readonly ownerId: AccountId;
  readonly savePath: string;
  /** Where it is brought once it is complete. Absent or null: it stays at `savePath`. */
  readonly completePath?: string | null;
  /** Unix seconds. */
  readonly addedAt: number;
  readonly completedAt: number | null;
  readonly paused: boolean;
  readonly sequential: boolean;
  /**
   * The name known so far: the magnet's `dn`, or the metainfo's name, or the folder beside it where that was not free. People
   * may be shown another one ({@link LibraryRecord.name}).
   */
  readonly name: string;
  /** Texts of its torrent file around the info dictionary. Absent: there are none, or they were not kept yet. */
  readonly origin?: OriginRow;
  /** Announce tiers as they are now, after merges and edits (BEP 12). */
  readonly trackers: readonly (readonly string[])[];
  readonly webSeeds: readonly string[];
  /** The account that brought the web seeds and HTTP seeds. Absent: the owner. */
  readonly seedsBy?: AccountId;
  /** BEP 17. Absent: none. */
  readonly httpSeeds?: readonly string[];
  /** Trackers that another account than the owner has brought: its rights count for them. Absent: none. */
  readonly addedTrackers?: readonly { readonly url: string; readonly accountId: AccountId }[];
  /** One for each file once metadata is known; null means all `normal`. */
  readonly filePriorities: readonly ('skip' | 'normal' | 'high' | 'max')[] | null;
  /** The part of the metainfo that lists and idle torrents need; the rest is parsed when used. null before metadata. */
  readonly summary: TorrentSummary | null;
  /** BEP 53 ranges of a magnet, applied when metadata arrives; null means all. */
  readonly selectOnly: readonly { readonly first: number; readonly last: number }[] | null;
  /** Limits of this torrent alone, in bytes per second, 0 for none. Absent: none. */
  readonly rateLimits?: { readonly downBytesPerSec: number; readonly upBytesPerSec: number };
  /** Connections and upload slots of this torrent alone, 0 for as many as others have. Absent: none. */
  readonly peerLimits?: { readonly maxPeers: number; readonly uploadSlots: number };
  /** Wanted once it is whole (BEP 16). Absent: not. */
  readonly superSeeding?: boolean;
  /** Absent in rows of before there was one. */
  readonly library?: LibraryRecord;
  /** Absent: not. */
  readonly forceStart?: boolean;
  /** The first and last pieces of each wanted file come first. Absent: not. */
  readonly firstLastFirst?: boolean;
  /** Where it pauses by itself, once. Absent or null: nowhere. */
  readonly stopAfter?: 'metadata' | 'check' | null;
  /**
   * Files that lie there are taken on trust where they fit, instead of being hashed first; asked for once, of a torrent that
   * nothing is recorded of but what another program had recorded. Absent or null: not.
   */
  readonly skipCheck?: true | null;
  /** Torrents are queued by ascending key; any finite number. Absent: after those that have one, oldest first. */
  readonly queueKey?: number;
  /** Priorities asked for while the metadata was unknown, by file index. Absent or null: none. */
  readonly pendingPriorities?: Readonly<Record<number, 'skip' | 'normal' | 'high' | 'max'>> | null;
  /** Patterns of names of files that are not wanted, while the metadata is unknown. Absent or null: none. */
  readonly excludedNames?: readonly string[] | null;
  /** Files, by index, that are to be hashed before anything of them is believed; a check in progress stays here. */
  readonly pendingCheck?: 'all' | readonly number[] | null;
  /** Room that its files are given when they are made. Absent: none. */
  readonly preallocation?: Preallocation;
  /** The suffix that names have while files are incomplete. Absent: none. */
  readonly incompleteSuffix?: string;
  /** The rules by which names of its author are on disk. Absent in rows of before there was a choice: those of Windows. */
  readonly names?: NewNameRules | undefined;
  /** How it is to be laid out once the metadata is known. Absent: as the metainfo has it. */
  readonly layout?: ContentLayout;
  /** Which files on disk are its own is recorded. Absent in rows of before that was: what lies there then is. */
  readonly isClaimed?: true;
  /** Where several accounts hold it, all of them, the owner first: what else is here then follows from them. */
  readonly holders?: readonly HolderRow[] | null;
  /** The journal of its move to another save path, or of a rename (engine/torrent/move/). Absent or null: there is none. */
  readonly move?: MoveRow | null;
  /**
   * The torrent was removed: it is there only until its files are deleted, or those alone that lie beside them (`alone`). Absent:
   * it stays.
   */
  readonly leaving?: 'with files' | 'alone';
}

/** Parts of a torrent file that are neither of its files nor of peers, cut to what is kept of them. Absent: none. */
export interface OriginRow {
  /** The account that brought it: to others nothing of it is shown or given. */
  readonly by: AccountId;
  readonly comment?: string;
  readonly createdBy?: string;
  /** Unix seconds. */
  readonly createdAt?: number;
}

/** A move that is under way, or that has failed; at each moment all files are whole at the row's `savePath`. */
export interface MoveRow {
  readonly from: string;
  readonly to: string;
  /**
   * `copying`: the torrent lies at `from`, and what was made at `to` goes unless all of it comes. `cleaning`: it lies at
   * `to`, and what is left at `from` goes. `failed`: it lies at `from`, and nothing is left to be done.
   */
  readonly phase: 'copying' | 'cleaning' | 'failed';
  /**
   * The paths at the place where the torrent does not lie, of a rename, whose `from` and `to` are one save path: the new ones
   * while `copying`, the old ones while `cleaning`.
   */
  readonly paths?: PathsRow;
  /** Why it has failed; with `copying` what was made at `to` could not be removed yet. */
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}

/** Parts of what is stored of a torrent that change together. */
export interface TorrentChange {
  readonly row: Partial<Omit<TorrentRow, 'id'>>;
  /** By part; null: the part is forgotten. */
  readonly claims: ReadonlyMap<number, Uint8Array | null>;
  /** @default as it is */
  readonly resume?: ResumeRow;
  /** Lists of paths, by number; null: the list is forgotten. @default as they are */
  readonly pathLists?: ReadonlyMap<number, Uint8Array | null>;
}

/** The share that one of several accounts has of a torrent (engine/torrent/holders.ts). Fields as in {@link TorrentRow}. */
export interface HolderRow extends Pick<
  TorrentRow,
  | 'addedAt'
  | 'paused'
  | 'sequential'
  | 'firstLastFirst'
  | 'stopAfter'
  | 'trackers'
  | 'addedTrackers'
  | 'filePriorities'
  | 'selectOnly'
  | 'excludedNames'
> {
  readonly accountId: AccountId;
  /** Where it would have saved the torrent. */
  readonly savePath: string;
  /** The torrent's name for this account while the metadata is unknown. */
  readonly name: string;
  readonly forceStart: boolean;
  readonly rateLimits: NonNullable<TorrentRow['rateLimits']>;
  /** Absent: none. */
  readonly peerLimits?: NonNullable<TorrentRow['peerLimits']>;
  /** Absent: not. */
  readonly superSeeding?: boolean;
  readonly library: LibraryRecord;
  readonly pendingPriorities: NonNullable<TorrentRow['pendingPriorities']> | null;
}

/** The few facts of the metainfo that an idle torrent keeps in memory. */
export interface TorrentSummary {
  /** Pad files included: what the pieces cover. */
  readonly totalBytes: number;
  readonly pieceLength: number;
  readonly pieceCount: number;
  readonly isPrivate: boolean;
  /** Without pad files. Absent: there are none, or it was not kept yet. */
  readonly contentBytes?: number;
  /** Length of the info dictionary. Absent in rows of before it was kept. */
  readonly metadataBytes?: number;
}

/** Blocks of a piece that are on disk but not verified. */
export interface PartialPiece {
  readonly piece: number;
  /** One bit for each block, most significant first. */
  readonly blocks: Uint8Array;
}

/** Progress of a torrent. Written only after the data it speaks of is on stable storage. */
export interface ResumeRow {
  /** One bit for each piece, most significant first; a set bit is verified and synced, or trusted. */
  readonly have: Uint8Array;
  /** Pieces of `have` that were taken on trust, and have not been hashed yet. Absent: none. */
  readonly trusted?: Uint8Array;
  /** Verified bytes of the whole torrent and of its wanted files, and the size of the wanted files. */
  readonly bytesDone: number;
  readonly wantedDone: number;
  readonly wantedBytes: number;
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
  /** Unix seconds of when payload last moved. Absent: never, or it was not kept yet. */
  readonly lastActivityAt?: number;
  /** Seconds for which it was neither stopped nor checked, and complete besides. Absent: none. */
  readonly activeSeconds?: number;
  readonly seedingSeconds?: number;
  /**
   * Seconds that it counts besides these, in both numbers or the first alone: from a moment on, in seconds that the engine has
   * run over all its runs. Absent: it counts none.
   */
  readonly counting?: { readonly what: 'active' | 'seeding'; readonly since: number };
  /** Each file when the row was written; null size: absent. `ctimeMs` is absent in rows of before it was kept. */
  readonly files: readonly {
    readonly sizeBytes: number | null;
    readonly mtimeMs: number;
    readonly ctimeMs?: number;
  }[];
  /** Times that another program has recorded, until the files have been looked at. Absent: there are none. */
  readonly fileTimes?: RecordedTimes;
  /** Pieces verified shortly before: looked at again should the engine end without having stopped. */
  readonly recent?: readonly number[];
  /** Pieces of which some blocks are on stable storage. */
  readonly partial?: readonly PartialPiece[];
  /** Unix seconds. */
  readonly savedAt: number;
}

/** All that is stored of one torrent. */
export interface StoredTorrent {
  readonly row: TorrentRow;
  /** null while the metadata is unknown. */
  readonly infoBytes: Uint8Array | null;
  readonly resume: ResumeRow | null;
  /** By part. */
  readonly claims: ReadonlyMap<number, Uint8Array>;
  /** By number. */
  readonly pathLists: ReadonlyMap<number, Uint8Array>;
}

/** All promises resolve when the change is durable. Reads see every write that was made before them. */
export interface TorrentStore {
  rows(): Iterable<TorrentRow>;
  row(id: TorrentId): TorrentRow | undefined;
  /** The torrent appears whole or not at all. */
  insert(
    row: TorrentRow,
    infoBytes: Uint8Array | null,
    resume: ResumeRow | null,
    pathLists?: ReadonlyMap<number, Uint8Array>,
  ): Promise<void>;
  /** All that is stored of it; undefined: it is not in the store. */
  whole(id: TorrentId): StoredTorrent | undefined;
  /** The torrent appears as it was stored elsewhere, whole or not at all, in place of whatever was stored of it. */
  insertWhole(torrent: StoredTorrent): Promise<void>;
  update(id: TorrentId, change: Partial<Omit<TorrentRow, 'id'>>): Promise<void>;
  /** Row, metainfo and resume go together. */
  remove(id: TorrentId): Promise<void>;
  /** The info dictionary's exact bytes; undefined while metadata is unknown. */
  infoBytes(id: TorrentId): Uint8Array | undefined;
  putInfoBytes(id: TorrentId, bytes: Uint8Array): Promise<void>;
  resume(id: TorrentId): ResumeRow | undefined;
  /** Many at once in one transaction. Rows of torrents that are gone are left out. */
  putResume(rows: ReadonlyMap<TorrentId, ResumeRow>): Promise<void>;
  /** One part of the record of which files on disk are the torrent's own; they go with it. */
  claims(id: TorrentId, part: number): Uint8Array | undefined;
  /** All parts of it, in no order. */
  allClaims(id: TorrentId): Uint8Array[];
  putClaims(id: TorrentId, part: number, bytes: Uint8Array): Promise<void>;
  /** A list of files with paths of their own (engine/metainfo/path-list.ts); they go with the torrent. */
  pathList(id: TorrentId, number: number): Uint8Array | undefined;
  /** All of the change or nothing. */
  change(id: TorrentId, change: TorrentChange): Promise<void>;
  /** Small engine state by name (peer id seed, DHT nodes). */
  meta(key: string): Uint8Array | undefined;
  putMeta(key: string, value: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** A request for torrents of another engine, or for those that others have handed over. */
export interface TakeRequest {
  /** The engine whose torrents are taken, which is held off; null: those alone that were handed over. */
  readonly from: { readonly engineId: string; /** The epoch by which it is held off. */ readonly epoch: number } | null;
  /** At most so many of that engine's at a time. */
  readonly limit: number;
}

/** Torrents that were taken, and are in the store now. */
export interface TakenTorrents {
  readonly ids: readonly TorrentId[];
  /** Torrents of the other engine that are still to be taken. */
  readonly left: number;
}

/** Torrents on roots that several engines share, which go from one to another with all that is stored of them (storage/shared-roots/). */
export interface TorrentExchange {
  /** The torrent is another engine's from now on, and gone from the store. @throws AppError `TORRENT_NOT_FOUND`, `SAVE_PATH_INVALID` */
  give(id: TorrentId, engineId: string): Promise<void>;
  /** One take at a time. @throws AppError `ENGINE_FENCED`: the other engine has begun again since */
  take(request: TakeRequest): Promise<TakenTorrents>;
}

/** Edited records of one kind, kept crash-safe. */
export interface Collection<Data> {
  readonly data: Data;
  /** Applies the change and resolves when it is durable; when that fails the data is as before, and it rejects. */
  update(change: (data: Data) => void): Promise<void>;
  /** Calls the listener each time after somebody else, another front, has changed the data; never for own updates. */
  onChanged(listener: () => void): void;
  /** Resolves when `data` shows what other fronts have changed before the call. @throws AppError `STORAGE_FAILED` */
  refresh(): Promise<void>;
}

/**
 * Collections by name, such as `accounts`, or `preferences/7` for what is kept of one account. Each has one instance in a
 * process, whoever opens it.
 */
export interface StateStore {
  /**
   * Resolves to the collection of that name, whose data are `defaults` itself while nothing is stored of it.
   * @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED`
   */
  open<Data>(name: string, shape: CollectionShape<Data>): Promise<Collection<Data>>;
  /** Names of collections of which something is stored, in no order. `prefix` ends with a slash. */
  names(prefix: string): Promise<string[]>;
  /**
   * Removes what is stored, after the changes that were asked for before; resolves when that is durable. Whoever has the
   * collection open, at any front, is shown its defaults from then on, and what is changed later is changed on these.
   */
  remove(name: string): Promise<void>;
}

/** A collection as its store has it. */
export interface RemovableCollection<Data> extends Collection<Data> {
  /** Removes what is stored, as {@link StateStore.remove}. */
  remove(): Promise<void>;
}

/** A right that one holder has at a time, and until a moment only. */
export interface Lease {
  /**
   * Grows with each new holder, and with each claim after the lease has run out or was released. Whoever is acted upon takes
   * nothing from one that comes with a lower epoch than it has seen (fencing).
   */
  readonly epoch: number;
  /**
   * Monotonic milliseconds of the holder's clock (shared-protocol/clock.ts), which never come after the moment from which others may
   * have the lease. That clock stands still while a machine sleeps; the epoch does not depend on it.
   */
  readonly untilMs: number;
}

/** Leases by name, for what several fronts must not do at once. Each holder asks for the same span of a lease each time. */
export interface Leases {
  /** null while another has it. The present holder gets the same epoch and a new span. */
  claim(name: string, holder: string, ttlMs: number): Promise<Lease | null>;
  /** A new span from now; null when the lease has run out, was released, or is another's: it may only be claimed again then. */
  renew(name: string, holder: string, epoch: number, ttlMs: number): Promise<Lease | null>;
  /** Lets others have it at once; one that is not held any more is left alone. */
  release(name: string, holder: string, epoch: number): Promise<void>;
  /** Calls the listener after somebody, this process included, has released a lease, or may have. One that runs out calls nobody. */
  onReleased(listener: () => void): void;
}

/** The trace of a feed's last poll that brought an answer. */
export interface FeedPoll {
  /** The URL that was polled; the other fields say nothing of another one. */
  readonly url: string;
  /** The answer's ETag; empty when it had none. */
  readonly etag: string;
  readonly lastModified: string;
  /** Names the filters by which everything in it was judged; empty while something in it is left to do. */
  readonly judgedBy: string;
  /** Unix seconds. */
  readonly lastPolled: number;
}

/** An item of a feed that needs no further look, or not for now. */
export type SeenItem = {
  /** Unix seconds of when it was remembered. */
  readonly at: number;
} & (
  | {
      readonly kind: 'done';
      /** The torrent that was added for it; null: none. */ readonly torrentId: TorrentId | null;
    }
  | { readonly kind: 'failed'; readonly tries: number; /** Unix seconds. */ readonly retryAt: number }
);

/** The memory of feed polling (LMDB). Promises resolve when the change is durable; reads see it from then on. */
export interface FeedMemory {
  poll(feedId: number): FeedPoll | undefined;
  putPoll(feedId: number, poll: FeedPoll): Promise<void>;
  item(feedId: number, guid: string): SeenItem | undefined;
  /** `isAdded`: counts for {@link added}, in the same transaction. */
  putItem(feedId: number, guid: string, item: SeenItem, isAdded?: boolean): Promise<void>;
  /** Whether an item of the feed that is remembered led to the torrent. */
  hasTorrent(feedId: number, torrentId: TorrentId): boolean;
  /** How many items of the feed became torrents. */
  added(feedId: number): number;
  /** Forgets the oldest items beyond `limit`, but none of `keep`. */
  trim(feedId: number, limit: number, keep: Iterable<string>): Promise<void>;
  /** Everything about the feed. */
  forget(feedId: number): Promise<void>;
  /** Ids of feeds of which anything is remembered, ascending. */
  feedIds(): number[];
  /** Resolves when reads see what other fronts have written so far. @throws AppError `STORAGE_FAILED` */
  refresh(): Promise<void>;
  close(): Promise<void>;
}
