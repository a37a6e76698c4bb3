// The record of which files on disk are a torrent's own, by inode and time of birth, kept in the store in parts of a
// few hundred files so that one more file costs one small write. Device numbers are not in it: they change from one
// boot to the next, and that the volume of a save path is the right one is `disk/save-paths.ts`'s to know.
import { AppError } from '../../shared-protocol/errors.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { TorrentStore } from '../../storage/types.js';

/** The numbers that a file is known by. */
export interface FileIdentity {
  readonly inode: number;
  /** Unix milliseconds; 0 where the file system does not keep it. An inode number alone is soon given out again. */
  readonly birthMs: number;
}

/** One part is 4 KiB. */
const FILES_PER_PART = 256;
/** In place of an inode: the file was about to be made. */
const TO_BE_MADE = -1;
/** Parts from here on are of the other place of a torrent that is being moved: no torrent has so many files. */
export const ELSEWHERE = 1_000_000;

export type RecordStore = Pick<TorrentStore, 'claims' | 'allClaims' | 'putClaims'>;

/** The inodes of all files that are recorded as a torrent's own. */
export function inodesOf(store: RecordStore, id: TorrentId): Set<number> {
  const inodes = new Set<number>();
  for (const stored of store.allClaims(id)) {
    const part = new Float64Array(stored.slice().buffer);
    for (let at = 0; at < part.length; at += 2) if (part[at]! > 0) inodes.add(part[at]!);
  }
  return inodes;
}

export class FileRecord {
  /** Only of parts that were asked for. Two numbers for each file: inode (0: none) and birth. */
  readonly #parts = new Map<number, Float64Array>();
  /** Parts in which this run has announced that files will be made. */
  readonly #announced = new Map<number, Promise<void>>();

  constructor(
    private readonly store: RecordStore,
    private readonly id: TorrentId,
    private readonly fileCount: number,
    private readonly onSet: (inode: number) => void = () => undefined,
    private readonly firstPart = 0,
  ) {}

  /** null: none, or not yet. */
  of(index: number): FileIdentity | null {
    const { part, at } = this.#place(index);
    const inode = part[at]!;
    return inode > 0 ? { inode, birthMs: part[at + 1]! } : null;
  }

  has(index: number, identity: FileIdentity): boolean {
    const own = this.of(index);
    return own !== null && isSameFile(own, identity);
  }

  /** An earlier run was about to make it, and may have ended in between. */
  wasToBeMade(index: number): boolean {
    const { part, at, number } = this.#place(index);
    return part[at] === TO_BE_MADE && !this.#announced.has(number);
  }

  /** Before files of this part are made for the first time in a run. Durable when it resolves. */
  announce(index: number): Promise<void> {
    const { part, number } = this.#place(index);
    let announced = this.#announced.get(number);
    if (!announced) {
      for (let at = 0; at < part.length; at += 2) if (part[at] === 0) part[at] = TO_BE_MADE;
      announced = this.#save(number, part);
      this.#announced.set(number, announced);
      announced.catch(() => this.#announced.delete(number));
    }
    return announced;
  }

  /** Holds at once; durable when it resolves. */
  set(index: number, { inode, birthMs }: FileIdentity): Promise<void> {
    const { part, at, number } = this.#place(index);
    part[at] = inode;
    part[at + 1] = birthMs;
    this.onSet(inode);
    return this.#save(number, part);
  }

  async #save(number: number, part: Float64Array): Promise<void> {
    try {
      await this.store.putClaims(
        this.id,
        this.firstPart + number,
        new Uint8Array(part.buffer, part.byteOffset, part.byteLength),
      );
    } catch (error) {
      // Removed while the last of it was being written: there is nothing to record any more.
      if (!(error instanceof AppError && error.code === 'TORRENT_NOT_FOUND')) throw error;
    }
  }

  #place(index: number): { readonly part: Float64Array; readonly at: number; readonly number: number } {
    const number = Math.floor(index / FILES_PER_PART);
    let part = this.#parts.get(number);
    if (!part) {
      part = new Float64Array(2 * Math.min(FILES_PER_PART, this.fileCount - number * FILES_PER_PART));
      const stored = this.store.claims(this.id, this.firstPart + number);
      if (stored?.byteLength === part.byteLength) new Uint8Array(part.buffer).set(stored);
      this.#parts.set(number, part);
    }
    return { part, at: 2 * (index % FILES_PER_PART), number };
  }
}

/** A whole record as it is stored, one entry for each file; null: the torrent has none. */
export function partsOf(files: readonly (FileIdentity | null)[], firstPart = 0): Map<number, Uint8Array> {
  const parts = new Map<number, Uint8Array>();
  for (let from = 0; from < files.length; from += FILES_PER_PART) {
    const numbers = files.slice(from, from + FILES_PER_PART).flatMap((file) => [file?.inode ?? 0, file?.birthMs ?? 0]);
    parts.set(firstPart + from / FILES_PER_PART, new Uint8Array(Float64Array.from(numbers).buffer));
  }
  return parts;
}

/** That the record of the other place is forgotten, as it is stored. */
export function nothingElsewhere(fileCount: number): Map<number, null> {
  const count = Math.ceil(fileCount / FILES_PER_PART);
  return new Map(Array.from({ length: count }, (_, part) => [ELSEWHERE + part, null]));
}

function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  if (one.inode !== other.inode) return false;
  return one.birthMs === other.birthMs || one.birthMs === 0 || other.birthMs === 0;
}
