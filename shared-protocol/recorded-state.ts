// What another program has recorded of a torrent, as far as Swarmd can believe it: handed over with an add, so that nothing is
// downloaded or hashed again that is there. Nothing here is trusted by the engine further than the files on disk bear it out.

/** Bits of pieces or of blocks of 16 KiB, the most significant first. */
export interface RecordedBits {
  readonly of: 'pieces' | 'blocks';
  readonly bits: Uint8Array;
  /** How many there are by that program; null: it does not say. */
  readonly count: number | null;
}

/** Times of files, in Unix seconds, by index; null where it has none. */
export interface RecordedTimes {
  /** `exact`: of the last write, give or take a second. `latest`: nothing was written since. */
  readonly kind: 'exact' | 'latest';
  readonly seconds: readonly (number | null)[];
}

export interface RecordedState {
  readonly have: 'all' | 'none' | RecordedBits;
  /** Blocks of pieces that are not whole, the most significant bit first. */
  readonly unfinished: readonly { readonly piece: number; readonly blocks: Uint8Array }[];
  /** null: it keeps none. */
  readonly fileTimes: RecordedTimes | null;
  /** By index; null: all are `normal`. */
  readonly filePriorities: readonly ('skip' | 'normal' | 'high' | 'max')[] | null;
  /** Files, by index, that lie elsewhere below the save path than the metainfo has them, as elements. */
  readonly paths: readonly (readonly [index: number, path: readonly string[]])[];
  /**
   * How names of the author are on disk: as POSIX file systems have them, without characters that change the direction of writing;
   * as Windows would have them; or `raw`, as they were written wherever that is a name at all.
   */
  readonly names: 'posix' | 'windows' | 'raw';
  /** The folder in place of the metainfo's own; empty: none. Absent: its own. */
  readonly folder?: string;
  /** In place of those of the metainfo, by tier; null: those. */
  readonly trackers: readonly (readonly string[])[] | null;
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
  readonly activeSeconds: number;
  readonly seedingSeconds: number;
  /** Unix seconds; 0 where it is not known. */
  readonly addedAt: number;
  readonly completedAt: number;
  readonly lastActivityAt: number;
}
