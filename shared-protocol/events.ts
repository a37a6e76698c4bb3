// What the engine tells the main thread. Facts that change rarely travel here; numbers live in the stats table.
import type { RateLimits } from './commands/limits.js';
import type { AccountId, TorrentId } from './ids.js';
import type { ErrorRecord } from './errors.js';
import type { LibraryRecord } from './library-record.js';
import type { StatsTable } from './stats-table.js';

/** The rarely changing facts of one torrent. Flags, rates and counters are in its stats row. */
export interface TorrentFacts {
  readonly id: TorrentId;
  /** Row in the stats table, and the tag by which a reader knows the row is still this torrent's. */
  readonly row: number;
  readonly rowTag: number;
  readonly name: string;
  /** The folder or the one file below the save path; empty where it lies there in several. Absent: `name`. */
  readonly contentName?: string;
  /** Announce URLs in the order of their tiers, a line each: measured, a list of them takes half as much memory again. */
  readonly trackers: string;
  readonly savePath: string;
  /** Bytes of all its files, without pad files; 0 while metadata is unknown. */
  readonly totalBytes: number;
  readonly isPrivate: boolean;
  readonly hasMetadata: boolean;
  /** Bytes of the info dictionary; 0 while metadata is unknown. */
  readonly metadataBytes: number;
  /** Unix seconds. */
  readonly addedAt: number;
  /** Unix seconds of the first completion; null before it. */
  readonly completedAt: number | null;
  readonly ownerId: AccountId;
  readonly library: LibraryRecord;
  /** Why the torrent does not run although it should: disk full, files missing, … */
  readonly error: ErrorRecord | null;
  /** Whether the engine that has it is not reached, as a front of several engines says of each; absent: there is but one. */
  readonly isAway?: boolean;
  /** Why none of its trackers works; absent: one does, or none has failed so far. */
  readonly trackerError?: TrackerError;
  /** Absent: it is not wanted. */
  readonly superSeeding?: true;
  /** Limits of speed of its own; absent: none. */
  readonly rateLimits?: RateLimits;
  /** Where several accounts hold it, all of them, the owner first (engine/torrent/holders.ts). */
  readonly holders?: readonly HolderFacts[];
}

/** The failure of the first of its trackers that has failed. */
export interface TrackerError {
  readonly url: string;
  /** The tracker's own words (BEP 3, `failure reason`), or what hindered the announce. */
  readonly message: string;
  /** The words are its own. */
  readonly isRefusal: boolean;
}

/** The share that one of several accounts has of a torrent. */
export interface HolderFacts extends Pick<
  TorrentFacts,
  'trackers' | 'addedAt' | 'library' | 'superSeeding' | 'rateLimits' | 'trackerError'
> {
  readonly accountId: AccountId;
  /** Where it would have saved the torrent; the owner: where it lies. */
  readonly savePath: string;
  /** The torrent's name for this account while the metadata is unknown. */
  readonly name: string;
  readonly paused: boolean;
  readonly sequential: boolean;
  readonly forceStart: boolean;
  /** Absent: not. */
  readonly firstLastFirst?: boolean;
}

/** Files that lie where a torrent was that is gone. */
export interface FilesLeft {
  readonly id: TorrentId;
  readonly ownerId: AccountId;
  readonly name: string;
  /** The path of its folder or file, or of what they lie in. */
  readonly path: string;
  /** The first failure. */
  readonly error: ErrorRecord;
}

export interface EngineEvents {
  /** After the store is loaded (in batches) and after each add, before the command is answered. */
  'torrents.added': { readonly torrents: readonly TorrentFacts[] };
  /** When any fact of a torrent changed: metadata arrived, it completed, it failed. */
  'torrent.changed': { readonly facts: TorrentFacts };
  /** When a torrent is gone, before `removeTorrent` is answered. */
  'torrent.removed': {
    readonly id: TorrentId;
    /** Payload over its lifetime, as it was last. @default what its row in the stats table said last */
    readonly moved?: { readonly down: number; readonly up: number };
    /** The engine that has it from now on, with its files. Absent: it is gone. */
    readonly givenTo?: string;
  };
  /** When files of a torrent that was removed with them could not be deleted: they are nobody's, and take room. */
  'files.left': FilesLeft;
  /** At start and each time the table has grown; the previous one is not written any more. */
  'stats.table': StatsTable;
  /** An engine on shared roots asks for its lease, or for more of it (`grantLease`); `asked` is told back. */
  'lease.wanted': { readonly asked: number };
  /** A log line of the engine thread, for the one logger of the process. */
  log: { readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly message: string; readonly fields: LogFields };
}

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export type EventName = keyof EngineEvents;

/** An event as it crosses: a union discriminated by `name`. */
export type EngineEvent = {
  [Name in EventName]: { readonly name: Name; readonly payload: EngineEvents[Name] };
}[EventName];

export type EngineEventListener = (event: EngineEvent) => void;
