// What lies at and below a path, for a torrent that is to be made of it. Owns: nothing is followed or opened but folders,
// each by a descriptor of the one above it, so that no link leads elsewhere, whichever program plants one meanwhile; and
// whatever could not be in a torrent is refused by its name, before anything is read.
import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { basename, dirname, sep } from 'node:path';
import { AppError, type ErrorData } from '../../shared-protocol/errors.js';
import { forEachLimit } from '../../shared-protocol/for-each-limit.js';
import { type ReasonCode, because } from '../../shared-protocol/reasons.js';
import { REFUSE_NONE, type RefusePlace } from './allowed-places.js';
import { PARALLEL_STATS } from './constants.js';
import { errnoOf } from './errors.js';
import { HeldFolder } from '../../storage/held-folder.js';
import type { FileTrees, ListBounds, ListedFile, ListedTree } from './types.js';

/** Characters of a path that a message shows. */
const MAX_SHOWN_CHARS = 300;

/** `refuses`: of which real folders nothing is listed. */
export function realFileTrees(refuses: RefusePlace = REFUSE_NONE): FileTrees {
  return {
    look: (path) =>
      within(dirname(path), async (parent) => {
        const stats = await lookAt(parent, [basename(path)]);
        return { isFolder: stats.isDirectory(), device: stats.dev };
      }),
    list: (path, bounds) => within(dirname(path), (parent) => new Lister(bounds, refuses).list(parent, path)),
  };
}

class Lister {
  readonly #files: ListedFile[] = [];
  /** Paths of folders that have not been looked into, the top's own name first. */
  readonly #folders: string[][] = [];
  #entries = 0;
  #nameBytes = 0;

  constructor(
    private readonly bounds: ListBounds,
    private readonly refuses: RefusePlace,
  ) {}

  async list(parent: HeldFolder, path: string): Promise<ListedTree> {
    const name = basename(path);
    const stats = await lookAt(parent, [name]);
    this.#take([name], stats);
    for (let folder = this.#folders.pop(); folder; folder = this.#folders.pop()) await this.#lookInto(parent, folder);
    return { isFolder: stats.isDirectory(), device: stats.dev, files: this.#files };
  }

  async #lookInto(parent: HeldFolder, path: readonly string[]): Promise<void> {
    const opened: HeldFolder[] = [];
    try {
      let folder = parent;
      for (const name of path) opened.push((folder = await folder.enter(name)));
      const reason = this.refuses(await folder.whereabouts());
      if (reason !== null) throw refused(path, reason);
      const names = await this.#namesIn(folder, path);
      await forEachLimit(names, PARALLEL_STATS, async (name) => {
        const below = [...path, name];
        this.#take(below, await lookAt(folder, below));
      });
    } catch (error) {
      throw listError(error, path);
    } finally {
      for (const folder of opened) await folder.close();
    }
  }

  /** Reads them as latin1, in which each byte is a character: what is no UTF-8 could not be named afterwards. */
  async #namesIn(folder: HeldFolder, path: readonly string[]): Promise<string[]> {
    const names: string[] = [];
    for await (const { name } of await opendir(folder.entry('.'), { encoding: 'latin1' })) {
      const bytes = Buffer.from(name, 'latin1');
      const text = bytes.toString();
      if (!isUtf8(bytes)) throw refused([...path, text], 'has a name that is not UTF-8');
      this.#count(bytes.length);
      names.push(text);
    }
    return names;
  }

  /** Before anything is kept of it. */
  #count(nameBytes: number): void {
    const { maxEntries, maxNameBytes, isStopped } = this.bounds;
    if (isStopped()) throw new AppError('CREATE_REFUSED', 'path: no longer asked for');
    this.#entries++;
    this.#nameBytes += nameBytes;
    if (this.#entries > maxEntries) throw tooMuch(`more than ${maxEntries} files and folders`);
    if (this.#nameBytes > maxNameBytes) throw tooMuch(`names of more than ${maxNameBytes} bytes`);
  }

  #take(path: string[], stats: Stats): void {
    const { maxDepth, maxElementBytes } = this.bounds;
    if (Buffer.byteLength(path.at(-1) ?? '') > maxElementBytes) {
      throw refused(path, `has a name of more than ${maxElementBytes} bytes`);
    }
    if (path.length > maxDepth) throw refused(path, `lies more than ${maxDepth} folders deep`);
    if (stats.isDirectory()) {
      this.#folders.push(path);
      return;
    }
    const { ino, birthtimeMs, size, mtimeMs, ctimeMs, nlink } = stats;
    const found = { inode: ino, birthMs: Math.floor(birthtimeMs), sizeBytes: size };
    this.#files.push({ path, ...found, mtimeMs, ctimeMs, linkCount: nlink });
  }
}

/** A folder or a regular file. `path`: its last element is looked at, in the folder. @throws AppError `CREATE_REFUSED` */
async function lookAt(folder: HeldFolder, path: readonly string[]): Promise<Stats> {
  const name = path.at(-1) ?? '';
  let stats: Stats;
  try {
    stats = await lstat(folder.entry(name));
  } catch (error) {
    throw listError(error, path);
  }
  if (stats.isSymbolicLink()) throw refused(path, 'is a symbolic link, and none is followed', 'PATH_IS_LINK');
  if (!stats.isDirectory() && !stats.isFile()) throw refused(path, 'is neither a file nor a folder', 'PATH_NOT_A_FILE');
  return stats;
}

/** Works in the folder of a real path, no element of which may have become a link. */
async function within<Result>(path: string, work: (folder: HeldFolder) => Promise<Result>): Promise<Result> {
  let held = await HeldFolder.open(sep);
  try {
    for (const name of path.split(sep)) {
      if (name === '') continue;
      const outer = held;
      held = await outer.enter(name);
      await outer.close();
    }
  } catch (error) {
    await held.close();
    throw listError(error, [basename(path)]);
  }
  try {
    return await work(held);
  } finally {
    await held.close();
  }
}

function listError(error: unknown, path: readonly string[]): unknown {
  const errno = errnoOf(error);
  if (errno === null || error instanceof AppError) return error;
  if (errno === 'ENOENT') return refused(path, 'is not there', 'PATH_NOT_FOUND');
  if (errno === 'ENOTDIR' || errno === 'ELOOP')
    return refused(path, 'is no folder, or not any more', 'PATH_NOT_A_FOLDER');
  return refused(path, `cannot be read (${errno})`, 'PATH_NOT_READABLE', { errno });
}

function refused(path: readonly string[], why: string, reason?: ReasonCode, facts: ErrorData = {}): AppError {
  const shown = path.join('/');
  const short = shown.length > MAX_SHOWN_CHARS ? `…${shown.slice(-MAX_SHOWN_CHARS)}` : shown;
  const data = { ...facts, path: short, why };
  return new AppError('CREATE_REFUSED', `path: ${short} ${why}`, reason ? because(reason, data) : data);
}

function tooMuch(what: string): AppError {
  return new AppError('CREATE_REFUSED', `path: ${what} cannot be in one torrent`);
}
