// The file of an LMDB environment comes into being whole. LMDB writes the first pages of a new one without syncing them,
// and a file of which a power cut left half kills every process that opens it; so it is made under another name and
// takes its own only when it is on stable storage, its name included.
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../shared-protocol/errors.js';

const FILE = 'data.mdb';
const UNBORN = 'new.mdb';
const LOCK_SUFFIX = '-lock';

interface Environment {
  close(): Promise<void>;
  readonly status?: string;
}

/** Path of the environment's file in the directory, both made if need be. `make` commits something to a new one. */
export function prepareEnvironment(dir: string, make: (path: string) => Environment): string {
  const path = join(dir, FILE);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (!existsSync(path)) bear(join(dir, UNBORN), path, make);
  // Also when it was there: whoever made it may have been killed before this.
  syncFolder(dir);
  syncFolder(dirname(dir));
  return path;
}

function bear(unborn: string, path: string, make: (path: string) => Environment): void {
  rmSync(unborn, { force: true });
  rmSync(`${unborn}${LOCK_SUFFIX}`, { force: true });
  const environment = make(unborn);
  // Without asynchronous writes there is nothing to wait for.
  void environment.close();
  if (environment.status !== 'closed') throw new AppError('BUG', 'bug: a new environment is still being written');
  rmSync(`${unborn}${LOCK_SUFFIX}`, { force: true });
  renameSync(unborn, path);
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
