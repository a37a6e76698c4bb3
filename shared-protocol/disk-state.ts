// What a failed write says of the disk it went to, for the engine, which waits for that to end, and for people
// (docs/limits.md 2.29). Pure.
import type { ErrorCode, ErrorData } from './errors.js';

export const DISK_STATES = ['ok', 'full', 'read-only', 'file-too-large', 'failing'] as const;
export type DiskState = (typeof DISK_STATES)[number];

const STATES: Readonly<Record<string, DiskState>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  EFBIG: 'file-too-large',
};

/** `ok`: whatever is wrong, it is not that the disk refuses writes. */
export function diskStateOf(
  error: { readonly code: ErrorCode; readonly data?: ErrorData | undefined } | null,
): DiskState {
  if (error?.code === 'DISK_FULL') return 'full';
  if (error?.code !== 'DISK_FAILED') return 'ok';
  return STATES[String(error.data?.['errno'])] ?? 'failing';
}
