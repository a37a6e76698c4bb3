// Records that come into a data directory, all of them or none. They are laid down beside (`.part`), and take the name `arriving` once
// they are whole and on stable storage: from that rename on they are the directory's. What is in their places goes, which is done once
// they are named `settling`, and they take these. A kill in between is made up for by whoever opens the directory next.
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../atomic-file.js';
import { syncTree } from '../sync-tree.js';
import { removeFolderRecords, writeFolder } from './folder-records.js';
import { removeMark } from './mark.js';
import type { Records } from './types.js';

const PART = 'records-arriving.part';
const ARRIVING = 'records-arriving';
const SETTLING = 'records-settling';
/** Files of what a front of before has told an engine that had the directory: it holds no more. */
const SAID_TO_ENGINE = ['engine-options', 'engine-blocklist'];

/** The directory is locked, and open. Nothing of it has changed until `commit` is called. */
export async function layBeside(
  directory: string,
  records: Records,
): Promise<{ readonly commit: () => Promise<void> }> {
  const part = join(directory, PART);
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { mode: 0o700 });
  await writeFolder(part, records);
  await syncTree(part);
  return {
    async commit() {
      await rename(part, join(directory, ARRIVING));
      await syncDirectory(directory);
      await settleArrival(directory);
    },
  };
}

/** Ends what a kill has interrupted; the directory is locked. */
export async function settleArrival(directory: string): Promise<void> {
  const [arriving, settling] = [join(directory, ARRIVING), join(directory, SETTLING)];
  await rm(join(directory, PART), { recursive: true, force: true });
  if (existsSync(arriving)) {
    await removeFolderRecords(directory);
    for (const name of SAID_TO_ENGINE) await rm(join(directory, name), { force: true });
    await removeMark(directory);
    await syncDirectory(directory);
    await rename(arriving, settling);
    await syncDirectory(directory);
  }
  if (!existsSync(settling)) return;
  for (const name of await readdir(settling)) await rename(join(settling, name), join(directory, name));
  await syncDirectory(directory);
  await rmdir(settling);
  await syncDirectory(directory);
}
