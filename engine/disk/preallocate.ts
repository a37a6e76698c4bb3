// Room for a file before its bytes come: its length at once, or the disk's own promise that there is room (fallocate of
// Linux, which Node does not offer). What a file system cannot promise is left as a hole.
import { fstat, ftruncate } from 'node:fs';
import { promisify } from 'node:util';
import { loadCLibrary } from '../../shared-protocol/c-library.js';
import type { Preallocation } from '../../shared-protocol/preallocation.js';

const statFd = promisify(fstat);
const truncateFd = promisify(ftruncate);
/** The whole of the file, whose length is set to it. */
const NO_MODE = 0;
/** Numbers of Linux for which there is no room. */
const NO_ROOM: ReadonlyMap<number, string> = new Map([
  [28, 'ENOSPC'],
  [122, 'EDQUOT'],
  [27, 'EFBIG'],
]);

let calls: ReturnType<typeof loadCalls> | undefined;

/** Gives the file its length, and with `full` its room; a file that has its length is left as it is. @throws system errors */
export async function preallocate(fd: number, sizeBytes: number, how: Preallocation): Promise<void> {
  if (how === 'none' || (await statFd(fd)).size >= sizeBytes) return;
  if (how === 'full') await reserve(fd, sizeBytes);
  await truncateFd(fd, sizeBytes);
}

function loadCalls() {
  const library = loadCLibrary();
  if (!library) return null;
  const fallocate = library.func('int fallocate(int fd, int mode, int64_t offset, int64_t length)');
  return { fallocate, errno: () => library.errno() };
}

async function reserve(fd: number, sizeBytes: number): Promise<void> {
  if (calls === undefined) calls = loadCalls();
  if (!calls) return;
  const { fallocate, errno } = calls;
  const failure = await new Promise<number>((resolve) => {
    fallocate.async(fd, NO_MODE, 0, sizeBytes, (_error, result) => resolve(result === 0 ? 0 : errno()));
  });
  const code = NO_ROOM.get(failure);
  // Whatever else it is, the file system has no such promise.
  if (code !== undefined) throw Object.assign(new Error(`no room for ${sizeBytes} bytes`), { code });
}
