// A file in the watch folder as the file system has it: looked at, read, deleted, renamed. A user who may write into
// the folder may plant things there, so links are never followed and nothing but regular files is opened; and the folder is held
// meanwhile, so that nothing is done elsewhere when its name comes to lead there.
import { constants, type Stats } from 'node:fs';
import { lstat, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { isErrno } from '../../../storage/atomic-file.js';
import { fillFromFile } from '../../../storage/fill-from-file.js';
import type { HeldFolder } from '../../../storage/held-folder.js';
import { asideNames, type FileState } from './file-rules.js';

// O_NONBLOCK: a planted FIFO must not hang the open; regular files do not mind it.
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A file as it was at the last look. */
export interface WatchedFile {
  readonly name: string;
  readonly mark: string;
}

export type ReadOutcome =
  /** In memory of their own. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' }
  /** The file is gone, or not what it was. */
  | { readonly kind: 'changed' };

/** The folder that a file lies in. */
type Folder = Pick<HeldFolder, 'entry'>;

/** Null: gone, no regular file, or of a name that cannot be asked for. @throws system errors */
export async function stateOf(folder: Folder, name: string): Promise<FileState | null> {
  try {
    const stats = await lstat(folder.entry(name));
    return stats.isFile() ? { mark: markOf(stats), size: stats.size } : null;
  } catch (error) {
    // A name that is no UTF-8 is a longer one here, which there is not.
    if (isErrno(error, 'ENOENT') || isErrno(error, 'ENAMETOOLONG')) return null;
    throw error;
  }
}

/** The content that the file had when it got this mark. @throws system errors, `EACCES` for one */
export async function readWatched(folder: Folder, { name, mark }: WatchedFile, maxBytes: number): Promise<ReadOutcome> {
  let file: FileHandle;
  try {
    file = await open(folder.entry(name), READ_FLAGS);
  } catch (error) {
    // ELOOP: a link by now; ENXIO: a FIFO or a socket.
    if (['ENOENT', 'ELOOP', 'ENXIO'].some((code) => isErrno(error, code))) return { kind: 'changed' };
    throw error;
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile() || markOf(stats) !== mark) return { kind: 'changed' };
    if (stats.size > maxBytes) return { kind: 'too-large' };
    const bytes = new Uint8Array(stats.size);
    const read = await fillFromFile(file, bytes, 0);
    // Another program may have written while we read.
    const isSame = read === bytes.length && markOf(await file.stat()) === mark;
    return isSame ? { kind: 'bytes', bytes } : { kind: 'changed' };
  } finally {
    await file.close();
  }
}

/** Nothing when the name stands for another file by now. @throws system errors */
export async function deleteWatched(folder: Folder, { name, mark }: WatchedFile): Promise<void> {
  if ((await stateOf(folder, name))?.mark === mark) await unlink(folder.entry(name));
}

/** To the first of its new names that is free; otherwise as {@link deleteWatched}. */
export async function setAside(
  folder: Folder,
  { name, mark }: WatchedFile,
  ending: 'added' | 'invalid',
): Promise<void> {
  if ((await stateOf(folder, name))?.mark !== mark) return;
  for (const aside of asideNames(name, ending)) {
    const target = folder.entry(aside);
    if (await isFree(target)) return rename(folder.entry(name), target);
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

function markOf({ dev, ino, size, mtimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs}`;
}
