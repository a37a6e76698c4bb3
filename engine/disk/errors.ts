// What a failed file operation means for the torrent. The path in `data` is relative to the save path, so that an
// account sees no folder that is not its own; `data.errno` keeps the system's word (EIO, EROFS, ...).
import { AppError, type ErrorCode } from '../../shared-protocol/errors.js';
import { systemErrorName } from '../../shared-protocol/system-error-name.js';

/** A file ends before the bytes asked for. */
export class ShortReadError extends Error {
  readonly code = 'SHORT_READ';
  constructor() {
    super('file is too short');
  }
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: 'DISK_FULL',
  EDQUOT: 'DISK_FULL',
  ENOENT: 'FILES_MISSING',
  ENOTDIR: 'FILES_MISSING',
  // The device behind an open descriptor has gone.
  ENODEV: 'FILES_MISSING',
  SHORT_READ: 'FILES_MISSING',
};

/** Words in place of the system's, where they name the way out, or the system has none that Node knows. */
const SAID: Readonly<Record<string, string>> = {
  EDQUOT: 'the quota on this volume is used up',
  ESTALE: 'the file server does not know it any more',
  EBADMSG: 'its file system is damaged, and has to be checked',
  EUCLEAN: 'its file system is damaged, and has to be checked',
  ENAMETOOLONG: 'its name is longer than this volume has names: give it a shorter one',
};

export { systemErrorName as errnoOf };

/** Anything thrown by an operation on the file at `path`, as an {@link AppError}. */
export function diskError(thrown: unknown, path: readonly string[]): AppError {
  if (thrown instanceof AppError) return thrown;
  const errno = systemErrorName(thrown);
  const shown = path.join('/');
  if (errno === null) return new AppError('BUG', `bug: disk: ${String(thrown)}`, { path: shown }, { cause: thrown });
  const said = thrown instanceof Error ? thrown.message : errno;
  // `…, open '/srv/…'`: the path on this machine is no account's business.
  const message = `${shown}: ${SAID[errno] ?? said.replace(/, \w+ '.*$/s, '')}`;
  return new AppError(CODES[errno] ?? 'DISK_FAILED', message, { path: shown, errno }, { cause: thrown });
}

/** Part files lie in a folder of their own, perhaps on another volume. */
export function isOfPartFile({ data }: AppError): boolean {
  return /^[0-9a-f]{40}\.parts$/.test(String(data?.['path']));
}

/** A path that is not followed or opened, whichever program put it there (docs/limits.md 2.2). */
export function refusedPath(path: readonly string[], why: string): AppError {
  const shown = path.join('/');
  return new AppError('DISK_FAILED', `${shown}: ${why}`, { path: shown, refused: true });
}

export function isRefusedPath(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.data?.['refused'] === true;
}

/** The file, or a folder above it, is not there. */
export function isAbsent(thrown: unknown): boolean {
  if (thrown instanceof AppError) return thrown.code === 'FILES_MISSING';
  const errno = systemErrorName(thrown);
  return errno === 'ENOENT' || errno === 'ENOTDIR';
}
