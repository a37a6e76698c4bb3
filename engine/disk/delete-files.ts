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
import type { KeepFile } from './types.js';

export interface DeleteDeps {
  readonly tree: FolderTree;
  /** Whether what was found at the file's path is the torrent's, and may go. */
  mayDelete(file: TorrentFile, found: Stats): boolean | Promise<boolean>;
  readonly log: Log;
}

/** Goes through all files before it throws the first failure. @throws AppError `DISK_FAILED` */
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
  const folders = new Map<string, readonly string[]>();
  for (const inFolder of byFolder(files.filter(({ isPad, path }) => !isPad && !keep(path)))) {
    const [first] = inFolder;
    const elements = first!.path.slice(0, -1);
    for (let depth = elements.length; depth > 0; depth--) {
      const folder = elements.slice(0, depth);
      folders.set(folder.join('/'), folder);
    }
    const deletion = tree.within(elements, false, async (folder) => {
      for (const file of inFolder)
        await deleteOne(folder, file, mayDelete).catch((error: unknown) => note(error, file));
    });
    await deletion.catch((error: unknown) => note(error, first!));
  }
  const deepestFirst = [...folders.values()].sort((a, b) => b.length - a.length);
  for (const folder of deepestFirst) await removeEmpty(tree, folder);
  tree.forget();
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
