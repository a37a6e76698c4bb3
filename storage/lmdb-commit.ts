// What the LMDB environments have in common: how they commit, and what a commit that failed means. lmdb-js rejects
// promises besides the one it returned, and only this module can hear them: unheard they would end the process, for
// nothing more than a disk that is full.
import type { RootDatabase } from 'lmdb';
import { AppError, messageOf } from '../shared-protocol/errors.js';
import { systemErrorOf } from '../shared-protocol/system-error-name.js';

/**
 * Writes made in one turn of the event loop share a commit either way; with `eventTurnBatching` lmdb-js keeps a promise of
 * its own for it, which would be rejected unheard.
 */
export const COMMIT_OPTIONS = { overlappingSync: false, eventTurnBatching: false } as const;

const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** For whatever a transaction threw; `what` was to be written. Its data have the system's name of the error as `errno`, as far as there is one; of a full disk always `ENOSPC`. */
export async function commitFailure(what: string, thrown: unknown): Promise<AppError> {
  const cause = await underlying(thrown);
  // Of the pages that could not be written nobody can make anything.
  const reason = messageOf(cause).replace(/: Attempting to write page.*$/s, '');
  // LMDB has numbers of the system, and others of its own, which are below 0.
  const errno = cause instanceof Error && 'code' in cause ? systemErrorOf(cause.code) : null;
  const isFull = errno !== null && NO_ROOM.has(errno);
  const data = errno === null ? undefined : { errno: isFull ? 'ENOSPC' : errno };
  return new AppError('STORAGE_FAILED', `${what}: cannot write: ${isFull ? 'disk full' : reason}`, data, { cause });
}

/**
 * Whether nothing can be done with an environment any more, after a commit that failed: the page that names its newest state could
 * not be written, and until it is opened anew LMDB lets nobody read; what is written is never answered.
 */
export function isPastUse(root: RootDatabase): boolean {
  // One that is open already would be read from still.
  root.resetReadTxn();
  try {
    root.doesExist(0);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.includes('MDB_PANIC');
  }
}

/** The cause that the transaction's error points to: a promise that is rejected in the same turn. */
async function underlying(thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof Error) || !('commitError' in thrown)) return thrown;
  const told = Promise.resolve(thrown.commitError).then(
    () => thrown,
    (error: unknown) => error,
  );
  const unheard = new Promise((resolve) => void setImmediate(resolve, thrown));
  return Promise.race([told, unheard]);
}
