// Folders with those above them that are missing. Node's own `recursive` never ends where a file system answers ENOENT for
// a folder that it will not have (seen with Node 20.20 below /proc): it takes that for a missing parent again and again.
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isErrno, syncDirectory } from './atomic-file.js';

/**
 * Resolves to the topmost folder that was made, to undefined when all were there. `mode` is of each that is made.
 * @throws NodeJS.ErrnoException of `mkdir`; ENOTDIR where something else has the name
 */
export async function makeFolders(path: string, mode: number): Promise<string | undefined> {
  const missing: string[] = [];
  let folder = resolve(path);
  while (!(await isFolder(folder))) {
    missing.push(folder);
    folder = dirname(folder);
  }
  let first: string | undefined;
  for (const each of missing.reverse()) if (await makeOne(each, mode)) first ??= each;
  return first;
}

/** Resolves when the folders are there as `makeFolders` makes them, and durable: what lies in one is lost with its name, so names are synced. */
export async function makeFoldersDurably(path: string, mode: number): Promise<void> {
  const first = resolve((await makeFolders(path, mode)) ?? path);
  for (let folder = resolve(path); folder !== dirname(first); folder = dirname(folder)) {
    await syncDirectory(dirname(folder)).catch((error: unknown) => {
      // One that we may enter and not list is none that we made.
      if (!isErrno(error, 'EACCES')) throw error;
    });
  }
}

/** @throws NodeJS.ErrnoException ENOTDIR */
async function isFolder(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
  throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: 'ENOTDIR' });
}

/** False: another caller or process was faster. */
async function makeOne(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST') && (await isFolder(path))) return false;
    throw error;
  }
}
