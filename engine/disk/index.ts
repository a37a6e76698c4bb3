// What others may use of the disk.
export { SavePaths } from './save-paths.js';
export { createDisk, type DiskDeps, type DiskOptions } from './disk.js';
export { refusePlaces } from './allowed-places.js';
export { isRefusedPath } from './errors.js';
export type {
  Bringing,
  Brought,
  Disk,
  DiskTrouble,
  DiskWaiter,
  FileOwnership,
  FilePriority,
  FileState,
  FoundToMove,
  FileTrees,
  FoundFile,
  KeepFile,
  ListedFile,
  ListedTree,
  PinnedSpans,
  Relocation,
  StoragePlace,
  SwitchedNames,
  TorrentStorage,
  TorrentStorageParams,
} from './types.js';
