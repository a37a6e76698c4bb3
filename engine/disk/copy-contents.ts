// Copies what lies behind one descriptor to behind another: as shared extents where the file system has that, else in
// pieces, over which holes are kept. Both files are named by their descriptors alone, so that nobody can lead the copy
// elsewhere by renaming anything.
import { constants, fchmod, fstat, ftruncate, fsync, futimes } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { loadFileHoles, type NextData } from '../hashing/file-holes.js';
import { COPY_CHUNK_BYTES } from './constants.js';
import { readInto, writeAll } from './transfer.js';

const statFd = promisify(fstat);
const chmodFd = promisify(fchmod);
const truncateFd = promisify(ftruncate);
const syncFd = promisify(fsync);
const touchFd = promisify(futimes);

/** POSIX leaves it open; everywhere it is this. */
const STAT_BLOCK_BYTES = 512;

let holes: NextData | null = null;

export interface CopyProgress {
  /** Throws when the copy is to end. */
  assertWanted(): void;
  /** So many bytes from the beginning lie there. */
  onCopied(upTo: number): Promise<void>;
}

/** Durable when it resolves, with times and rights of the source. Rejects with system errors. */
export async function copyContents(source: number, target: number, progress: CopyProgress): Promise<void> {
  const { size, blocks, mode, atimeMs, mtimeMs } = await statFd(source);
  if (await shareExtents(source, target)) await progress.onCopied(size);
  else await copyInPieces(source, target, size, blocks * STAT_BLOCK_BYTES < size, progress);
  // Behind the last data there may be a hole.
  await truncateFd(target, size);
  await chmodFd(target, mode & 0o777);
  await touchFd(target, atimeMs / 1000, mtimeMs / 1000);
  await syncFd(target);
}

/** False: the file system does not, or the two are on different ones. */
async function shareExtents(source: number, target: number): Promise<boolean> {
  try {
    // /proc leads to the very files behind the descriptors.
    await copyFile(`/proc/self/fd/${source}`, `/proc/self/fd/${target}`, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  }
}

async function copyInPieces(
  source: number,
  target: number,
  size: number,
  isSparse: boolean,
  progress: CopyProgress,
): Promise<void> {
  if (isSparse) holes ??= loadFileHoles();
  const nextData = (at: number): number => (isSparse && holes ? Math.min(size, holes(source, at)) : at);
  const buffer = Buffer.allocUnsafeSlow(Math.min(COPY_CHUNK_BYTES, size));
  for (let at = nextData(0); at < size; at = nextData(at)) {
    progress.assertWanted();
    const chunk = buffer.subarray(0, Math.min(buffer.length, size - at));
    await settled((done) => readInto(source, [chunk], chunk.length, at, done));
    await settled((done) => writeAll(target, chunk, at, done));
    at += chunk.length;
    await progress.onCopied(at);
  }
  await progress.onCopied(size);
}

function settled(transfer: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => transfer((error) => (error ? reject(error) : resolve())));
}
