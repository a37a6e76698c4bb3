// What lies in a folder of archives while one is written, and what a kill leaves of it: copies of the state, and half an archive.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listIfExists } from '../atomic-file.js';

const STAGING = '.backup-staging';
const UNFINISHED = '.unfinished';
/** Names of archives alone: what else has such an end is somebody's. */
const UNFINISHED_ARCHIVE = /^swarmd-.*\.tar\.gz\.unfinished$/;

/** Where the files of an archive are gathered. */
export function stagingIn(folder: string): string {
  return join(folder, STAGING);
}

/** The path of an archive while it is written. */
export function unfinishedOf(file: string): string {
  return `${file}${UNFINISHED}`;
}

/** Removes what one that came to no end has left; none is under way. */
export async function forgetUnfinished(folder: string): Promise<void> {
  await rm(stagingIn(folder), { recursive: true, force: true });
  for (const name of await listIfExists(folder))
    if (UNFINISHED_ARCHIVE.test(name)) await rm(join(folder, name), { force: true });
}
