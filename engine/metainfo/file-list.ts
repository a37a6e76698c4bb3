// The files of a torrent in order: offsets, and paths of which no two are the same place on disk (safety.md 2.6).
// Deterministic: the same info dictionary gives the same paths at every start, so renames need not be stored.
import { AppError } from '../../shared-protocol/errors.js';
import { MAX_DUPLICATE_PATHS } from './constants.js';
import { numberedElement } from './safe-path.js';
import type { TorrentFile } from './types.js';

/** A file as the info dictionary lists it: below the torrent's folder, its path elements safe already. */
export interface ListedFile {
  readonly path: readonly string[];
  /** As its author wrote it, where that is not the same. */
  readonly rawPath?: readonly string[];
  readonly sizeBytes: number;
  readonly isPad: boolean;
}

export interface FileListOptions {
  /** Paths that differ only in case collide too: for file systems that take them for the same. @default false */
  readonly caseInsensitive?: boolean;
}

/**
 * @param folder the torrent's own folder, safe already
 * @throws AppError `TORRENT_INVALID` when more than 500 files share paths
 */
export function buildFileList(
  folder: string,
  listed: readonly ListedFile[],
  options: FileListOptions = {},
): TorrentFile[] {
  const onDisk = listed.filter((file) => !file.isPad).map((file) => file.path);
  const paths = new DistinctPaths(onDisk, options.caseInsensitive ?? false);
  let offset = 0;
  return listed.map(({ path, rawPath, sizeBytes, isPad }, index) => {
    // Pad files are never on disk, so their paths may repeat; most clients give them all the same ones.
    const distinct = isPad ? path : paths.claim(path);
    const raw = rawPath ?? (distinct === path ? undefined : path);
    const file = { index, path: [folder, ...distinct], sizeBytes, offset, isPad };
    offset += sizeBytes;
    return raw && !isPad ? { ...file, rawPath: raw } : file;
  });
}

/** No path is given to two files, nor to a file and a folder: the file gives way. */
class DistinctPaths {
  /** Every path as listed; a new name must not take what a later file is called. */
  readonly #listed: ReadonlySet<string>;
  /** The folders files lie in, without the folders above those: deep paths would make too many. */
  readonly #parents: readonly string[];
  /** The same in order, made for the first rename: new names may have to be tried a quarter of a million times. */
  #sortedParents: readonly string[] | null = null;
  /** Listed paths that are folders of other files. */
  readonly #folders = new Set<string>();
  readonly #taken = new Set<string>();
  #renamed = 0;

  constructor(
    paths: readonly (readonly string[])[],
    private readonly caseInsensitive: boolean,
  ) {
    this.#listed = new Set(paths.map((path) => this.#key(path)));
    const parents = new Set<string>();
    for (const key of this.#listed) parents.add(key.slice(0, Math.max(0, key.lastIndexOf('/'))));
    for (const parent of parents) {
      for (let end = parent.length; end > 0; end = parent.lastIndexOf('/', end - 1)) {
        const folder = parent.slice(0, end);
        if (this.#listed.has(folder)) this.#folders.add(folder);
      }
    }
    this.#parents = [...parents];
  }

  claim(path: readonly string[]): readonly string[] {
    const key = this.#key(path);
    if (!this.#taken.has(key) && !this.#folders.has(key)) {
      this.#taken.add(key);
      return path;
    }
    if (++this.#renamed <= MAX_DUPLICATE_PATHS) {
      const folder = path.slice(0, -1);
      for (let number = 1; number <= MAX_DUPLICATE_PATHS; number++) {
        const renamed = [...folder, numberedElement(path.at(-1) ?? '', number)];
        if (this.#takeNew(this.#key(renamed))) return renamed;
      }
    }
    const shown = JSON.stringify(path.join('/').slice(0, 200));
    throw new AppError('TORRENT_INVALID', `info.files: more than ${MAX_DUPLICATE_PATHS} duplicate paths, at ${shown}`);
  }

  #takeNew(key: string): boolean {
    if (this.#taken.has(key) || this.#listed.has(key) || this.#isFolder(key)) return false;
    this.#taken.add(key);
    return true;
  }

  #isFolder(key: string): boolean {
    const sorted = (this.#sortedParents ??= [...this.#parents].sort());
    return sorted[lowerBound(sorted, key)] === key || !!sorted[lowerBound(sorted, `${key}/`)]?.startsWith(`${key}/`);
  }

  /** Elements hold no slash, so joined paths are alike only if their elements are. */
  #key(path: readonly string[]): string {
    const normal = path.join('/').normalize('NFC');
    return this.caseInsensitive ? normal.toUpperCase().toLowerCase() : normal;
  }
}

/** Index of the first text that is not below `key`. */
function lowerBound(sorted: readonly string[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
