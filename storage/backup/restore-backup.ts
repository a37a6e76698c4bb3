// Makes a data directory of an archive, in an empty one: all of it is unpacked, compared with its checksums and told in paths of this
// machine before anything takes its place. Until the last file has, the directory says that it is not whole (`restoring`), and no
// daemon starts on it; another restore begins anew.
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { extract } from 'tar';
import { systemClock } from '../../shared-protocol/clock.js';
import { AppError, messageOf } from '../../shared-protocol/errors.js';
import type { PathMapping } from '../../shared-protocol/path-map.js';
import { PRIVATE_FILE_MODE, syncDirectory } from '../atomic-file.js';
import { RESTORING } from '../data-directory.js';
import { lockFile } from '../directory-lock.js';
import { intoDatabase } from '../records/carry.js';
import { COLLECTION_FOLDERS } from '../records/collection-files.js';
import { readFolder, removeFolderRecords } from '../records/folder-records.js';
import { MARK_FILE, writeMark } from '../records/mark.js';
import { filesBelow, syncTree } from '../sync-tree.js';
import { mapPaths } from './map-paths.js';
import {
  BACKUP_VERSION,
  DATABASES,
  isBackupName,
  MANIFEST,
  manifestSchema,
  sha256Of,
  type Manifest,
} from './manifest.js';

const LOCK = 'lock';
/** Folders that one makes at the top of a data directory. */
const FOLDERS: ReadonlySet<string> = new Set([...DATABASES, ...COLLECTION_FOLDERS]);
const FILE_TYPES: ReadonlySet<string> = new Set(['File', 'OldFile']);

export interface RestoreParams {
  readonly archive: string;
  readonly dataDir: string;
  readonly mappings: readonly PathMapping[];
  /** Holds where the database is that takes the records; null: they are files of the data directory. */
  readonly databaseFile: string | null;
}

/** @throws AppError `STORAGE_FAILED`, `STORAGE_TOO_NEW`, `STORAGE_LOCKED`, `RECORDS_IN_THE_WAY`, `RECORDS_MISSING` */
export async function restoreBackup({ archive, dataDir, mappings, databaseFile }: RestoreParams): Promise<Manifest> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockEmpty(dataDir);
  try {
    const unpacked = join(dataDir, RESTORING);
    for (const name of await readdir(dataDir)) {
      if (name !== LOCK && name !== RESTORING) await rm(join(dataDir, name), { recursive: true, force: true });
    }
    await rm(unpacked, { recursive: true, force: true });
    await mkdir(unpacked, { mode: 0o700 });
    await syncDirectory(dataDir);
    await unpack(archive, unpacked);
    const manifest = await verify(archive, unpacked);
    await mapPaths(unpacked, mappings);
    if (databaseFile !== null) await settleRecords(unpacked, databaseFile, archive);
    await settle(unpacked, dataDir);
    return manifest;
  } catch (cause) {
    const code = cause instanceof AppError ? cause.code : 'STORAGE_FAILED';
    const state = `nothing is restored: no daemon starts on ${dataDir} until a restore has come to its end`;
    throw new AppError(code, `${messageOf(cause)}; ${state}`, undefined, { cause });
  } finally {
    lock.release();
  }
}

async function lockEmpty(dataDir: string): Promise<ReturnType<typeof lockFile>> {
  const names = await readdir(dataDir);
  const isCutOff = names.includes(RESTORING) && names.every(isOfRestore);
  if (!isCutOff && names.some((name) => name !== LOCK)) {
    throw failed(`${dataDir} is not empty: name an empty directory, or one that is not there yet`);
  }
  return lockFile(join(dataDir, LOCK));
}

/** Whether a restore may have made it; what else there is was put there by somebody, who loses none of it. */
function isOfRestore(name: string): boolean {
  return name === LOCK || name === RESTORING || FOLDERS.has(name) || isBackupName(name) || name === MARK_FILE;
}

async function unpack(archive: string, target: string): Promise<void> {
  const strange = { name: '' };
  try {
    await extract({
      file: archive,
      cwd: target,
      strict: true,
      dmode: 0o700,
      fmode: PRIVATE_FILE_MODE,
      preserveOwner: false,
      noMtime: true,
      filter: (path, entry) => {
        const isFile = 'type' in entry && FILE_TYPES.has(entry.type);
        const isKnown = isFile && (path === MANIFEST || isBackupName(path));
        if (!isKnown) strange.name ||= path;
        return isKnown;
      },
    });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('STORAGE_FAILED', `${archive} cannot be unpacked: ${message}`, undefined, { cause });
  }
  if (strange.name !== '') throw failed(`${archive} is no backup of Swarmd: it holds ${JSON.stringify(strange.name)}`);
}

async function verify(archive: string, unpacked: string): Promise<Manifest> {
  const text = await readFile(join(unpacked, MANIFEST), 'utf8').catch(() => null);
  if (text === null) throw failed(`${archive} is no backup of Swarmd: there is no ${MANIFEST} in it`);
  const parsed = manifestSchema.safeParse(jsonOf(text));
  if (!parsed.success) throw failed(`${archive}: its ${MANIFEST} is not understood`);
  const { version, files } = parsed.data;
  if (version > BACKUP_VERSION) {
    throw new AppError(
      'STORAGE_TOO_NEW',
      `${archive} has version ${version}; this program knows up to ${BACKUP_VERSION}`,
    );
  }
  for (const { name, size, sha256 } of files) {
    const path = join(unpacked, name);
    const found = await stat(path).catch(() => null);
    if (found?.size !== size || (await sha256Of(path)) !== sha256) throw failed(`${archive}: ${name} is damaged`);
  }
  const known = new Set(files.map(({ name }) => name));
  for (const name of await filesBelow(unpacked)) {
    if (name !== MANIFEST && !known.has(name)) throw failed(`${archive}: ${name} is not in its ${MANIFEST}`);
  }
  await rm(join(unpacked, MANIFEST));
  return parsed.data;
}

async function settle(unpacked: string, dataDir: string): Promise<void> {
  await syncTree(unpacked);
  for (const name of await readdir(unpacked)) await rename(join(unpacked, name), join(dataDir, name));
  await syncDirectory(dataDir);
  await rm(unpacked, { recursive: true });
  await syncDirectory(dataDir);
}

/** Records go where fronts share them, and no file of them stays; one that was cut off after that finds them there. */
async function settleRecords(unpacked: string, databaseFile: string, archive: string): Promise<void> {
  const { database } = await intoDatabase(await readFolder(unpacked), databaseFile, archive);
  await removeFolderRecords(unpacked);
  await writeMark(unpacked, database, systemClock.unixMs());
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function failed(message: string): AppError {
  return new AppError('STORAGE_FAILED', message);
}
