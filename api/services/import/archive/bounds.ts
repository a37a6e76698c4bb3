// What an archive may be at most, and what is said of one that is not taken. Each refusal names the entry it is about.
import { AppError, type ErrorData, messageOf } from '../../../../shared-protocol/errors.js';
import { type ReasonCode, because } from '../../../../shared-protocol/reasons.js';
import { RequestError } from '../../../errors.js';
import { notOpened } from '../state-directory.js';

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
export function entryRefused(entry: string, fault: string, reason?: ReasonCode): AppError {
  const name = entry.slice(0, MAX_SHOWN_CHARS);
  return archiveRefused(`${JSON.stringify(name)} ${fault}`, reason, { name });
}

export function archiveRefused(fault: string, reason?: ReasonCode, facts?: ErrorData): AppError {
  return notOpened(`archive: ${fault}`, reason && because(reason, facts));
}

/** The failure as a client is told of it: of the disk, or of the archive. */
export function asRefusal(thrown: unknown): Error {
  if (thrown instanceof AppError || thrown instanceof RequestError) return thrown;
  const errno = thrown instanceof Error && 'syscall' in thrown && 'code' in thrown ? String(thrown.code) : null;
  if (errno !== null) return storageFailed(errno, thrown);
  const detail = messageOf(thrown).slice(0, MAX_SHOWN_CHARS);
  return archiveRefused(`cannot be read: ${detail}`, 'ARCHIVE_UNREADABLE', { detail });
}

export function storageFailed(errno: string, cause?: unknown): AppError {
  return new AppError('STORAGE_FAILED', `import archive: ${errno}`, { errno }, { cause });
}
