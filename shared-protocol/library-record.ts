// What accounts have made of a torrent. It is stored with the torrent and goes with it; the engine keeps it without
// looking into it. Ids of what has been deleted since may be in it: no id is ever given out again, so a reader takes
// them for none (an owner who is gone: account 1).
import type { AccountId } from './ids.js';

/** One account that may see a torrent which it does not own. */
export interface Share {
  readonly accountId: AccountId;
  readonly access: 'editor' | 'viewer';
}

/** Things done with a torrent that has seeded enough. */
export const SEEDING_ACTIONS = ['pause', 'super_seed', 'tag', 'remove', 'remove_with_data'] as const;
export type SeedingAction = (typeof SEEDING_ACTIONS)[number];

/** null is no limit; inherited ones are those of the category, of the tracker or of all torrents. */
export type SeedingLimit = number | null | 'inherited';

/** When a torrent has seeded enough, in place of what its category, its trackers and the defaults say. */
export interface SeedPolicy {
  /** Bytes up by bytes done. */
  readonly ratioLimit: SeedingLimit;
  readonly minutesLimit: SeedingLimit;
  /** Minutes since payload moved last. Absent: no limit. */
  readonly inactiveMinutesLimit?: SeedingLimit;
  /** Absent: `pause`. */
  readonly action?: SeedingAction | 'inherited';
  /** Which one, where the action is `tag`. */
  readonly tagId?: number;
}

/** A quota of its account for which a torrent is paused: room on disk, or how many may run. */
export type QuotaHold = 'bytes' | 'active';

export interface LibraryRecord {
  /** Shown in place of the torrent's own name. Absent: that one is. */
  readonly name?: string;
  /** In the order in which they were granted; an account is in it once at most. */
  readonly shares: readonly Share[];
  readonly categoryId: number | null;
  /** In the order in which they were assigned, each once. */
  readonly tagIds: readonly number[];
  /** null: the defaults hold. */
  readonly seedPolicy: SeedPolicy | null;
  /** Unix seconds of when it was first seen complete and not paused; null before. */
  readonly seedingSince: number | null;
  /**
   * Something of it may be the choice of others: another account may change it or once might, or it was added again with
   * further trackers. No rule but its owner's own removes it then. Absent: not.
   */
  readonly hasOthersChoices?: true;
  /** Why it is paused without anybody having asked for it. Absent: it is not. */
  readonly quotaHold?: QuotaHold;
}

export const NEW_LIBRARY_RECORD: LibraryRecord = {
  shares: [],
  categoryId: null,
  tagIds: [],
  seedPolicy: null,
  seedingSince: null,
};
