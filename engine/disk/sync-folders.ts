// Makes the entries of folders durable, on file systems that can. Thousands of torrents that are checked lie in the same
// few folders, and each of them asks: a folder that has not changed since a sync of it is not synced again.
import { fsync, type BigIntStats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { diskError, errnoOf } from './errors.js';

const syncWhole = promisify(fsync);

/** The coarsest times of file systems are of two seconds (FAT): so long may changes after a look have the time of before. */
const SURELY_LATER_MS = 3_000;
const MAX_REMEMBERED = 1_000;

/** A folder as it was first seen so. */
interface Seen {
  readonly device: bigint;
  readonly inode: bigint;
  readonly ctimeNs: bigint;
  readonly sinceMs: number;
  isSynced: boolean;
}

export class FolderSyncs {
  /** The folders that were asked for longest ago first. */
  readonly #seen = new Map<string, Seen>();

  /** `syncOne`: whether the folder was synced. */
  constructor(
    private readonly nowMs: () => number = () => performance.now(),
    private readonly syncOne: (folder: string) => Promise<boolean> = syncFolder,
  ) {}

  /** @throws AppError `DISK_FAILED` when the disk cannot write them */
  async sync(folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
      const now = await stat(folder, { bigint: true }).catch(() => null);
      const seen = now && this.#note(folder, now);
      if (seen?.isSynced) continue;
      // Whatever is made after a sync that began this late changes the folder's ctime.
      const isSure = seen !== null && this.nowMs() - seen.sinceMs >= SURELY_LATER_MS;
      if ((await this.syncOne(folder)) && isSure) seen.isSynced = true;
    }
  }

  #note(folder: string, { dev: device, ino: inode, ctimeNs }: BigIntStats): Seen {
    const before = this.#seen.get(folder);
    const isSame = before?.device === device && before.inode === inode && before.ctimeNs === ctimeNs;
    const seen = isSame ? before : { device, inode, ctimeNs, sinceMs: this.nowMs(), isSynced: false };
    this.#seen.delete(folder);
    this.#seen.set(folder, seen);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > MAX_REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
    return seen;
  }
}

/** @throws AppError `DISK_FAILED` when the disk cannot write them */
export async function syncFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await syncFolder(folder);
}

/** Whether it was synced: FUSE and network file systems may not sync folders; a removed one has no entries to keep. */
async function syncFolder(folder: string): Promise<boolean> {
  try {
    const handle = await open(folder, 'r');
    try {
      await syncWhole(handle.fd);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EIO') throw diskError(error, [basename(folder)]);
    return false;
  }
}
