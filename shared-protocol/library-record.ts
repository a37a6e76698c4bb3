// What accounts have made of a torrent. It is stored with the torrent and goes with it; the engine keeps it without
// looking into it. Ids of what has been deleted since may be in it: no id is ever given out again, so a reader takes
// them for none (an owner who is gone: account 1).
import type { AccountId } from './ids.js';

/** One account that may see a torrent which it does not own. */
export interface Share {
  readonly accountId: AccountId;
  readonly access: 'editor' | 'viewer';
}

/** Stands for both limits of the defaults; null is no limit. */
export interface SeedPolicy {
  /** Bytes up by bytes done. */
  readonly ratioLimit: number | null;
  readonly minutesLimit: number | null;
}

export interface LibraryRecord {
  /** In the order in which they were granted; an account is in it once at most. */
  readonly shares: readonly Share[];
  readonly categoryId: number | null;
  /** In the order in which they were assigned, each once. */
  readonly tagIds: readonly number[];
  /** null: the defaults hold. */
  readonly seedPolicy: SeedPolicy | null;
  /** Unix seconds of when it was first seen complete and not paused; null before. */
  readonly seedingSince: number | null;
}

export const NEW_LIBRARY_RECORD: LibraryRecord = {
  shares: [],
  categoryId: null,
  tagIds: [],
  seedPolicy: null,
  seedingSince: null,
};
