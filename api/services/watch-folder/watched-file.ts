// A file in the watch folder as the file system has it: looked at, read, deleted, renamed. A user who may write into
// the folder may plant things there, so links are never followed and nothing but regular files is opened.
import { constants, type Stats } from 'node:fs';
import { lstat, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrno } from '../../../storage/atomic-file.js';
import { asideNames, type FileState } from './file-rules.js';

// O_NONBLOCK: a planted FIFO must not hang the open; regular files do not mind it.
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export type ReadOutcome =
  /** In memory of their own. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' }
  /** The file is gone, or not what it was. */
  | { readonly kind: 'changed' };

/** Null: gone, or no regular file. @throws system errors */
export async function stateOf(path: string): Promise<FileState | null> {
  try {
    const stats = await lstat(path);
    return stats.isFile() ? { mark: markOf(stats), size: stats.size } : null;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
}

/** The content that the file had when it got this mark. @throws system errors, `EACCES` for one */
export async function readWatched(path: string, mark: string, maxBytes: number): Promise<ReadOutcome> {
  let file: FileHandle;
  try {
    file = await open(path, READ_FLAGS);
  } catch (error) {
    // ELOOP: a link by now; ENXIO: a FIFO or a socket.
    if (['ENOENT', 'ELOOP', 'ENXIO'].some((code) => isErrno(error, code))) return { kind: 'changed' };
    throw error;
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile() || markOf(stats) !== mark) return { kind: 'changed' };
    if (stats.size > maxBytes) return { kind: 'too-large' };
    const bytes = await readWhole(file, stats.size);
    // Another program may have written while we read.
    const isSame = bytes !== null && markOf(await file.stat()) === mark;
    return isSame ? { kind: 'bytes', bytes } : { kind: 'changed' };
  } finally {
    await file.close();
  }
}

/** Nothing when the name stands for another file by now. @throws system errors */
export async function deleteWatched(path: string, mark: string): Promise<void> {
  if ((await stateOf(path))?.mark === mark) await unlink(path);
}

/** To the first of its new names that is free; otherwise as {@link deleteWatched}. */
export async function setAside(folder: string, name: string, mark: string, ending: 'added' | 'invalid'): Promise<void> {
  const path = join(folder, name);
  if ((await stateOf(path))?.mark !== mark) return;
  for (const aside of asideNames(name, ending)) {
    const target = join(folder, aside);
    if (await isFree(target)) return rename(path, target);
  }
  throw new Error('all names are taken');
}

/** Whatever is there would be replaced, a dangling link as well. */
async function isFree(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return true;
    throw error;
  }
}

/** Null: it was shorter than it should be. */
async function readWhole(file: FileHandle, size: number): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(bytes, at, size - at, at);
    if (bytesRead === 0) return null;
    at += bytesRead;
  }
  return bytes;
}

function markOf({ dev, ino, size, mtimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs}`;
}
