// What others may use of the disk.
export { SavePaths } from './save-paths.js';
export { createDisk, type DiskDeps, type DiskOptions } from './disk.js';
export type {
  Disk,
  DiskTrouble,
  DiskWaiter,
  FilePriority,
  FileState,
  KeepFile,
  PinnedSpans,
  TorrentStorage,
  TorrentStorageParams,
} from './types.js';
