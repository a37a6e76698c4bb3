// Deletes a torrent's own files and the folders that this leaves empty (docs/limits.md 2.32): never a file that the
// torrent does not list or that is not its own, never through a link, never the save path itself. Each folder is held
// while its files go, so that swapping it for a link meanwhile leads nowhere.
import type { Stats } from 'node:fs';
import { lstat, rmdir, unlink } from 'node:fs/promises';
import type { AppError } from '../../shared-protocol/errors.js';
import type { TorrentFile } from '../metainfo/types.js';
import type { Log } from '../environment.js';
import { diskError, errnoOf, isAbsent, isRefusedPath } from './errors.js';
import type { HeldFolder } from '../../storage/held-folder.js';
import type { FolderTree } from './open-beneath.js';
import { syncFolders } from './sync-folders.js';
import type { KeepFile } from './types.js';

export interface DeleteDeps {
  readonly tree: FolderTree;
  /** Whether what was found at the file's path is the torrent's, and may go. */
  mayDelete(file: TorrentFile, found: Stats): boolean | Promise<boolean>;
  readonly log: Log;
}

/** Goes through all files before it throws the first failure; durable when it resolves. @throws AppError `DISK_FAILED` */
export async function deleteOwnFiles(
  { tree, mayDelete, log }: DeleteDeps,
  files: readonly TorrentFile[],
  keep: KeepFile,
): Promise<void> {
  let failure: AppError | null = null;
  const note = (error: unknown, file: TorrentFile): void => {
    if (isRefusedPath(error)) log.warn('left in place: not a file of ours', { file: file.index });
    else if (!isAbsent(error)) failure ??= diskError(error, file.path);
  };
  const going = files.filter(({ isPad, path }) => !isPad && !keep(path));
  for (const inFolder of byFolder(going)) {
    const [first] = inFolder;
    const elements = first!.path.slice(0, -1);
    const deletion = tree.within(elements, false, async (folder) => {
      for (const file of inFolder)
        await deleteOne(folder, file, mayDelete).catch((error: unknown) => note(error, file));
    });
    await deletion.catch((error: unknown) => note(error, first!));
  }
  const folders = foldersOf(going);
  for (const folder of folders.toSorted((a, b) => b.length - a.length)) await removeEmpty(tree, folder);
  tree.forget();
  if (going.length > 0) await syncLeft(tree, [[], ...folders]);
  if (failure) throw failure as AppError;
}

/** Files by the folder they lie in, in the order of the first of each. */
export function byFolder(files: readonly TorrentFile[]): Iterable<readonly TorrentFile[]> {
  const folders = new Map<string, TorrentFile[]>();
  for (const file of files) {
    const key = file.path.slice(0, -1).join('/');
    const inFolder = folders.get(key);
    if (inFolder) inFolder.push(file);
    else folders.set(key, [file]);
  }
  return folders.values();
}

/** All folders that the files lie in below the save path, each after the one it is in. */
export function foldersOf(files: readonly TorrentFile[]): (readonly string[])[] {
  const folders = new Map<string, readonly string[]>();
  for (const { path, isPad } of files) {
    for (let depth = 1; depth < path.length && !isPad; depth++) {
      const folder = path.slice(0, depth);
      folders.set(folder.join('/'), folder);
    }
  }
  return [...folders.values()];
}

/** Makes it durable that files and folders went, in those that are there still. */
async function syncLeft(tree: FolderTree, folders: readonly (readonly string[])[]): Promise<void> {
  const left = await Promise.all(folders.map((folder) => tree.folder(folder).catch(() => null)));
  await syncFolders(left.filter((path) => path !== null));
}

async function deleteOne(folder: HeldFolder, file: TorrentFile, mayDelete: DeleteDeps['mayDelete']): Promise<void> {
  const entry = folder.entry(file.path.at(-1)!);
  const stats = await lstat(entry);
  // We make regular files only: a link or a folder of that name is a stranger's.
  if (!stats.isFile() || !(await mayDelete(file, stats))) return;
  await unlink(entry);
}

/** Leaves what is not empty, not there, or a link (rmdir does not follow one). */
async function removeEmpty(tree: FolderTree, elements: readonly string[]): Promise<void> {
  try {
    await tree.within(elements.slice(0, -1), false, (folder) => rmdir(folder.entry(elements.at(-1)!)));
  } catch (error) {
    const left = isRefusedPath(error) || isAbsent(error);
    if (!left && !['ENOTEMPTY', 'EEXIST', 'EBUSY', 'EACCES', 'EPERM', 'EROFS'].includes(errnoOf(error) ?? '')) {
      throw diskError(error, elements);
    }
  }
}
