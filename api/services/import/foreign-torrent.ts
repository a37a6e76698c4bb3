// A torrent as another program has it, in words of no program: what the readers make of its records, and all that the rest of
// an import knows. Nothing in it has been judged: paths and names are as they were found.
import type { RateLimits } from '../../../shared-protocol/commands/limits.js';
import type { TorrentSource } from '../../../shared-protocol/commands/adding.js';
import type { Remark } from '../../../shared-protocol/import-remarks/remark.js';
import type { SeedingLimit } from '../../../shared-protocol/library-record.js';
import type { RecordedState } from '../../../shared-protocol/recorded-state.js';
import type { ForeignSettings } from './foreign-settings.js';

export interface ForeignTorrent {
  readonly source: TorrentSource;
  /** Absolute; where its files lie now. */
  readonly savePath: string;
  /** Where it is brought once it is complete; empty: it stays. */
  readonly completePath: string;
  readonly state: RecordedState;
  readonly paused: boolean;
  readonly forced: boolean;
  readonly sequential: boolean;
  readonly firstLastFirst: boolean;
  /** Shown in place of its own name; empty: that is. */
  readonly name: string;
  /** Empty: none. */
  readonly category: string;
  readonly tags: readonly string[];
  readonly rateLimits: RateLimits;
  readonly seeding: ForeignSeeding;
  /** That names of incomplete files have; empty: none. */
  readonly incompleteSuffix: string;
  /** Remarks about what is not taken over. */
  readonly notes: readonly Remark[];
}

export interface ForeignSeeding {
  readonly ratio: SeedingLimit;
  readonly minutes: SeedingLimit;
  readonly inactiveMinutes: SeedingLimit;
}

export const SEEDING_AS_HERE: ForeignSeeding = {
  ratio: 'inherited',
  minutes: 'inherited',
  inactiveMinutes: 'inherited',
};

export interface ForeignCategory {
  readonly name: string;
  /** Empty: none of its own. */
  readonly savePath: string;
}

/** The state of another program, opened. */
export interface ForeignLibrary {
  /** Names of its torrents' records, in the order of its queue. */
  readonly entries: readonly string[];
  /** @throws AppError `IMPORT_UNREADABLE` where the torrent's record is broken, which costs that torrent alone */
  read(entry: string): Promise<ForeignTorrent>;
  readonly categories: readonly ForeignCategory[];
  readonly settings: ForeignSettings;
  /** Remarks about what is not taken over of the whole. */
  readonly notes: readonly Remark[];
}

export const NOTHING_RECORDED: RecordedState = {
  have: 'none',
  unfinished: [],
  fileTimes: null,
  filePriorities: null,
  paths: [],
  names: 'posix',
  trackers: null,
  uploadedBytes: 0,
  downloadedBytes: 0,
  activeSeconds: 0,
  seedingSeconds: 0,
  addedAt: 0,
  completedAt: 0,
  lastActivityAt: 0,
};
