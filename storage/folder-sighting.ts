// Folders as they are seen, and whether what is at the place of one is on the volume that it was on: with that not mounted there is an
// empty folder of the system's disk, or none. A volume is known by its device number; where that has changed, as numbers do from one
// boot to the next, by the folder's inode and birth.
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isErrno } from './atomic-file.js';

/** A folder as it was seen; of the nearest one above it while it does not exist. */
export interface Sighting {
  readonly exists: boolean;
  readonly device: number;
  readonly inode: number;
  /** Unix milliseconds; 0 where the file system does not keep it. */
  readonly birthMs: number;
}

/** Whether both are of one volume. Pure. */
export function isSameVolume(before: Sighting, now: Sighting): boolean {
  if (before.device === now.device) return true;
  if (!now.exists) return false;
  // One that was not made yet held nothing that could be missed.
  if (!before.exists) return true;
  return before.inode === now.inode && before.birthMs === now.birthMs;
}

/** Looks at the nearest folder above it while it does not exist. @throws system errors other than of absence */
export async function sightFolder(folder: string): Promise<Sighting> {
  for (let path = folder; ; path = dirname(path)) {
    try {
      const { dev, ino, birthtimeMs } = await stat(path);
      return { exists: path === folder, device: dev, inode: ino, birthMs: Math.floor(birthtimeMs) };
    } catch (error) {
      const isAbsent = isErrno(error, 'ENOENT') || isErrno(error, 'ENOTDIR');
      if (!isAbsent || path === dirname(path)) throw error;
    }
  }
}
