// What an archive may be at most, and what is said of one that is not taken. Each refusal names the entry it is about.
import { AppError, messageOf } from '../../../../shared-protocol/errors.js';
import { RequestError } from '../../../errors.js';
import { unreadable } from '../state-directory.js';

const GIB = 1024 ** 3;

export interface ArchiveBounds {
  /** How many there are at a time, of all accounts together. */
  readonly archives: number;
  readonly compressedBytes: number;
  readonly unpackedBytes: number;
  readonly entries: number;
  /** UTF-8 bytes of the path of an entry. */
  readonly pathBytes: number;
  /** Folders in each other. */
  readonly depth: number;
  /** Left free of the disk for the service's own state. */
  readonly reserveBytes: number;
}

/** No spec values: the state of 200,000 torrents with records of some ten KiB each. */
export const ARCHIVE_BOUNDS: ArchiveBounds = {
  ...{ compressedBytes: 2 * GIB, unpackedBytes: 4 * GIB, entries: 500_000, pathBytes: 1_024, depth: 32 },
  ...{ archives: 4, reserveBytes: 64 * 1024 ** 2 },
};

const MAX_SHOWN_CHARS = 200;

/** `entry`: its name as the archive has it. */
export function entryRefused(entry: string, fault: string): AppError {
  return unreadable(`archive: ${JSON.stringify(entry.slice(0, MAX_SHOWN_CHARS))} ${fault}`);
}

export function archiveRefused(fault: string): AppError {
  return unreadable(`archive: ${fault}`);
}

/** The failure as a client is told of it: of the disk, or of the archive. */
export function asRefusal(thrown: unknown): Error {
  if (thrown instanceof AppError || thrown instanceof RequestError) return thrown;
  const errno = thrown instanceof Error && 'syscall' in thrown && 'code' in thrown ? String(thrown.code) : null;
  if (errno !== null) return storageFailed(errno, thrown);
  const reason = messageOf(thrown);
  return archiveRefused(`cannot be read: ${reason.slice(0, MAX_SHOWN_CHARS)}`);
}

export function storageFailed(errno: string, cause?: unknown): AppError {
  return new AppError('STORAGE_FAILED', `import archive: ${errno}`, { errno }, { cause });
}
