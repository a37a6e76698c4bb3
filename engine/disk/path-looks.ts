// Looks at paths of the real disk, without opening anything.
import { lstat } from 'node:fs/promises';
import { realLocation } from '../../storage/real-location.js';
import { isAbsent, refusedPath } from './errors.js';
import type { PathLooks } from './types.js';

export const realPathLooks: PathLooks = {
  async realPath(path) {
    const location = await realLocation(path);
    if (location.kind === 'unusable') throw refusedPath([path], location.reason);
    return location.path;
  },
  async at(path) {
    try {
      const stats = await lstat(path);
      return { inode: stats.ino, sizeBytes: stats.isFile() ? stats.size : -1 };
    } catch (error) {
      return isAbsent(error) ? null : { inode: 0, sizeBytes: -1 };
    }
  },
};
