// fdatasync, and what has to follow one that fails: what the kernel could not write it keeps as though it had. The pages count
// as clean, a second sync succeeds, and a read finds them as they were meant to be until memory is wanted for others. Only
// without them does a look at the file say what is on the disk.
import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import { loadCLibrary, type CFunction } from '../../shared-protocol/c-library.js';

const syncFd = promisify(fdatasync);

/** Linux, where `loadCLibrary` calls it. */
const POSIX_FADV_DONTNEED = 4;

let advise: CFunction | null | undefined;

/** Rejects with system errors; the file's pages are let go of then, but for those that are still to be written. */
export async function syncDescriptor(fd: number): Promise<void> {
  try {
    await syncFd(fd);
  } catch (error) {
    await dropCached(fd);
    throw error;
  }
}

/** Never rejects: where it cannot be asked for, they stay. */
async function dropCached(fd: number): Promise<void> {
  advise ??= loadCLibrary()?.func('int posix_fadvise(int fd, int64_t offset, int64_t length, int advice)') ?? null;
  const call = advise;
  if (call) await new Promise<void>((resolve) => call.async(fd, 0, 0, POSIX_FADV_DONTNEED, () => resolve()));
}
