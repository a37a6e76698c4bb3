// Whether files can be made at a path: tried where it is, or in the nearest folder above it while it is not there.
// Permissions alone do not tell: a volume may be read only, and in some nobody makes anything, not even root.
import { constants } from 'node:fs';
import { mkdtemp, open, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FolderTrial } from '../shared-protocol/folders.js';
import { systemErrorName } from '../shared-protocol/system-error-name.js';
import { isErrno } from './atomic-file.js';

/** Linux; Node has no name for it. Such a file has no name, so that nothing is left whenever the process ends. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;
/** NAME_MAX of Linux. */
const MAX_NAME_BYTES = 255;
/** Errors of a volume that is full: room is waited for. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
/** Errors that say as much of any other file. */
const FINAL: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', ...FULL]);

/** `path` absolute, and in its normal form. Nothing is left behind. */
export async function tryFolder(path: string): Promise<FolderTrial> {
  let exists = true;
  try {
    let folder = path;
    for (; !(await isThere(folder)); folder = dirname(folder)) {
      exists = false;
      if (Buffer.byteLength(basename(folder)) > MAX_NAME_BYTES)
        return { kind: 'refused', exists, code: 'ENAMETOOLONG' };
    }
    await makeSomething(folder);
    return { kind: 'usable' };
  } catch (error) {
    const code = codeOf(error);
    return FULL.has(code) ? { kind: 'usable' } : { kind: 'refused', exists, code };
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isErrno(error, 'ENAMETOOLONG') || (isErrno(error, 'ENOENT') && path !== dirname(path))) return false;
    throw error;
  }
}

async function makeSomething(folder: string): Promise<void> {
  try {
    await (await open(folder, O_TMPFILE | constants.O_WRONLY, 0o600)).close();
  } catch (error) {
    if (FINAL.has(codeOf(error))) throw error;
    // Not every file system has files without a name.
    await rmdir(await mkdtemp(join(folder, '.swarmd-')));
  }
}

function codeOf(error: unknown): string {
  return systemErrorName(error) ?? 'unknown';
}
