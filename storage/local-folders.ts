// The file system of this machine, for those who ask by the port (shared-protocol/folders.ts).
import type { Dirent } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Folders, ListedEntry, ListedFolder, ListFolderParams } from '../shared-protocol/folders.js';
import { tryFolder } from './folder-trial.js';
import { realLocation } from './real-location.js';
import { lookAtVolumes } from './volume-looks.js';

/** Measured: 10 ms on a local disk. */
const MAX_ENTRIES_READ = 10_000;
/** Each costs three looks at the disk. */
const MAX_LINKS_FOLLOWED = 100;
const READ_AT_ONCE = 512;

export const localFolders: Folders = {
  locate: realLocation,
  tryOut: tryFolder,
  isFolder: (path) =>
    stat(path).then(
      (stats) => stats.isDirectory(),
      () => false,
    ),
  volumes: lookAtVolumes,
  list: listFolder,
};

async function listFolder({ folder, beginning }: ListFolderParams): Promise<ListedFolder> {
  const entries: ListedEntry[] = [];
  let read = 0;
  let links = 0;
  try {
    for await (const entry of await opendir(folder, { bufferSize: READ_AT_ONCE })) {
      if (++read > MAX_ENTRIES_READ) break;
      if (beginning !== undefined && !isWanted(entry.name, beginning)) continue;
      if (entry.isSymbolicLink() && ++links > MAX_LINKS_FOLLOWED) continue;
      const listed = await listedEntry(folder, entry);
      if (listed) entries.push(listed);
    }
  } catch {
    return { entries: null, isComplete: false };
  }
  return { entries, isComplete: read <= MAX_ENTRIES_READ && links <= MAX_LINKS_FOLLOWED };
}

function isWanted(name: string, beginning: string): boolean {
  const isHidden = name.startsWith('.') && !beginning.startsWith('.');
  return !isHidden && name.toLowerCase().startsWith(beginning.toLowerCase());
}

/** null: it is neither a folder nor a file, or has a name that no text can hold. */
async function listedEntry(folder: string, entry: Dirent): Promise<ListedEntry | null> {
  const { name } = entry;
  if (name.includes('\uFFFD')) return null;
  const path = join(folder, name);
  if (entry.isDirectory()) return { name, kind: 'folder', realPath: path, isLink: false };
  if (entry.isFile()) return { name, kind: 'file', realPath: path, isLink: false };
  if (!entry.isSymbolicLink()) return null;
  try {
    const target = await realpath(path);
    return (await stat(target)).isDirectory() ? { name, kind: 'folder', realPath: target, isLink: true } : null;
  } catch {
    return null;
  }
}
