// Writes an archive of the state. A kill at any moment leaves the archives that were there, and no half one under the name of a whole
// one; what is left over goes at the next start of the daemon, or when the next one is written.
import { chmod, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import { AppError } from '../../shared-protocol/errors.js';
import { systemErrorMessage } from '../../shared-protocol/system-error-name.js';
import { PRIVATE_FILE_MODE, syncDirectory } from '../atomic-file.js';
import { makeFoldersDurably } from '../make-folders.js';
import { copyState } from './copy-state.js';
import { BACKUP_VERSION, MANIFEST, type Manifest } from './manifest.js';
import { forgetUnfinished, stagingIn, unfinishedOf } from './unfinished.js';

export interface BackupParams {
  readonly dataDir: string;
  /** Holds where the database is that has the records; null: they are files of the data directory. */
  readonly databaseFile: string | null;
  /** The archive's path; its folder is made if need be. */
  readonly file: string;
  readonly program: string;
  /** Unix seconds. */
  readonly now: number;
}

/** Returns the size of the archive in bytes. @throws AppError `DISK_FULL`, `STORAGE_FAILED`, which names it */
export async function writeBackup(params: BackupParams): Promise<number> {
  const { file } = params;
  try {
    await makeFoldersDurably(dirname(file), 0o700);
    await forgetUnfinished(dirname(file));
    return await write(params).finally(() => forgetQuietly(file));
  } catch (cause) {
    const code = isOfFullDisk(cause) ? 'DISK_FULL' : 'STORAGE_FAILED';
    throw new AppError(code, `${systemErrorMessage(cause)}: ${file} is not written`, undefined, { cause });
  }
}

async function write({ dataDir, databaseFile, file, program, now }: BackupParams): Promise<number> {
  const folder = dirname(file);
  const [staging, unfinished] = [stagingIn(folder), unfinishedOf(file)];
  await mkdir(staging, { mode: 0o700 });
  const files = await copyState(dataDir, staging, databaseFile);
  const manifest: Manifest = { format: 'swarmd-backup', version: BACKUP_VERSION, program, created_at: now, files };
  await writeFile(join(staging, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: PRIVATE_FILE_MODE });
  await writeFile(unfinished, '', { mode: PRIVATE_FILE_MODE });
  await create({ file: unfinished, cwd: staging, gzip: true, portable: true, mode: PRIVATE_FILE_MODE }, [
    MANIFEST,
    ...files.map(({ name }) => name),
  ]);
  await chmod(unfinished, PRIVATE_FILE_MODE);
  const handle = await open(unfinished, 'r');
  await handle.sync().finally(() => handle.close());
  const { size } = await stat(unfinished);
  await rename(unfinished, file);
  await syncDirectory(folder);
  return size;
}

/** Words of LMDB are as copy-state.ts has them. */
function isOfFullDisk(cause: unknown): boolean {
  return /^(ENOSPC|EDQUOT)/.test(systemErrorMessage(cause));
}

/** Never rejects: what came of the archive is what is told, and what stays of it now goes with the next one. */
async function forgetQuietly(file: string): Promise<void> {
  await rm(unfinishedOf(file), { force: true }).catch(() => undefined);
  await forgetUnfinished(dirname(file)).catch(() => undefined);
}
