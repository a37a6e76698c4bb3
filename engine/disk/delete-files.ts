// Deletes a torrent's own files and the folders that this leaves empty (safety.md 2.32): never a file that the
// torrent does not list, never through a link, never the save path itself.
import { rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppError } from '../../shared-protocol/errors.js';
import type { TorrentFile } from '../metainfo/types.js';
import type { Log } from '../ports.js';
import { diskError, errnoOf, isAbsent, isRefusedPath } from './errors.js';
import type { FolderTree } from './open-inside.js';
import type { KeepFile } from './types.js';

export interface DeleteDeps {
  readonly tree: FolderTree;
  readonly log: Log;
}

/** Goes through all files before it throws the first failure. @throws AppError `DISK_FAILED` */
export async function deleteOwnFiles(
  { tree, log }: DeleteDeps,
  files: readonly TorrentFile[],
  keep: KeepFile,
): Promise<void> {
  let failure: AppError | null = null;
  const folders = new Map<string, readonly string[]>();
  for (const file of files) {
    if (file.isPad || keep(file.path)) continue;
    try {
      await deleteOne(tree, file.path);
    } catch (error) {
      if (isRefusedPath(error)) log.warn('left in place: not a file of ours', { file: file.index });
      else failure ??= diskError(error, file.path);
    }
    for (let depth = file.path.length - 1; depth > 0; depth--) {
      const folder = file.path.slice(0, depth);
      folders.set(folder.join('/'), folder);
    }
  }
  const deepestFirst = [...folders.values()].sort((a, b) => b.length - a.length);
  for (const folder of deepestFirst) await removeEmpty(tree, folder);
  tree.forget();
  if (failure) throw failure;
}

async function deleteOne(tree: FolderTree, path: readonly string[]): Promise<void> {
  const stats = await tree.stat(path);
  // We make regular files only: a link or a folder of that name is a stranger's.
  if (!stats?.isFile()) return;
  try {
    await unlink(join(await tree.folder(path.slice(0, -1), false), path.at(-1)!));
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
}

/** Leaves what is not empty, not there, or a link (rmdir does not follow one). */
async function removeEmpty(tree: FolderTree, folder: readonly string[]): Promise<void> {
  try {
    await rmdir(join(await tree.folder(folder.slice(0, -1), false), folder.at(-1)!));
  } catch (error) {
    const left = isRefusedPath(error) || isAbsent(error);
    if (!left && !['ENOTEMPTY', 'EEXIST', 'EBUSY', 'EACCES', 'EPERM', 'EROFS'].includes(errnoOf(error) ?? '')) {
      throw diskError(error, folder);
    }
  }
}
