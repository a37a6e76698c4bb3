// The real disk: one descriptor pool for all torrents, one storage for each.
import { realpath } from 'node:fs/promises';
import type { Log } from '../environment.js';
import { REFUSE_NONE, type RefusePlace } from './allowed-places.js';
import { FilePool } from './file-pool.js';
import { openFileLimit } from '../net/descriptors.js';
import { FileRelocation } from './relocation.js';
import { FileTorrentStorage } from './torrent-storage.js';
import { realFileTrees } from './list-tree.js';
import { realPathLooks } from './path-looks.js';
import { PartFolder } from './part-folder.js';
import { sightFolder } from '../../storage/folder-sighting.js';
import { RecentLooks } from '../../storage/recent-looks.js';
import { savePathTree } from './save-path-tree.js';
import { SavePaths } from './save-paths.js';
import { FolderSyncs } from './sync-folders.js';
import type { Disk } from './types.js';
import { systemVolumeProbe } from './volume-probe.js';
import { Volumes } from './volumes.js';

export interface DiskDeps {
  /** Where the bytes of skipped files go; created with the first of them, for the owner's eyes only. */
  readonly partsDir: string;
  /** Real places of which nothing is opened for a torrent. @default none */
  readonly refuses?: RefusePlace;
  /** Asked before each write; throws where none may be made. @default it may always */
  readonly assertMayWrite?: (() => void) | undefined;
  readonly log: Log;
}

export interface DiskOptions {
  /** Descriptors over all torrents. @default a tenth of what the process may have, at most 500 */
  readonly maxOpenFiles?: number;
}

export function createDisk(
  { partsDir, refuses = REFUSE_NONE, assertMayWrite, log }: DiskDeps,
  options: DiskOptions = {},
): Disk {
  const pool = new FilePool({ log, assertMayWrite }, { maxOpenFiles: options.maxOpenFiles ?? openFileLimit() });
  const volumes = new Volumes({ looks: systemVolumeProbe, log }, partsDir);
  const savePaths = new SavePaths(sightFolder);
  const roots = new RecentLooks((savePath) => realpath(savePath));
  const parts = new PartFolder(partsDir);
  const folderSyncs = new FolderSyncs();
  return {
    savePaths,
    trouble: volumes,
    looks: realPathLooks,
    trees: realFileTrees(refuses),
    openTorrent: (params) =>
      new FileTorrentStorage({ pool, volumes, savePaths, roots, parts, folderSyncs, refuses, log }, params),
    relocation(params) {
      const treeAt = (savePath: string) => savePathTree({ savePaths, roots, refuses }, savePath);
      const deps = { source: treeAt(params.from), target: treeAt(params.to), looks: systemVolumeProbe, log };
      return new FileRelocation(deps, params);
    },
    close: () => pool.close(),
  };
}
