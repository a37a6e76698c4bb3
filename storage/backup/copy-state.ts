// Copies the state out of a data directory, while a daemon works on it or not. Each database is copied as it was at one moment, each
// collection as it was last replaced. The order makes them fit: ids in torrents are never above those in the collections, which
// are copied later, so that none is given out again; an item of a feed counts as done only if its torrent is there.
import { copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { open } from 'lmdb';
import { isErrno } from '../atomic-file.js';
import { COLLECTION_FOLDERS } from '../records/collection-files.js';
import { DATABASE_FILE, DATABASES, isBackupName, sha256Of, type Manifest } from './manifest.js';

/** More than any of them has. */
const MAX_DBS = 32;
/** Files of this machine alone, which are made anew. */
const OF_THIS_MACHINE: ReadonlySet<string> = new Set(['runtime.json', 'engine-link.json']);

/** `target`: an empty directory. Returns what lies in it then. */
export async function copyState(dataDir: string, target: string): Promise<Manifest['files']> {
  const names: string[] = [];
  for (const folder of DATABASES) {
    const name = `${folder}/${DATABASE_FILE}`;
    if (await copyDatabase(join(dataDir, name), join(target, name))) names.push(name);
  }
  for (const folder of ['', ...COLLECTION_FOLDERS]) {
    for (const file of await namesIn(join(dataDir, folder))) {
      const name = folder === '' ? file : `${folder}/${file}`;
      if (!isBackupName(name) || OF_THIS_MACHINE.has(name)) continue;
      if (await copyIfThere(join(dataDir, name), join(target, name))) names.push(name);
    }
  }
  return Promise.all(
    names.map(async (name) => {
      const path = join(target, name);
      return { name, size: (await stat(path)).size, sha256: await sha256Of(path) };
    }),
  );
}

async function copyDatabase(file: string, target: string): Promise<boolean> {
  if (!(await stat(file).catch(() => null))) return false;
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const environment = open({ path: file, noSubdir: true, readOnly: true, maxDbs: MAX_DBS });
  try {
    await environment.backup(target, true);
  } finally {
    await environment.close();
  }
  return true;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

/** An account, and its file with it, may go meanwhile. */
async function copyIfThere(file: string, target: string): Promise<boolean> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  try {
    await copyFile(file, target);
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
}
