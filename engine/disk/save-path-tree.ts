// The folders below a save path, in which nothing is made while its volume is not there, and nothing is touched where no
// torrent's files may be.
import type { RecentLooks } from '../../storage/recent-looks.js';
import type { RefusePlace } from './allowed-places.js';
import { FolderTree } from './open-beneath.js';
import type { SavePaths } from './save-paths.js';

export interface SavePathTreeDeps {
  readonly savePaths: SavePaths;
  readonly roots: RecentLooks<string>;
  /** Places that are no torrent's business. */
  readonly refuses: RefusePlace;
}

export function savePathTree({ savePaths, roots, refuses }: SavePathTreeDeps, savePath: string): FolderTree {
  const assertHere = () => savePaths.assertHere(savePath);
  return new FolderTree(savePath, { assertHere, roots, refuses });
}
