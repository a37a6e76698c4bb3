// Names of a torrent's files while they are incomplete: their own with a suffix, on top of wherever the torrent is laid out. A
// file keeps its own name throughout where the other would be another file or folder of the torrent, or too long for a
// file system. Pure. Which of the two names a file has is on disk alone, and stored nowhere.
import { MAX_NAME_BYTES } from './constants.js';
import { foldCase } from './file-list.js';
import type { TorrentFile } from './types.js';

/** The name itself, and the one that it has while the file is incomplete. */
export function bothNames(name: string, suffix: string | undefined): readonly string[] {
  if (suffix === undefined || Buffer.byteLength(name + suffix) > MAX_NAME_BYTES) return [name];
  return [name, name + suffix];
}

export class IncompleteNames {
  /** Folded paths of files and folders that end with the suffix; made when first asked for. */
  #taken: ReadonlySet<string> | null = null;

  /** `files`: with their paths on disk. */
  constructor(
    private readonly files: readonly TorrentFile[],
    readonly suffix: string | undefined,
  ) {}

  /** null: it has its own name from the beginning. */
  pathOf({ path, sizeBytes, isPad }: Pick<TorrentFile, 'path' | 'sizeBytes' | 'isPad'>): readonly string[] | null {
    if (this.suffix === undefined || isPad || sizeBytes === 0) return null;
    const name = path.at(-1)! + this.suffix;
    if (Buffer.byteLength(name) > MAX_NAME_BYTES) return null;
    const there = [...path.slice(0, -1), name];
    this.#taken ??= endingWith(this.files, this.suffix);
    return this.#taken.size > 0 && this.#taken.has(folded(there)) ? null : there;
  }

  /** The files under all names that they may have, each with its index. */
  withBoth(files: readonly TorrentFile[]): readonly TorrentFile[] {
    if (this.suffix === undefined) return files;
    return files.flatMap((file) => {
      const path = this.pathOf(file);
      return path ? [file, { ...file, path }] : [file];
    });
  }
}

function endingWith(files: readonly TorrentFile[], suffix: string): ReadonlySet<string> {
  const end = foldCase(suffix);
  const found = new Set<string>();
  for (const { path, isPad } of files) {
    for (let depth = 1; depth <= path.length && !isPad; depth++) {
      if (foldCase(path[depth - 1]!).endsWith(end)) found.add(folded(path.slice(0, depth)));
    }
  }
  return found;
}

function folded(path: readonly string[]): string {
  return foldCase(path.join('/'));
}
