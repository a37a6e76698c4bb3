// Temporary directories of tests, in memory where there is room.
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeAtExit } from './child-process.js';

const SHARED_MEMORY = '/dev/shm';

export interface Scratch {
  readonly path: string;
  remove(): Promise<void>;
}

/** `bytes`: how much will be written into it. */
export async function makeScratch(label: string, bytes = 0): Promise<Scratch> {
  const path = await mkdtemp(join(await roomiest(bytes), `swarmd-${label}-`));
  const registered = removeAtExit(path);
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true });
      registered.done();
    },
  };
}

/** Memory spares the disk and does not wait for it, but only with twice the room, as others use it too. */
async function roomiest(bytes: number): Promise<string> {
  const free = await statfs(SHARED_MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free > 2 * bytes ? SHARED_MEMORY : tmpdir();
}
