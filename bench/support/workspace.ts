// The folder in memory that a run works in: the payload is read and written there, so that no disk is measured.
import { mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { removeNow, removeOnExit } from './clean-up.js';

const TMPFS = '/dev/shm';
/** The payload, a copy that a leecher writes and one that the other end writes. */
const COPIES = 3;

export interface Workspace {
  readonly path: string;
  /** A new folder of its own inside, named for a reader who looks into a stuck run. */
  folder(name: string): string;
  remove(path: string): void;
}

/** @throws Error with one clear line when there is no room for the payload and its copies */
export function createWorkspace(payloadBytes: number): Workspace {
  const { bavail, bsize } = statfsSync(TMPFS);
  if (bavail * bsize < payloadBytes * COPIES) {
    throw new Error(`${TMPFS} has no room for ${COPIES} × ${payloadBytes} bytes; choose a smaller --size`);
  }
  const path = mkdtempSync(join(TMPFS, 'swarmd-bench-'));
  removeOnExit(path);
  let count = 0;
  return {
    path,
    folder(name) {
      const folder = join(path, `${++count}-${name}`);
      mkdirSync(folder);
      return folder;
    },
    remove: removeNow,
  };
}
