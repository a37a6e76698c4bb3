// Numbers of the hashing threads, each with its reason.

/** The slab is handed out in pages of one block (BEP 3: 16 KiB). */
export const SLAB_PAGE_BYTES = 16 * 1024;
/** A piece may take this share of the slab: eight torrents make progress side by side. */
export const LARGEST_PIECE_SHARE = 8;

/** SHA-1 (BEP 3). */
export const DIGEST_BYTES = 20;

/** docs/limits.md, "Starting values". */
export const DEFAULT_THREADS = 2;
/** Queued to a thread: one runs, one waits, so that no thread idles while an answer travels. */
export const TASKS_PER_THREAD = 2;
/** Where there are more busy threads than processors, those that carry messages and blocks go first. */
export const HASHING_NICE = 5;
/** A task costs 50-100 us whatever it holds, as much as hashing 200 KiB: small pieces travel together. */
export const REGION_TASK_BYTES = 1024 * 1024;
export const REGION_TASK_PIECES = 256;
export const FILE_TASK_BYTES = 4 * 1024 * 1024;
/** Bytes that a hashing thread reads at once. */
export const READ_BUFFER_BYTES = 1024 * 1024;

/** A thread without work goes away: it costs about 5 MiB. */
export const IDLE_TIMEOUT_MS = 30_000;
export const THREAD_LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4, stackSizeMb: 1 } as const;
