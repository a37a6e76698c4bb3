// Under which of its names a file lies: its own, or while it is incomplete the one with the suffix (docs/decisions/0032-incomplete-names-are-looked-up.md).
// The disk alone says so, each time that a file is opened or looked at: whatever an end at any moment has left is found. Where both
// are there, the torrent's is the one recorded as its own; the other stays as it is.
import type { Stats } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { IncompleteNames } from '../metainfo/incomplete-names.js';
import type { TorrentFile } from '../metainfo/types.js';
import type { AbsentFolders } from './absent-folders.js';
import { isAbsent } from './errors.js';
import { foundFile, type FolderTree } from './open-beneath.js';
import type { FileOwnership } from './types.js';

/** A file of the torrent as it lies. */
export interface NamedFile {
  readonly path: readonly string[];
  readonly isIncomplete: boolean;
  readonly stats: Stats;
}

/** A name that a file may be opened by. */
export type OpenName = Pick<NamedFile, 'path' | 'isIncomplete'>;

export interface FileNamesDeps {
  readonly tree: FolderTree;
  /** null where all that lies at the torrent's paths is its own. */
  readonly ownership: Pick<FileOwnership, 'admits' | 'admitsIncomplete' | 'isRecorded'> | null;
}

export class FileNames {
  readonly #names: IncompleteNames;

  constructor(
    private readonly deps: FileNamesDeps,
    files: readonly TorrentFile[],
    suffix: string | undefined,
  ) {
    this.#names = new IncompleteNames(files, suffix);
  }

  /** The name of the file while it is incomplete; null: its own. */
  incompletePath(file: TorrentFile): readonly string[] | null {
    return this.#names.pathOf(file);
  }

  /** The torrent's own file; null: there is none. Throws system errors, or refuses with `DISK_FAILED`. `absent`: of a look at many. */
  find(file: TorrentFile, absent?: AbsentFolders): Promise<NamedFile | null> {
    return this.#look(file, this.incompletePath(file), absent);
  }

  /** The name by which the file is to be opened; `write`: it is made where it is not there. */
  async nameFor(file: TorrentFile, mode: 'read' | 'write'): Promise<OpenName> {
    const own = { path: file.path, isIncomplete: false };
    const path = this.incompletePath(file);
    if (!path) return own;
    const found = await this.#look(file, path);
    if (found) return found;
    // Where something that is not the torrent's has the name the file gets its own at once.
    const isFree = mode === 'write' && (await this.deps.tree.stat(path)) === null;
    return isFree ? { path, isIncomplete: true } : own;
  }

  async #look(
    file: TorrentFile,
    incompletePath: readonly string[] | null,
    absent?: AbsentFolders,
  ): Promise<NamedFile | null> {
    const { tree } = this.deps;
    const own = regular(await tree.stat(file.path, absent));
    const asOwn = (stats: Stats): NamedFile => ({ path: file.path, isIncomplete: false, stats });
    if (!incompletePath) return own && this.#admits(file, own) ? asOwn(own) : null;
    // Nearly all files of torrents that seed: one look is enough.
    if (own && own.nlink === 1 && this.#isRecorded(file, own)) return asOwn(own);
    const other = regular(await tree.stat(incompletePath, absent));
    if (own && other && isSame(own, other) && this.#admits(file, own)) {
      await this.#drop(incompletePath);
      return asOwn(own);
    }
    const asIncomplete = (stats: Stats): NamedFile => ({ path: incompletePath, isIncomplete: true, stats });
    if (other && this.#isRecorded(file, other)) return asIncomplete(other);
    if (own && this.#admits(file, own)) return asOwn(own);
    return other && this.#admitsIncomplete(file, other) ? asIncomplete(other) : null;
  }

  /** An earlier run ended after the file had its own name and before it had lost the other. */
  async #drop(path: readonly string[]): Promise<void> {
    const { tree } = this.deps;
    await tree
      .within(path.slice(0, -1), false, (folder) => unlink(folder.entry(path.at(-1)!)))
      .catch((error: unknown) => {
        if (!isAbsent(error)) throw error;
      });
    tree.distrust(path);
  }

  #admits({ index }: TorrentFile, stats: Stats): boolean {
    return this.deps.ownership?.admits(index, foundFile(stats)) ?? true;
  }

  #admitsIncomplete({ index }: TorrentFile, stats: Stats): boolean {
    return this.deps.ownership?.admitsIncomplete(index, foundFile(stats)) ?? true;
  }

  #isRecorded({ index }: TorrentFile, stats: Stats): boolean {
    return this.deps.ownership?.isRecorded(index, foundFile(stats)) ?? false;
  }
}

export function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

function regular(stats: Stats | null): Stats | null {
  return stats?.isFile() ? stats : null;
}
