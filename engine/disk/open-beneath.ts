// Opens files below a save path and nowhere else (docs/limits.md 2.1, 2.2), whatever links others have planted there:
// parents are checked one by one, a link among them must stay inside, the last element is never followed, and only
// regular files are opened. What exists is opened by its name and then looked at: what folders were is remembered. What is
// made or removed is so by way of held folders, so that no program can lead it elsewhere by swapping a folder for a
// link. The save path itself may be a link: it is the user's own choice.
import { close, constants, fstat, open, readlinkSync, type Stats } from 'node:fs';
import { lstat, realpath, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { makeFolders } from '../../storage/make-folders.js';
import { isAtOrBelow } from '../../storage/real-location.js';
import type { AbsentFolders } from './absent-folders.js';
import type { RefusePlace } from './allowed-places.js';
import { errnoOf, isAbsent, refusedPath } from './errors.js';
import type { OpenMode } from './file-pool.js';
import { HeldFolder } from '../../storage/held-folder.js';
import type { RecentLooks } from '../../storage/recent-looks.js';
import type { FoundFile } from './types.js';

const openFd = promisify(open);
const closeFd = promisify(close);
const statFd = promisify(fstat);

// O_NONBLOCK: a planted FIFO must not hang the open; regular files do not mind it.
const COMMON_FLAGS = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const FLAGS = { read: constants.O_RDONLY | COMMON_FLAGS, write: constants.O_RDWR | COMMON_FLAGS } as const;
/** A folder that others remove as fast as it is made is given up. */
const MAX_MAKES = 3;

export interface FolderTreeOptions {
  /** Mode of folders made here, before the umask. @default 0o777 */
  readonly folderMode?: number;
  /** Throws when nothing may be created because the volume of the save path is not there. @default it always is */
  readonly assertHere?: () => Promise<void>;
  /** Real places in which nothing is opened, made or removed. @default none */
  readonly refuses?: RefusePlace;
  /** Shared with the trees of other torrents. @default the disk is asked each time */
  readonly roots?: RecentLooks<string>;
}

/** Says whose the file is, and is asked before it may be used. */
export interface FileGuard {
  admits(found: FoundFile): boolean;
  beforeMaking(): Promise<void>;
  onMade(made: FoundFile): Promise<void>;
}

const ANYBODYS: FileGuard = {
  admits: () => true,
  beforeMaking: async () => undefined,
  onMade: async () => undefined,
};

export class FolderTree {
  readonly #savePath: string;
  readonly #options: FolderTreeOptions;
  #root: string | null = null;
  /** Absolute folders known to lie inside. */
  readonly #checked = new Set<string>();
  readonly #created = new Set<string>();

  constructor(savePath: string, options: FolderTreeOptions = {}) {
    this.#savePath = savePath;
    this.#options = options;
  }

  /** Opens the file; mode `write` creates it and its folders. Throws system errors, or refuses with `DISK_FAILED`. */
  async open(path: readonly string[], mode: OpenMode, guard = ANYBODYS): Promise<number> {
    try {
      return await this.#openRegular(await this.#locate(path), path, FLAGS[mode], guard);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      // The program that removed the file may have replaced its folders.
      this.forget();
      if (mode === 'read') throw error;
    }
    return this.#make(path, guard);
  }

  /**
   * The stats of the last element itself, links not followed; null when it or a folder above it is absent. `absent`: of a
   * look at many files, which is told of such folders.
   */
  async stat(path: readonly string[], absent?: AbsentFolders): Promise<Stats | null> {
    if (absent?.hold(path)) return null;
    try {
      return await lstat(await this.#locate(path, absent));
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  /** The checked absolute folder of these elements. @throws system errors, or `DISK_FAILED` when it is refused */
  async folder(elements: readonly string[], absent?: AbsentFolders): Promise<string> {
    let reached: readonly string[] = [];
    try {
      let folder = await this.#realRoot(false);
      for (const [depth, element] of elements.entries()) {
        assertElement(element, elements, 'unsafe path element');
        folder = join(folder, element);
        if (this.#checked.has(folder)) continue;
        reached = elements.slice(0, depth + 1);
        await this.#checkFolder(folder, reached);
        this.#checked.add(folder);
      }
      return folder;
    } catch (error) {
      if (isAbsent(error)) absent?.add(reached);
      throw error;
    }
  }

  /**
   * Works in the folder of these elements while it is held, made if need be when `create`.
   * @throws system errors, `DISK_FAILED` when it is refused, and what `work` throws
   */
  async within<Result>(
    elements: readonly string[],
    create: boolean,
    work: (folder: HeldFolder) => Promise<Result>,
  ): Promise<Result> {
    let held = await HeldFolder.open(await this.#realRoot(create));
    try {
      for (const [depth, element] of elements.entries()) {
        assertElement(element, elements, 'unsafe path element');
        const next = await this.#enter(held, elements.slice(0, depth + 1), create);
        await held.close();
        held = next;
      }
      this.#assertAllowed(await held.whereabouts(), elements);
      return await work(held);
    } finally {
      await held.close();
    }
  }

  /** Another program made this file, perhaps a moment ago: the names that lead to it are taken for new. */
  distrust(path: readonly string[]): void {
    if (this.#root === null) return;
    for (let depth = 0; depth < path.length; depth++) this.#created.add(join(this.#root, ...path.slice(0, depth)));
  }

  /** Folders that got new entries since the last call: their fsync makes the entries durable. */
  takeCreated(): string[] {
    const created = [...this.#created];
    this.#created.clear();
    return created;
  }

  /** Folders are checked anew, and the save path is looked up anew for all torrents: something is not where it was. */
  forget(): void {
    this.#options.roots?.forget(this.#savePath);
    this.close();
  }

  /** Nothing is held while the torrent rests; what is opened after it is checked anew. */
  close(): void {
    this.#root = null;
    this.#checked.clear();
  }

  async #locate(path: readonly string[], absent?: AbsentFolders): Promise<string> {
    const name = path.at(-1) ?? '';
    assertElement(name, path, 'unsafe file name');
    return join(await this.folder(path.slice(0, -1), absent), name);
  }

  async #make(path: readonly string[], guard: FileGuard): Promise<number> {
    const name = path.at(-1)!;
    await guard.beforeMaking();
    return this.within(path.slice(0, -1), true, async (folder) => {
      const target = folder.entry(name);
      let fd: number;
      try {
        fd = await openFd(target, FLAGS.write | constants.O_CREAT | constants.O_EXCL, 0o666);
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST') throw error;
        return this.#openRegular(target, path, FLAGS.write, guard);
      }
      try {
        this.#created.add(folder.path);
        await guard.onMade(foundFile(await statFd(fd)));
        return fd;
      } catch (error) {
        await closeFd(fd);
        await unlink(target).catch(() => undefined);
        throw error;
      }
    });
  }

  async #openRegular(target: string, path: readonly string[], flags: number, guard: FileGuard): Promise<number> {
    let fd: number;
    try {
      fd = await openFd(target, flags);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'ELOOP') throw refusedPath(path, 'is a symbolic link');
      // ENXIO: a socket, or a FIFO without a reader.
      if (errno === 'EISDIR' || errno === 'ENXIO') throw refusedPath(path, 'is not a regular file');
      throw error;
    }
    try {
      const stats = await statFd(fd);
      if (!stats.isFile()) throw refusedPath(path, 'is not a regular file');
      await this.#assertInside(fd, path);
      if (!guard.admits(foundFile(stats))) throw refusedPath(path, 'is a file that this torrent did not make');
      return fd;
    } catch (error) {
      await closeFd(fd);
      this.forget();
      throw error;
    }
  }

  /** The second line of defence (docs/limits.md 2.1): where the kernel says that the file is. */
  async #assertInside(fd: number, path: readonly string[]): Promise<void> {
    const root = await this.#realRoot(false);
    const place = placeOf(fd);
    if (place === null) return;
    if (place === root || !isAtOrBelow(place, root)) throw refusedPath(path, 'is not inside the save path');
    this.#assertAllowed(place, path);
  }

  #assertAllowed(place: string, path: readonly string[]): void {
    const reason = this.#options.refuses?.(place) ?? null;
    if (reason !== null) throw refusedPath(path, reason);
  }

  async #realRoot(create: boolean): Promise<string> {
    if (this.#root !== null) return this.#root;
    if (create) {
      await this.#assertHere();
      const first = await makeFolders(this.#savePath, this.#folderMode);
      if (first !== undefined) {
        this.#options.roots?.forget(this.#savePath);
        this.#created.add(dirname(first));
        // What was made is what is to be known again.
        await this.#assertHere();
      }
    }
    this.#root = await (this.#options.roots?.at(this.#savePath) ?? realpath(this.#savePath));
    return this.#root;
  }

  async #checkFolder(folder: string, elements: readonly string[]): Promise<void> {
    const stats = await lstat(folder);
    if (stats.isDirectory()) return;
    if (!stats.isSymbolicLink()) throw notAFolder();
    const target = await this.#targetOf(folder, elements, false);
    if (!(await lstat(target)).isDirectory()) throw refusedPath(elements, 'is not a folder');
  }

  /** The last of the elements, in the folder of those before it. */
  async #enter(held: HeldFolder, elements: readonly string[], create: boolean): Promise<HeldFolder> {
    const name = elements.at(-1)!;
    for (let makes = 0; ; makes++) {
      try {
        return await held.enter(name);
      } catch (error) {
        const errno = errnoOf(error);
        if (errno === 'ENOTDIR' || errno === 'ELOOP') return this.#follow(held, elements, create);
        if (errno !== 'ENOENT' || !create || makes === MAX_MAKES) throw error;
      }
      await this.#assertHere();
      this.#assertAllowed(await held.whereabouts(), elements);
      if (await held.make(name, this.#folderMode)) this.#created.add(held.path);
    }
  }

  /** Follows a link to a folder inside; its way is gone again from the root, and has no links any more. */
  async #follow(held: HeldFolder, elements: readonly string[], create: boolean): Promise<HeldFolder> {
    const name = elements.at(-1)!;
    if ((await held.kindOf(name)) !== 'link') throw create ? refusedPath(elements, 'is not a folder') : notAFolder();
    const target = await this.#targetOf(held.entry(name), elements, create);
    const root = await this.#realRoot(create);
    let folder = await HeldFolder.open(root);
    for (const element of relative(root, target).split(sep)) {
      if (element === '') break;
      const outer = folder;
      try {
        folder = await outer.enter(element);
      } catch (error) {
        if (errnoOf(error) === 'ENOTDIR') throw refusedPath(elements, 'is not a folder');
        throw error;
      } finally {
        await outer.close();
      }
    }
    return folder;
  }

  async #targetOf(link: string, elements: readonly string[], create: boolean): Promise<string> {
    let target: string;
    try {
      target = await realpath(link);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'ELOOP') throw refusedPath(elements, 'is a symbolic link that leads in a circle');
      if (create && errno === 'ENOENT') throw refusedPath(elements, 'is a symbolic link that leads nowhere');
      throw error;
    }
    if (isAtOrBelow(target, await this.#realRoot(create))) return target;
    throw refusedPath(elements, 'is a symbolic link that leaves the save path');
  }

  get #folderMode(): number {
    return this.#options.folderMode ?? 0o777;
  }

  async #assertHere(): Promise<void> {
    await this.#options.assertHere?.();
  }
}

/** The numbers that a file is known by. */
export function foundFile({ ino, birthtimeMs, size }: Stats): FoundFile {
  return { inode: ino, birthMs: Math.floor(birthtimeMs), sizeBytes: size };
}

/** Where the kernel says that an open file is; null without /proc. What it answers it knows: no disk is asked. */
function placeOf(fd: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}

function assertElement(element: string, path: readonly string[], problem: string): void {
  const isUnsafe = element === '' || element === '.' || element === '..' || /[/\0]/.test(element);
  if (isUnsafe) throw refusedPath(path, problem);
}

function notAFolder(): Error {
  return Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
}
