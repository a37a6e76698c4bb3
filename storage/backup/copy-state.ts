// Copies the state out of a data directory, while a daemon works on it or not. Each database is copied as it was at one moment, each
// collection as it was last replaced. The order makes them fit: ids in torrents are never above those in the collections, which
// are copied later, so that none is given out again; an item of a feed counts as done only if its torrent is there. What cannot be
// read is no reason to leave it out: then there is no copy.
import { copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { open } from 'lmdb';
import { AppError, messageOf } from '../../shared-protocol/errors.js';
import { isErrno, listIfExists, PRIVATE_FILE_MODE } from '../atomic-file.js';
import { openEnvelope } from '../collection-envelope.js';
import { readNewest } from '../collection-file.js';
import { LAYOUT_FILE } from '../data-directory.js';
import { COLLECTION_FOLDERS, isCollectionName } from '../records/collection-files.js';
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
  const inFolders = await Promise.all(
    COLLECTION_FOLDERS.map(async (folder) =>
      (await listIfExists(join(dataDir, folder))).map((file) => `${folder}/${file}`),
    ),
  );
  for (const name of [await readdir(dataDir), ...inFolders].flat().sort()) {
    if (!isBackupName(name) || OF_THIS_MACHINE.has(name)) continue;
    await copyNewest(dataDir, target, name);
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
  if (!(await isThere(file))) return false;
  await mkdir(join(target, folder), { recursive: true, mode: 0o700 });
  try {
    const environment = open({ path: file, noSubdir: true, readOnly: true, maxDbs: MAX_DBS });
    await environment.backup(join(target, folder, DATABASE_FILE), true).finally(() => environment.close());
  } catch (cause) {
    // LMDB's own words for a full disk do not begin with its name, by which people are told what to do.
    const message = messageOf(cause).replace(/^No space left/, 'ENOSPC: no space left');
    throw new AppError('STORAGE_FAILED', `${message}, copy '${file}'`, undefined, { cause });
  }
  return true;
}

async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Copies of a damaged collection the generation that the daemon itself goes on with; one without any that is usable as it lies there. */
async function copyNewest(dataDir: string, target: string, name: string): Promise<void> {
  const [file, copy] = [join(dataDir, name), join(target, name)];
  const bytes = isCollectionName(name.replace(/\.json$/, '')) ? await usableBytes(file) : null;
  if (!bytes) return copyIfThere(file, copy);
  await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
  await writeFile(copy, bytes, { mode: PRIVATE_FILE_MODE });
}

async function usableBytes(file: string): Promise<Buffer | null> {
  try {
    return await readNewest(file, (bytes) => {
      const opened = openEnvelope(bytes);
      return opened.kind === 'damaged' ? opened : { kind: 'usable', value: bytes };
    });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** An account, and its file with it, may go meanwhile. */
async function copyIfThere(file: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await copyFile(file, target).catch((error: unknown) => {
    if (!isErrno(error, 'ENOENT')) throw error;
  });
}
