// The directory in which another program keeps its state: read, never written. Only regular files that lie in it are opened, no
// link is followed to one, and none is read beyond a size; so nothing else of the machine is read by an import.
import { constants } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { AppError, type ErrorData } from '../../../shared-protocol/errors.js';
import { remark, textOf, type Remark } from '../../../shared-protocol/import-remarks/remark.js';
import { because } from '../../../shared-protocol/reasons.js';
import { systemErrorName } from '../../../shared-protocol/system-error-name.js';
import { fillFromFile } from '../../../storage/fill-from-file.js';

const MIB = 1024 * 1024;
/** The size that a torrent file may have. */
export const MAX_RECORD_BYTES = 10 * MIB;
/** Errors of a path at which there is nothing; any other may hide what is there. */
const NOT_THERE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

export class StateDirectory {
  private constructor(readonly path: string) {}

  /** @throws AppError `IMPORT_UNREADABLE` */
  static async open(path: string): Promise<StateDirectory> {
    try {
      const real = await realpath(path);
      if (!(await lstat(real)).isDirectory()) throw new Error('not a directory');
      return new StateDirectory(real);
    } catch {
      throw notOpened(`path: ${path} is no directory that can be read`, because('IMPORT_SOURCE_UNREADABLE', { path }));
    }
  }

  /** The first of these folders below it that is there; null: none. Empty is the directory itself. @throws AppError `IMPORT_UNREADABLE` */
  async firstOf(
    folders: readonly string[],
    holds?: (names: readonly string[]) => boolean,
  ): Promise<StateDirectory | null> {
    for (const folder of folders) {
      const real = await realpath(join(this.path, folder)).catch((error: NodeJS.ErrnoException) => {
        if (NOT_THERE.has(error.code)) return null;
        throw notRead(folder, error);
      });
      const isInside = real === this.path || real?.startsWith(this.path + sep);
      if (!real || !isInside || !(await lstat(real)).isDirectory()) continue;
      const found = new StateDirectory(real);
      if (!holds || holds(await found.names())) return found;
    }
    return null;
  }

  /** Sorted. @throws AppError `IMPORT_UNREADABLE`: one that cannot be listed is not one without torrents */
  async names(): Promise<readonly string[]> {
    const names = await readdir(this.path).catch((error: unknown) => {
      throw notRead(basename(this.path), error);
    });
    return names.sort();
  }

  /** Names of folders that lie in it, links not among them. @throws AppError `IMPORT_UNREADABLE` */
  async folders(): Promise<readonly string[]> {
    const entries = await readdir(this.path, { withFileTypes: true }).catch((error: unknown) => {
      throw notRead(basename(this.path), error);
    });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  }

  /** A file that torrents can come without: where it cannot be read, that is a note. */
  async readAside(name: string, notes: Remark[], maxBytes?: number): Promise<Buffer | null> {
    return this.read(name, maxBytes).catch((error: unknown) => {
      if (!(error instanceof UnreadableState)) throw error;
      notes.push(remark('FILE_LEFT', { problem: error.remark }));
      return null;
    });
  }

  /** null: there is no such file. @throws AppError `IMPORT_UNREADABLE` */
  async read(name: string, maxBytes = MAX_RECORD_BYTES): Promise<Buffer | null> {
    if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name))
      throw unreadable(remark('FILE_NAME_INVALID', { file: name }));
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const handle = await open(join(this.path, name), flags).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      if (error.code === 'ELOOP') throw unreadable(remark('FILE_IS_LINK', { file: name }));
      throw notRead(name, error);
    });
    if (!handle) return null;
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw unreadable(remark('NOT_A_FILE', { file: name }));
      if (stats.size > maxBytes) throw tooLarge(name, maxBytes);
      const bytes = Buffer.alloc(stats.size);
      // Fewer where the file has become shorter.
      return bytes.subarray(0, await fillFromFile(handle, bytes, 0));
    } catch (error) {
      throw error instanceof AppError ? error : notRead(name, error);
    } finally {
      await handle.close();
    }
  }
}

function notRead(name: string, error: unknown): AppError {
  return unreadable(remark('FILE_NOT_READ', { file: name, detail: systemErrorName(error) ?? 'unknown error' }));
}

/** The failure for a directory in which the state of a program is not. */
export function stateNotThere(what: string): AppError {
  return notOpened(`path: there is no ${what}`, because('IMPORT_NOTHING_THERE'));
}

/** The failure for a state, or an archive of one, that cannot be opened at all. `message`: with the field of the request. */
export function notOpened(message: string, data?: ErrorData): AppError {
  return new AppError('IMPORT_UNREADABLE', message, data);
}

/** A file or a record that cannot be read, which costs itself where others can. */
export class UnreadableState extends AppError {
  constructor(readonly remark: Remark) {
    super('IMPORT_UNREADABLE', textOf(remark));
  }
}

export function unreadable(why: Remark): UnreadableState {
  return new UnreadableState(why);
}

function tooLarge(file: string, maxBytes: number): UnreadableState {
  return unreadable(remark('FILE_TOO_LARGE', { file, mib: Math.floor(maxBytes / MIB) }));
}
