// One error class for everything that fails for a reason a caller can act on, and the record in which an error
// crosses threads: structured clone would lose its class, name and code.

/** Every failure that may cross a thread or reach a client. Codes are stable; messages are for people. */
export type ErrorCode =
  // what a caller sent
  | 'TORRENT_INVALID'
  | 'MAGNET_INVALID'
  | 'INFO_HASH_INVALID'
  | 'PEER_ID_INVALID'
  | 'ACCOUNT_ID_INVALID'
  | 'PEER_ADDRESS_INVALID'
  | 'PEER_ADDRESS_REFUSED'
  | 'SAVE_PATH_INVALID'
  | 'FILE_INDEX_INVALID'
  | 'TRACKER_INVALID'
  | 'TORRENT_TOO_LARGE'
  | 'TORRENT_NOT_FOUND'
  | 'TORRENT_PRIVATE'
  | 'TORRENT_NOT_RUNNING'
  | 'METADATA_UNKNOWN'
  | 'CHECKED_LATELY'
  | 'FILE_NOT_FOUND'
  | 'FILE_UNAVAILABLE'
  | 'TOO_MANY_READERS'
  | 'MOVE_NOT_ALLOWED'
  | 'MOVE_TARGET_TAKEN'
  | 'MOVE_CONFLICT'
  | 'CREATE_NOT_ALLOWED'
  | 'CREATE_REFUSED'
  | 'IMPORT_UNREADABLE'
  | 'CREATION_NOT_FOUND'
  | 'CREATION_NOT_DONE'
  | 'FILES_CHANGED'
  | 'RENAME_INVALID'
  | 'RECORD_CHANGED'
  // what the machine did
  | 'DISK_FULL'
  | 'DISK_FAILED'
  | 'FILES_MISSING'
  | 'STORAGE_FAILED'
  | 'STORAGE_LOCKED'
  | 'STORAGE_TOO_NEW'
  /** Records are to be carried, or worked with, that are not there, or where others are (docs/operate/fleet.md). */
  | 'RECORDS_MISSING'
  | 'RECORDS_IN_THE_WAY'
  | 'RECORDS_ELSEWHERE'
  | 'LISTEN_FAILED'
  | 'HOOK_PROGRAM_UNUSABLE'
  | 'ENGINES_FILE_INVALID'
  // the engine as a whole
  | 'ENGINE_EXITED'
  | 'ENGINE_TIMEOUT'
  | 'ENGINE_NOT_RUNNING'
  /** An engine of its own process is not reached at the moment. */
  | 'ENGINE_AWAY'
  /** An engine on shared roots has no lease, or another engine is not held off as was thought (docs/operate/fleet.md). */
  | 'ENGINE_FENCED'
  /** A broken invariant of ours, never a fault of input. */
  | 'BUG';

/** Codes of an engine that does not answer now, and may again: what was asked of it can be tried later. */
export const ENGINE_GONE: ReadonlySet<string> = new Set<ErrorCode>([
  'ENGINE_EXITED',
  'ENGINE_TIMEOUT',
  'ENGINE_NOT_RUNNING',
  'ENGINE_AWAY',
  'ENGINE_FENCED',
]);

/** Codes, among these, of one that has done nothing of it, and is told all that holds when it is back. */
const ENGINE_TOLD_LATER: ReadonlySet<string> = new Set<ErrorCode>(['ENGINE_EXITED', 'ENGINE_AWAY', 'ENGINE_FENCED']);

/** Plain facts about a failure (offending values, limits); cloneable. */
export type ErrorData = Readonly<Record<string, string | number | boolean | null>>;

export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly data?: ErrorData,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'AppError';
  }
}

/** How an error crosses threads. */
export interface ErrorRecord {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data?: ErrorData;
  readonly stack?: string;
}

/** The words of anything thrown, for logs and for people. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Anything thrown becomes a record; what is not an {@link AppError} is a `BUG`. */
export function toErrorRecord(thrown: unknown): ErrorRecord {
  if (thrown instanceof AppError) {
    return {
      code: thrown.code,
      message: thrown.message,
      ...(thrown.data ? { data: thrown.data } : {}),
      ...(thrown.stack ? { stack: thrown.stack } : {}),
    };
  }
  if (thrown instanceof Error) {
    return { code: 'BUG', message: `bug: ${thrown.message}`, ...(thrown.stack ? { stack: thrown.stack } : {}) };
  }
  return { code: 'BUG', message: `bug: ${String(thrown)}` };
}

/** The error a record stands for; its stack is the one of the thread where it was thrown. */
export function fromErrorRecord(record: ErrorRecord): AppError {
  const error = new AppError(record.code, record.message, record.data);
  if (record.stack) error.stack = record.stack;
  return error;
}

/** For the end of a switch over a union: a new member fails to compile here. */
export function assertNever(value: never): never {
  throw new AppError('BUG', `bug: unexpected ${JSON.stringify(value)}`);
}

/** Resolves to what stands in its place where the engine has done nothing of it, and is told all that holds when it is back. */
export async function unlessEngineAway<Result, Instead>(
  asked: Promise<Result>,
  instead: (reason: AppError) => Instead,
): Promise<Result | Instead> {
  try {
    return await asked;
  } catch (error) {
    if (isEngineAway(error)) return instead(error);
    throw error;
  }
}

/** Whether an engine has done nothing of what was asked, and is told all that holds when it is back. */
export function isEngineAway(error: unknown): error is AppError {
  return error instanceof AppError && ENGINE_TOLD_LATER.has(error.code);
}
