// Writes an archive of the state. A kill at any moment leaves the archives that were there, and no half one under the name of a whole
// one; what is left over goes when the next one is written.
import { chmod, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { create } from 'tar';
import { PRIVATE_FILE_MODE, syncDirectory } from '../atomic-file.js';
import { copyState } from './copy-state.js';
import { BACKUP_VERSION, MANIFEST, type Manifest } from './manifest.js';

const STAGING = '.backup-staging';
const UNFINISHED = '.unfinished';

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

/** Returns the size of the archive in bytes. */
export async function writeBackup({ dataDir, databaseFile, file, program, now }: BackupParams): Promise<number> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await forgetUnfinished(folder);
  const staging = join(folder, STAGING);
  const unfinished = join(folder, `${basename(file)}${UNFINISHED}`);
  try {
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
  } finally {
    await forgetUnfinished(folder);
  }
}

async function forgetUnfinished(folder: string): Promise<void> {
  await rm(join(folder, STAGING), { recursive: true, force: true });
  for (const name of await readdir(folder))
    if (name.endsWith(UNFINISHED)) await rm(join(folder, name), { force: true });
}
