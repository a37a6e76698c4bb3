// Brings a torrent's files from one save path to another, or to other paths below it, so that at each moment one of the two
// places is whole. A file
// gets one more name where both lie on one volume, and is copied where that cannot be; which it is the system says when
// it is asked, as device numbers do not. What has a name already is never written over, and what is removed again is only
// what was made here: a link to the very file at the other place, or what is recorded as its own.
import { close, fstat, type Stats } from 'node:fs';
import { link, lstat, unlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { AppError } from '../../shared-protocol/errors.js';
import { IncompleteNames } from '../metainfo/incomplete-names.js';
import type { TorrentFile } from '../metainfo/types.js';
import type { Log } from '../environment.js';
import { forEachLimit } from '../../shared-protocol/for-each-limit.js';
import { because } from '../../shared-protocol/reasons.js';
import { NO_LINK, PARALLEL_STATS } from './constants.js';
import { copyContents } from './copy-contents.js';
import { byFolder, deleteOwnFiles, foldersOf } from './delete-files.js';
import { diskError, errnoOf, isRefusedPath } from './errors.js';
import { FileNames, isSame, type NamedFile } from './file-names.js';
import type { HeldFolder } from '../../storage/held-folder.js';
import { foundFile, type FolderTree } from './open-beneath.js';
import { syncFolders } from './sync-folders.js';
import type {
  Bringing,
  Brought,
  FileState,
  FoundFile,
  FoundToMove,
  KeepFile,
  Relocation,
  RelocationParams,
} from './types.js';
import type { VolumeProbe } from './volume-probe.js';
import { reserveBytes } from './volume-rules.js';

const closeFd = promisify(close);
const statFd = promisify(fstat);
const ABSENT: FileState = { sizeBytes: null, mtimeMs: 0 };
const MIB = 1024 * 1024;
/** POSIX leaves it open; everywhere it is this. */
const STAT_BLOCK_BYTES = 512;

export interface RelocationDeps {
  readonly source: FolderTree;
  readonly target: FolderTree;
  readonly looks: Pick<VolumeProbe, 'spaceOf'>;
  readonly log: Log;
}

export class FileRelocation implements Relocation {
  /** By file index, as they lie at the old place; only of files that there are. */
  readonly #found = new Map<number, Stats>();
  readonly #made = new Map<number, Stats>();
  /** By file index, with the names that they were found to have there, and are to have at the new place. */
  readonly #source: TorrentFile[];
  readonly #there: TorrentFile[];
  readonly #names: IncompleteNames;
  readonly #namesThere: IncompleteNames;

  constructor(
    private readonly deps: RelocationDeps,
    private readonly params: RelocationParams,
  ) {
    const { info, infoThere = info, incompleteSuffix } = params;
    this.#source = [...info.files];
    this.#there = [...infoThere.files];
    this.#names = new IncompleteNames(info.files, incompleteSuffix);
    this.#namesThere = new IncompleteNames(infoThere.files, incompleteSuffix);
  }

  stays(index: number): boolean {
    const { info, infoThere = info, from, to } = this.params;
    const [old, there] = [info.files[index]!.path, infoThere.files[index]!.path];
    return from === to && old.length === there.length && old.every((element, depth) => element === there[depth]);
  }

  async look(): Promise<FoundToMove> {
    this.#found.clear();
    const { from, to, info } = this.params;
    const names = new FileNames(
      { tree: this.deps.source, ownership: this.params.ownership ?? null },
      info.files,
      this.params.incompleteSuffix,
    );
    // Below one save path a link on the way may be one that the torrent's files lie behind already.
    const known = from === to ? new Set(foldersOf(info.files).map((folder) => folder.join('/'))) : null;
    for (const folder of foldersOf(this.#moving.map((file) => this.#target(file)))) {
      await this.#assertNoFile(folder, known === null || known.has(folder.join('/')));
    }
    await this.#forEachFile(info.files, async (file) => {
      for (const path of this.stays(file.index) ? [] : this.#pathsThere(file)) {
        if ((await this.#lookThere(path)) !== null) throw takenPath(path);
      }
      const found = await names.find(file);
      if (found) this.#take(file, found);
    });
    const bytes = this.#toBring.reduce((sum, { index }) => sum + this.#found.get(index)!.size, 0);
    return { bytes, files: new Set(this.#found.keys()) };
  }

  async bring(bringing: Bringing): Promise<void> {
    this.#made.clear();
    const left: TorrentFile[] = [];
    for (const from of byFolder(this.#toBring)) {
      for (const targets of byFolder(from.map((file) => this.#target(file)))) {
        const files = targets.map(({ index }) => this.#source[index]!);
        left.push(...(await this.#linkAll(files, bringing)));
      }
    }
    if (left.length === 0) return;
    await this.#assertRoom(left);
    for (const file of left.sort((a, b) => a.index - b.index)) {
      await this.#copy(file, bringing).catch((error: unknown) => {
        throw failureAt(error, file);
      });
    }
  }

  async seal(): Promise<Brought> {
    const states = new Array<FileState>(this.params.info.files.length).fill(ABSENT);
    await this.#forEachFile(this.#source, async (file) => {
      const before = this.#found.get(file.index);
      if (!before || this.stays(file.index)) return;
      const there = await this.#at(this.deps.target, this.#target(file));
      const made = this.#made.get(file.index);
      if (!there || !made || !isSame(there, made) || there.size !== before.size) throw changedMeanwhile(file.path);
      states[file.index] = { sizeBytes: there.size, mtimeMs: there.mtimeMs, ctimeMs: there.ctimeMs };
    });
    await syncFolders(this.deps.target.takeCreated());
    const { files } = this.params.info;
    const staying = new Set(files.filter(({ index }) => this.stays(index)).map(({ index }) => index));
    const identity = (found: Stats | undefined) => (found ? foundFile(found) : null);
    const before = files.map(({ index }) => (staying.has(index) ? null : identity(this.#found.get(index))));
    const after = files.map(({ index }) => identity((staying.has(index) ? this.#found : this.#made).get(index)));
    return { before, after, states, staying };
  }

  async undo(): Promise<void> {
    const { source, target, log } = this.deps;
    const mayDelete = async (file: TorrentFile, found: Stats): Promise<boolean> => {
      const kept = await regularAt(source, this.#names.withBoth([this.params.info.files[file.index]!]));
      // Somebody has removed it from the old place: then this may be all there is.
      if (kept.length === 0) return false;
      return kept.some((own) => isSame(own, found)) || this.params.elsewhere.mayDelete(file.index, foundFile(found));
    };
    const files = this.#moving.map(({ index }) => this.#ownNameThere(index));
    await deleteOwnFiles({ tree: target, mayDelete, log }, this.#namesThere.withBoth(files), () => false);
  }

  async clean(keep: KeepFile): Promise<void> {
    const { source, target, log } = this.deps;
    let left: TorrentFile | null = null;
    const mayDelete = async (file: TorrentFile, found: Stats): Promise<boolean> => {
      if (!this.params.elsewhere.mayDelete(file.index, foundFile(found))) return false;
      const there = await regularAt(target, this.#namesThere.withBoth([this.#ownNameThere(file.index)]));
      const isWhole = there.some((stats) => stats.size >= found.size && !(isSame(stats, found) && stats.nlink < 2));
      if (!isWhole) left = file;
      return isWhole;
    };
    const files = this.#moving.map(({ index }) => this.params.info.files[index]!);
    await deleteOwnFiles({ tree: source, mayDelete, log }, this.#names.withBoth(files), keep);
    if (left) throw notAtNewPlace(left);
  }

  /** Files as they lie at the old place, without those that stay. */
  get #moving(): TorrentFile[] {
    return this.#source.filter(({ index }) => !this.stays(index));
  }

  get #toBring(): TorrentFile[] {
    return this.#moving.filter(({ index }) => this.#found.has(index));
  }

  /** The file as it is to lie at the new place. */
  #target({ index }: TorrentFile): TorrentFile {
    return this.#there[index]!;
  }

  #ownNameThere(index: number): TorrentFile {
    const { info, infoThere = info } = this.params;
    return infoThere.files[index]!;
  }

  /** All that it may be called at the new place. */
  #pathsThere({ index }: TorrentFile): readonly (readonly string[])[] {
    return this.#namesThere.withBoth([this.#ownNameThere(index)]).map(({ path }) => path);
  }

  /** The file keeps the name that it has, complete or not. */
  #take(file: TorrentFile, { path, isIncomplete, stats }: NamedFile): void {
    this.#found.set(file.index, stats);
    this.#source[file.index] = { ...file, path };
    const there = this.#ownNameThere(file.index);
    const pathThere = isIncomplete ? this.#namesThere.pathOf(there) : null;
    this.#there[file.index] = pathThere ? { ...there, path: pathThere } : there;
  }

  #forEachFile(files: readonly TorrentFile[], work: (file: TorrentFile) => Promise<void>): Promise<void> {
    const onDisk = files.filter(({ isPad }) => !isPad);
    return forEachLimit(onDisk, PARALLEL_STATS, (file) =>
      work(file).catch((error: unknown) => {
        throw failureAt(error, file);
      }),
    );
  }

  #isOwn({ index }: TorrentFile, found: FoundFile): boolean {
    return this.params.ownership?.admits(index, found) ?? true;
  }

  #at(tree: FolderTree, file: TorrentFile): Promise<Stats | null> {
    return tree.stat(file.path);
  }

  /** Looks at the new place; a link on the way that leads out of it is in the way as well. */
  #lookThere(path: readonly string[]): Promise<Stats | null> {
    return this.deps.target.stat(path).catch((error: unknown) => {
      throw isRefusedPath(error) ? takenPath(path) : diskError(error, path);
    });
  }

  async #assertNoFile(folder: readonly string[], mayBeLink: boolean): Promise<void> {
    const there = await this.#lookThere(folder);
    if (there && !there.isDirectory() && !(mayBeLink && there.isSymbolicLink())) throw takenPath(folder);
  }

  /** Files of one folder that come to one folder; those that have to be copied. */
  async #linkAll(files: readonly TorrentFile[], bringing: Bringing): Promise<readonly TorrentFile[]> {
    const { source, target } = this.deps;
    const folder = files[0]!.path.slice(0, -1);
    const folderThere = this.#target(files[0]!).path.slice(0, -1);
    const left: TorrentFile[] = [];
    try {
      await source.within(folder, false, (from) =>
        target.within(folderThere, true, async (to) => {
          for (const file of files) {
            assertWanted(bringing);
            if (!(await this.#link(file, from, to))) left.push(file);
            else bringing.onBytes(this.#found.get(file.index)!.size);
          }
        }),
      );
    } catch (error) {
      throw failureAt(error, files[0]!);
    }
    return left;
  }

  async #link(file: TorrentFile, from: HeldFolder, to: HeldFolder): Promise<boolean> {
    const { path } = this.#target(file);
    const name = path.at(-1)!;
    try {
      await link(from.entry(file.path.at(-1)!), to.entry(name));
    } catch (error) {
      const errno = errnoOf(error) ?? '';
      if (errno === 'EEXIST') throw takenPath(path);
      if (NO_LINK.has(errno)) return false;
      throw error;
    }
    // What the name led to a moment ago may be another thing: what was made of that is taken away again.
    const made = await lstat(to.entry(name));
    const before = this.#found.get(file.index)!;
    if (!isSame(made, before)) {
      await unlink(to.entry(name));
      throw changedMeanwhile(file.path);
    }
    this.deps.target.distrust(path);
    this.#made.set(file.index, made);
    void this.params.elsewhere.onLinked(file.index, foundFile(made));
    return true;
  }

  async #copy(file: TorrentFile, bringing: Bringing): Promise<void> {
    const { elsewhere } = this.params;
    const { index } = file;
    const { path } = this.#target(file);
    const { source, target } = this.deps;
    const from = await source.open(file.path, 'read', {
      admits: (found) => this.#isOwn(file, found),
      beforeMaking: async () => undefined,
      onMade: async () => undefined,
    });
    try {
      const to = await target
        .open(path, 'write', {
          // Each is made once: what is there already is somebody else's.
          admits: () => false,
          beforeMaking: () => elsewhere.beforeMaking(index),
          onMade: (made) => elsewhere.onMade(index, made),
        })
        .catch((error: unknown) => {
          throw isRefusedPath(error) ? takenPath(path) : error;
        });
      try {
        await this.#copyBetween(file, from, to, bringing);
        this.#made.set(index, await statFd(to));
      } finally {
        await closeFd(to);
      }
    } finally {
      await closeFd(from);
    }
    // Its last piece may be whole only now that it is known to be made.
    await bringing.onCopied(file, file.offset + file.sizeBytes);
  }

  #copyBetween(file: TorrentFile, from: number, to: number, bringing: Bringing): Promise<void> {
    let copied = 0;
    return copyContents(from, to, {
      assertWanted: () => assertWanted(bringing),
      onCopied: async (upTo) => {
        bringing.onBytes(upTo - copied);
        copied = upTo;
        if (upTo < file.sizeBytes) await bringing.onCopied(file, file.offset + upTo);
      },
    });
  }

  /** Said before the disk is filled, which would stop what others write to it. */
  async #assertRoom(files: readonly TorrentFile[]): Promise<void> {
    const space = await this.deps.looks.spaceOf(this.params.to);
    if (space.totalBytes === 0) return;
    const needed = files.reduce((sum, { index }) => {
      const { size, blocks } = this.#found.get(index)!;
      return sum + Math.min(size, blocks * STAT_BLOCK_BYTES);
    }, 0);
    const free = space.freeBytes - reserveBytes(space);
    if (needed <= free) return;
    const missing = `${Math.ceil(needed / MIB)} MiB needed, ${Math.max(0, Math.floor(free / MIB))} MiB free`;
    throw new AppError('DISK_FULL', `no room left on the disk for the move: ${missing}`, { errno: 'ENOSPC' });
  }
}

/** Looks which are there, as regular files. `files`: one under its own name, and under that of incomplete ones. */
async function regularAt(tree: FolderTree, files: readonly TorrentFile[]): Promise<Stats[]> {
  const found: Stats[] = [];
  // The own name last: a file that gets it meanwhile is not missed.
  for (const { path } of [...files].reverse()) {
    const stats = await tree.stat(path);
    if (stats?.isFile()) found.push(stats);
  }
  return found;
}

function assertWanted(bringing: Bringing): void {
  if (bringing.isStopped()) throw new AppError('MOVE_CONFLICT', 'move: it was ended');
}

function failureAt(error: unknown, { path }: TorrentFile): AppError {
  return diskError(error, path);
}

function takenPath(path: readonly string[]): AppError {
  const shown = path.join('/');
  return new AppError('MOVE_TARGET_TAKEN', `path: ${shown} lies there already`, because('PATH_TAKEN', { path: shown }));
}

function changedMeanwhile(path: readonly string[]): AppError {
  const shown = path.join('/');
  return new AppError('DISK_FAILED', `${shown}: was changed by another program while it was moved`, { path: shown });
}

function notAtNewPlace({ path }: TorrentFile): AppError {
  const shown = path.join('/');
  return new AppError('FILES_MISSING', `${shown}: is not whole at the new place, and stays at the old one`, {
    path: shown,
  });
}
