// Looks at a save path: what there is to know its volume by.
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isAbsent } from './errors.js';
import type { Sighting } from './save-paths.js';

/** Looks at the nearest folder above it while it does not exist. @throws system errors other than of absence */
export async function probeSavePath(savePath: string): Promise<Sighting> {
  for (let path = savePath; ; path = dirname(path)) {
    try {
      const { dev, ino, birthtimeMs } = await stat(path);
      return { exists: path === savePath, device: dev, inode: ino, birthMs: Math.floor(birthtimeMs) };
    } catch (error) {
      if (!isAbsent(error) || path === dirname(path)) throw error;
    }
  }
}
