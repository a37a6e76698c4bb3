// What others may use of the disk.
export { createDisk, type DiskDeps, type DiskOptions } from './disk.js';
export type {
  Disk,
  FilePriority,
  FileState,
  KeepFile,
  PinnedSpans,
  TorrentStorage,
  TorrentStorageParams,
} from './types.js';
