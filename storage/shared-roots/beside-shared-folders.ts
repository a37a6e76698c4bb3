// A file system whose shared roots, if any are mounted, are not known: what engines know of each other is no place there.
import { sep } from 'node:path';
import type { Folders } from '../../shared-protocol/folders.js';
import { BETWEEN_ENGINES, isSharedFolder } from './shared-folder.js';

export function besideSharedFolders(folders: Folders): Folders {
  return {
    ...folders,
    async locate(path) {
      const location = await folders.locate(path);
      const isHidden = location.kind === 'place' && location.path.split(sep).some(isSharedFolder);
      return isHidden ? { kind: 'unusable', path: location.path, reason: BETWEEN_ENGINES } : location;
    },
  };
}
