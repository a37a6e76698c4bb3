// Numbers of the disk, each with its reason.

/** When the process is out of descriptors an open is tried again after this, then after twice as long, and so on. */
export const OPEN_RETRY_MS = 100;
export const MAX_OPEN_RETRY_MS = 1_000;
/** So many opens without EMFILE give a shrunken pool one descriptor back. */
export const OPENS_PER_REGROWTH = 64;

/** Bytes moved at a time from the part file into a file that becomes wanted. */
export const MOVE_CHUNK_BYTES = 1024 * 1024;
/** Bytes of a file copied at a time while it is moved to another volume: large enough for a disk that turns, and soon ended. */
export const COPY_CHUNK_BYTES = 4 * 1024 * 1024;
/** fdatasync may hold a libuv thread for seconds: reads need the others. */
export const PARALLEL_SYNCS = 2;
/** lstat calls of one torrent in flight. */
export const PARALLEL_STATS = 8;
/** Errors of link(2) where something else may do: another volume, a file system without links, too many of them, another's file. */
export const NO_LINK: ReadonlySet<string> = new Set([
  'EXDEV',
  'EPERM',
  'EMLINK',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EACCES',
]);
