// How the real file system is asked about a volume: which one a folder lies on, what is free there, and whether it
// takes a write, which is tried with a file that has no name where that is possible.
import { constants } from 'node:fs';
import { open, stat, statfs, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf } from './errors.js';
import type { Space } from './volume-rules.js';

export interface VolumeProbe {
  /** The device of the folder, or of the nearest one above it that is there. */
  deviceOf(folder: string): Promise<number>;
  spaceOf(folder: string): Promise<Space>;
  /** Writes a little in the folder, and leaves nothing behind. Throws what the system says. */
  tryWrite(folder: string): Promise<void>;
}

const TRIAL_BYTES = Buffer.alloc(4096, 1);
/** Linux; Node has no name for it. Nothing is left behind, whenever the process ends. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY;
/** Errors of file systems that have no such files. */
const NO_UNNAMED_FILES: ReadonlySet<string> = new Set(['EOPNOTSUPP', 'ENOTSUP', 'EISDIR', 'EINVAL', 'ENOENT']);

export const systemVolumeProbe: VolumeProbe = {
  deviceOf: async (folder) => (await stat(await nearest(folder))).dev,
  async spaceOf(folder) {
    const { bavail, blocks, bsize } = await statfs(await nearest(folder));
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  },
  tryWrite: async (folder) => tryWriteIn(await nearest(folder)),
};

/** The folder, or while there is none, the one above it. */
async function nearest(folder: string): Promise<string> {
  try {
    await stat(folder);
    return folder;
  } catch (error) {
    const above = dirname(folder);
    if (above === folder || errnoOf(error) !== 'ENOENT') throw error;
    return nearest(above);
  }
}

async function tryWriteIn(folder: string): Promise<void> {
  let unnamed: FileHandle;
  try {
    unnamed = await open(folder, O_TMPFILE | constants.O_WRONLY, 0o600);
  } catch (error) {
    if (!NO_UNNAMED_FILES.has(errnoOf(error) ?? '')) throw error;
    return tryNamed(folder);
  }
  await writeTrial(unnamed);
}

async function tryNamed(folder: string): Promise<void> {
  const path = join(folder, `.swarmd-write-test-${process.pid}`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  try {
    await writeTrial(await open(path, flags, 0o600));
  } finally {
    await unlink(path).catch(() => undefined);
  }
}

async function writeTrial(file: FileHandle): Promise<void> {
  try {
    await file.write(TRIAL_BYTES, 0, TRIAL_BYTES.length, 0);
    // What the disk itself refuses comes out only now.
    await file.datasync();
  } finally {
    await file.close();
  }
}
