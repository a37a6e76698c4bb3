// Adding a torrent: where it comes from, where it lies, and how it begins.
import type { ContentLayout } from '../content-layout.js';
import type { AccountId, TorrentId } from '../ids.js';
import type { LibraryRecord } from '../library-record.js';
import type { NewNameRules } from '../name-rules.js';
import type { Preallocation } from '../preallocation.js';
import type { RecordedState } from '../recorded-state.js';
import type { RateLimits } from './limits.js';
import type { FileDetail, FilePriority } from './details.js';

/** Where a torrent comes from. */
export type TorrentSource =
  | { readonly kind: 'metainfo'; /** The whole `.torrent` file. */ readonly bytes: Uint8Array }
  | { readonly kind: 'magnet'; readonly uri: string };

/** Where a torrent that has been added pauses by itself: with its metadata, or once what lies there has been checked. */
export type StopPoint = 'metadata' | 'check';

/** Wishes for a torrent from its very beginning, durable with it; one more holder has them for its own share. */
export interface AddingWishes {
  /** The first and last pieces of each wanted file come first. @default false */
  readonly firstLastFirst?: boolean;
  /** @default false */
  readonly forceStart?: boolean;
  /** Limits of this torrent alone. @default none */
  readonly rateLimits?: RateLimits;
  /**
   * By file index; files that are not named are `normal`. Of a magnet they hold when its metadata comes, those that name
   * no file of it for nothing; else they are refused: `FILE_INDEX_INVALID`.
   */
  readonly filePriorities?: Readonly<Record<number, FilePriority>>;
  /**
   * Patterns of names (`excluded-names.ts`): files that match and are not named by index are `skip`, when the files are
   * first known. @default none
   */
  readonly excludedNames?: readonly string[];
  /** Before all others in the queue, whose order is nobody's own: for one more holder nothing. @default false */
  readonly isFirstInQueue?: boolean;
  /** @default nowhere */
  readonly stopAfter?: StopPoint;
  /**
   * Files that lie there are trusted without a check, where all that are wanted have their very sizes and no time in the
   * future; they are hashed before anything of them goes out. One more holder has nothing to trust. @default false
   */
  readonly skipCheck?: boolean;
}

export interface AddTorrentParams extends AddingWishes {
  readonly source: TorrentSource;
  /** Absolute directory that receives the torrent's files. */
  readonly savePath: string;
  /** Absolute directory that they are brought to once the torrent is complete; files that lie there already are used. @default they stay */
  readonly completePath?: string;
  /** The account that adds it, and so owns it. */
  readonly ownerId: AccountId;
  /** @default NEW_LIBRARY_RECORD */
  readonly library?: LibraryRecord;
  readonly paused: boolean;
  /** Earliest pieces first. @default false */
  readonly sequential?: boolean;
  /**
   * The creation by which what lies there was hashed just now: it is not checked again. `FILES_CHANGED` where it is not as
   * it was; `SAVE_PATH_INVALID` where the torrent would lie elsewhere. Nothing of it where the torrent is there already.
   */
  readonly created?: number;
  /** Whether its files lie in a folder. @default 'original' */
  readonly layout?: ContentLayout;
  /** Room that its files are given when they are made. @default 'none' */
  readonly preallocation?: Preallocation;
  /** The suffix that names have while files are incomplete. @default none */
  readonly incompleteSuffix?: string;
  /** The rules by which names of its author are on disk; with `recorded` its own hold. @default 'posix' */
  readonly names?: NewNameRules;
  /**
   * The record of another program: the torrent lies exactly where that says, and begins with its pieces, figures and dates.
   * `SAVE_PATH_INVALID` where it may not lie so. Nothing of it where the torrent is there already.
   */
  readonly recorded?: RecordedState;
  /** An administrator has the torrent take over what lies at its paths; only with `recorded`. @default false */
  readonly takeOver?: boolean;
  /** The torrent is on this engine already, or nothing is done: `TORRENT_NOT_FOUND`. The save path is then of another machine. @default false */
  readonly mustExist?: boolean;
  /** Bytes of content that it may have, as far as they are known yet: `TORRENT_TOO_LARGE`. @default any number */
  readonly maxBytes?: number;
  /** The name of the engine that was chosen for it, of several that are taken as one. @default that of its account */
  readonly on?: string;
}

/** A torrent file as it would be added, for people to look at. */
export interface MetainfoDetail {
  readonly id: TorrentId;
  /** Names are as they would be on disk. */
  readonly name: string;
  /** Pad files (BEP 47) are in none of the numbers. */
  readonly totalBytes: number;
  readonly pieceLength: number;
  readonly pieceCount: number;
  readonly isPrivate: boolean;
  readonly fileCount: number;
  /** The first ones, as many as were asked for. */
  readonly files: readonly Pick<FileDetail, 'index' | 'path' | 'sizeBytes'>[];
  /** Hosts with their ports, each once: what is behind them in an address may be a passkey. */
  readonly trackerHosts: readonly string[];
}

export interface AddTorrentResult {
  readonly id: TorrentId;
  /** The torrent was there already, and nothing of it was changed. */
  readonly existed: boolean;
  /** The announce tiers of the source, for `mergeTrackers` where it existed. */
  readonly trackers: readonly (readonly string[])[];
}
