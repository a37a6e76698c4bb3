// Copies the state out of a data directory, while a daemon works on it or not. Each database is copied as it was at one moment, each
// collection as it was last replaced. The order makes them fit: ids in torrents are never above those in the collections, which
// are copied later, so that none is given out again; an item of a feed counts as done only if its torrent is there.
import { copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { open } from 'lmdb';
import { isErrno } from '../atomic-file.js';
import { LAYOUT_FILE } from '../data-directory.js';
import { COLLECTION_FOLDERS } from '../records/collection-files.js';
import { writeFolder } from '../records/folder-records.js';
import { sharedRecords } from '../records/shared-records.js';
import { filesBelow } from '../sync-tree.js';
import { DATABASE_FILE, DATABASES, isBackupName, sha256Of, type Manifest } from './manifest.js';

/** More than any of them has. */
const MAX_DBS = 32;
/** Files of this machine alone, which are made anew. */
const OF_THIS_MACHINE: ReadonlySet<string> = new Set(['runtime.json', 'engine-link.json']);

/** `target`: an empty directory. `databaseFile`: as of the daemon. Returns what lies in it then. */
export async function copyState(
  dataDir: string,
  target: string,
  databaseFile: string | null,
): Promise<Manifest['files']> {
  await (databaseFile === null ? copyOwn(dataDir, target) : copyShared(dataDir, target, databaseFile));
  // Not what LMDB has beside a database that was written here.
  const names = (await filesBelow(target)).filter(isBackupName).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(target, name);
      return { name, size: (await stat(path)).size, sha256: await sha256Of(path) };
    }),
  );
}

async function copyOwn(dataDir: string, target: string): Promise<void> {
  for (const folder of DATABASES) await copyDatabase(dataDir, target, folder);
  for (const folder of ['', ...COLLECTION_FOLDERS]) {
    for (const file of await namesIn(join(dataDir, folder))) {
      const name = folder === '' ? file : `${folder}/${file}`;
      if (isBackupName(name) && !OF_THIS_MACHINE.has(name)) await copyIfThere(join(dataDir, name), join(target, name));
    }
  }
}

/** The records of all fronts in the form of files, and what this front has for itself. */
async function copyShared(dataDir: string, target: string, databaseFile: string): Promise<void> {
  const before = await sharedRecords(databaseFile);
  await copyDatabase(dataDir, target, 'traffic');
  await copyIfThere(join(dataDir, LAYOUT_FILE), join(target, LAYOUT_FILE));
  const hasTorrents = await copyDatabase(dataDir, target, 'torrents');
  // Engines of their own processes have the torrents elsewhere, and records are of one moment; else each is as its place in the order says.
  const records = hasTorrents ? { ...(await sharedRecords(databaseFile)), feeds: before.feeds } : before;
  await writeFolder(target, records);
}

/** False: there is none. */
async function copyDatabase(dataDir: string, target: string, folder: (typeof DATABASES)[number]): Promise<boolean> {
  const file = join(dataDir, folder, DATABASE_FILE);
  if (!(await stat(file).catch(() => null))) return false;
  await mkdir(join(target, folder), { recursive: true, mode: 0o700 });
  const environment = open({ path: file, noSubdir: true, readOnly: true, maxDbs: MAX_DBS });
  try {
    await environment.backup(join(target, folder, DATABASE_FILE), true);
  } finally {
    await environment.close();
  }
  return true;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

/** An account, and its file with it, may go meanwhile. */
async function copyIfThere(file: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await copyFile(file, target).catch((error: unknown) => {
    if (!isErrno(error, 'ENOENT')) throw error;
  });
}
