// Which directories torrents may be saved to (semantics §10). Judged by where a path really leads, links resolved:
// else a plain user who may add torrents could write into anybody's home.
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { isErrno } from '../../storage/atomic-file.js';
import { AppError } from '../../shared-protocol/errors.js';
import { RequestError } from '../errors.js';

const MAX_PATH_LENGTH = 4096;

export interface SavePathPolicy {
  /** Used for an empty path, and the base of relative ones. */
  readonly defaultPath: string;
  /** --allowed-paths; empty: not given. */
  readonly allowedPaths: readonly string[];
  readonly isAdmin: boolean;
}

/** The absolute path meant. @throws AppError `SAVE_PATH_INVALID`; RequestError `FORBIDDEN` */
export async function resolveSavePath(requested: string, policy: SavePathPolicy): Promise<string> {
  if (requested === '') return policy.defaultPath;
  if (requested.includes('\0')) throw new AppError('SAVE_PATH_INVALID', 'save_path: contains a NUL character');
  if (requested.length > MAX_PATH_LENGTH) {
    throw new AppError('SAVE_PATH_INVALID', `save_path: longer than ${MAX_PATH_LENGTH} characters`);
  }
  const path = isAbsolute(requested) ? resolve(requested) : resolve(policy.defaultPath, requested);
  const isUnconfined = policy.isAdmin && policy.allowedPaths.length === 0;
  if (isUnconfined || (await isInside(path, rootsOf(policy)))) return path;
  if (!policy.isAdmin) throw new RequestError('FORBIDDEN');
  throw new AppError('SAVE_PATH_INVALID', 'save_path: outside the allowed paths');
}

function rootsOf(policy: SavePathPolicy): readonly string[] {
  return policy.allowedPaths.length > 0 ? policy.allowedPaths : [policy.defaultPath];
}

async function isInside(path: string, roots: readonly string[]): Promise<boolean> {
  const real = await realLocation(path);
  for (const root of roots) {
    const realRoot = await realLocation(root);
    if (real === realRoot || real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)) return true;
  }
  return false;
}

/** With links of the part that exists resolved; the rest will be created below it. */
async function realLocation(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isErrno(error, 'ENOENT') || dirname(path) === path) {
      throw new AppError('SAVE_PATH_INVALID', 'save_path: cannot be used', undefined, { cause: error });
    }
    if (await isDanglingLink(path)) throw new AppError('SAVE_PATH_INVALID', 'save_path: leads nowhere');
    return join(await realLocation(dirname(path)), basename(path));
  }
}

/** Its target may appear later, anywhere. */
async function isDanglingLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}
