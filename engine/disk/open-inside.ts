// Opens files below a save path and nowhere else (safety.md 2.1, 2.2), whatever links others have planted there:
// parents are checked one by one, a link among them must stay inside, the last element is never followed, and only
// regular files are opened. What a folder was is remembered, so what was opened is looked at once more, and before a
// file is created its folders are. The save path itself may be a link: it is the user's own choice.
import { close, constants, fstat, open, type Stats } from 'node:fs';
import { lstat, mkdir, readlink, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { makeFolders } from '../../storage/make-folders.js';
import { errnoOf, isAbsent, refusedPath } from './errors.js';
import type { OpenMode } from './file-pool.js';

const openFd = promisify(open);
const closeFd = promisify(close);
const statFd = promisify(fstat);

// O_NONBLOCK: a planted FIFO must not hang the open; regular files do not mind it.
const COMMON_FLAGS = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const FLAGS = { read: constants.O_RDONLY | COMMON_FLAGS, write: constants.O_RDWR | COMMON_FLAGS } as const;

export class FolderTree {
  readonly #savePath: string;
  readonly #folderMode: number;
  #root: string | null = null;
  /** Absolute folders known to lie inside. */
  readonly #checked = new Set<string>();
  readonly #created = new Set<string>();

  /**
   * `folderMode` is that of folders made here, before the umask; `assertHere` throws when nothing may be created
   * because the volume of the save path is not there.
   */
  constructor(
    savePath: string,
    folderMode = 0o777,
    private readonly assertHere: () => Promise<void> = async () => undefined,
  ) {
    this.#savePath = savePath;
    this.#folderMode = folderMode;
  }

  /** Opens the file; mode `write` creates it and its folders. Throws system errors, or refuses with `DISK_FAILED`. */
  async open(path: readonly string[], mode: OpenMode): Promise<number> {
    const target = await this.#locate(path, mode === 'write');
    try {
      return await this.#openRegular(target, path, FLAGS[mode]);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
      if (mode === 'read') {
        // Whoever removed the file may have replaced its folders.
        this.forget();
        throw error;
      }
    }
    return this.#create(path);
  }

  /** Of the last element itself, links not followed; null when it or a folder above it is absent. */
  async stat(path: readonly string[]): Promise<Stats | null> {
    try {
      return await lstat(await this.#locate(path, false));
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  /** The checked absolute folder of these elements. @throws system errors, or `DISK_FAILED` when it is refused */
  async folder(elements: readonly string[], create: boolean): Promise<string> {
    let folder = await this.#realRoot(create);
    for (const [depth, element] of elements.entries()) {
      const unsafe = element === '' || element === '.' || element === '..' || /[/\0]/.test(element);
      if (unsafe) throw refusedPath(elements, 'unsafe path element');
      folder = join(folder, element);
      if (this.#checked.has(folder)) continue;
      await this.#checkFolder(folder, elements.slice(0, depth + 1), create);
      this.#checked.add(folder);
    }
    return folder;
  }

  /** Somebody else made this file, perhaps a moment ago: the names that lead to it are taken for new. */
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

  /** Folders are checked anew. */
  forget(): void {
    this.#root = null;
    this.#checked.clear();
  }

  async #locate(path: readonly string[], create: boolean): Promise<string> {
    const name = path.at(-1) ?? '';
    if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) throw refusedPath(path, 'unsafe file name');
    return join(await this.folder(path.slice(0, -1), create), name);
  }

  async #create(path: readonly string[]): Promise<number> {
    // A folder that was checked before may be gone, or a link by now: through that a file would be made outside.
    this.forget();
    const target = await this.#locate(path, true);
    const fd = await this.#openRegular(target, path, FLAGS.write | constants.O_CREAT);
    this.#created.add(dirname(target));
    return fd;
  }

  async #openRegular(target: string, path: readonly string[], flags: number): Promise<number> {
    let fd: number;
    try {
      fd = await openFd(target, flags, 0o666);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'ELOOP') throw refusedPath(path, 'is a symbolic link');
      // ENXIO: a socket, or a FIFO without a reader.
      if (errno === 'EISDIR' || errno === 'ENXIO') throw refusedPath(path, 'is not a regular file');
      throw error;
    }
    try {
      if (!(await statFd(fd)).isFile()) throw refusedPath(path, 'is not a regular file');
      if (!(await this.#isInside(fd))) throw refusedPath(path, 'is not inside the save path');
      return fd;
    } catch (error) {
      await closeFd(fd);
      this.forget();
      throw error;
    }
  }

  /** The second line of defence (safety.md 2.1): where the kernel says that the file is. */
  async #isInside(fd: number): Promise<boolean> {
    const root = await this.#realRoot(false);
    try {
      return isBelow(await readlink(`/proc/self/fd/${fd}`), root);
    } catch {
      // No /proc, so nobody to ask.
      return true;
    }
  }

  async #realRoot(create: boolean): Promise<string> {
    if (this.#root !== null) return this.#root;
    if (create) {
      await this.assertHere();
      const first = await makeFolders(this.#savePath, this.#folderMode);
      if (first !== undefined) {
        this.#created.add(dirname(first));
        // What was made is what is to be known again.
        await this.assertHere();
      }
    }
    this.#root = await realpath(this.#savePath);
    return this.#root;
  }

  async #checkFolder(folder: string, elements: readonly string[], create: boolean): Promise<void> {
    const stats = await this.#lstatOrMake(folder, create);
    if (stats.isDirectory()) return;
    if (!stats.isSymbolicLink()) {
      if (create) throw refusedPath(elements, 'is not a folder');
      throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
    }
    const root = await this.#realRoot(create);
    const target = await this.#targetOf(folder, elements, create);
    if (target !== root && !isBelow(target, root))
      throw refusedPath(elements, 'is a symbolic link that leaves the save path');
    if (!(await lstat(target)).isDirectory()) throw refusedPath(elements, 'is not a folder');
  }

  async #targetOf(link: string, elements: readonly string[], create: boolean): Promise<string> {
    try {
      return await realpath(link);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'ELOOP') throw refusedPath(elements, 'is a symbolic link that leads in a circle');
      if (create && errno === 'ENOENT') throw refusedPath(elements, 'is a symbolic link that leads nowhere');
      throw error;
    }
  }

  async #lstatOrMake(folder: string, create: boolean): Promise<Stats> {
    try {
      return await lstat(folder);
    } catch (error) {
      if (!create || errnoOf(error) !== 'ENOENT') throw error;
    }
    try {
      await this.assertHere();
      await mkdir(folder, { mode: this.#folderMode });
      this.#created.add(dirname(folder));
    } catch (error) {
      // Made by another write of this torrent meanwhile, or planted: looked at below like any other.
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
    return lstat(folder);
  }
}

function isBelow(path: string, root: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}
