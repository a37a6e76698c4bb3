// Deletes a torrent's own files and the folders that this leaves empty (docs/limits.md 2.32): never a file that the
// torrent does not list or that is not its own, never through a link, never the save path itself. Each folder is held
// while its files go, so that swapping it for a link meanwhile leads nowhere.
import { lstat, rmdir, unlink } from 'node:fs/promises';
import type { AppError } from '../../shared-protocol/errors.js';
import type { TorrentFile } from '../metainfo/types.js';
import type { Log } from '../environment.js';
import { diskError, errnoOf, isAbsent, isRefusedPath } from './errors.js';
import type { HeldFolder } from './held-folder.js';
import { foundFile, type FolderTree } from './open-beneath.js';
import type { FileOwnership, KeepFile } from './types.js';

export interface DeleteDeps {
  readonly tree: FolderTree;
  /** null: all that lies at the torrent's paths is its own. */
  readonly ownership: FileOwnership | null;
  readonly log: Log;
}

/** Goes through all files before it throws the first failure. @throws AppError `DISK_FAILED` */
export async function deleteOwnFiles(
  { tree, ownership, log }: DeleteDeps,
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
        await deleteOne(folder, file, ownership).catch((error: unknown) => note(error, file));
    });
    await deletion.catch((error: unknown) => note(error, first!));
  }
  const deepestFirst = [...folders.values()].sort((a, b) => b.length - a.length);
  for (const folder of deepestFirst) await removeEmpty(tree, folder);
  tree.forget();
  if (failure) throw failure as AppError;
}

function byFolder(files: readonly TorrentFile[]): Iterable<readonly TorrentFile[]> {
  const folders = new Map<string, TorrentFile[]>();
  for (const file of files) {
    const key = file.path.slice(0, -1).join('/');
    const inFolder = folders.get(key);
    if (inFolder) inFolder.push(file);
    else folders.set(key, [file]);
  }
  return folders.values();
}

async function deleteOne(folder: HeldFolder, file: TorrentFile, ownership: FileOwnership | null): Promise<void> {
  const entry = folder.entry(file.path.at(-1)!);
  const stats = await lstat(entry);
  // We make regular files only: a link or a folder of that name is a stranger's.
  if (!stats.isFile() || ownership?.mayDelete(file.index, foundFile(stats)) === false) return;
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
