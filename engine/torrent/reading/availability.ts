// Whether what somebody reads of a file may be given, comes if it is waited for, or neither, and why. Pure.
import { AppError } from '../../../shared-protocol/errors.js';
import type { FilePriority } from '../../disk/types.js';
import type { Activity } from '../state.js';

export interface FileState {
  readonly activity: Activity;
  /** The torrent has begun: its files have been looked at. */
  readonly isLive: boolean;
  /** Files that hold verified pieces have gone. */
  readonly filesMissing: boolean;
  /** The reader's share is paused, whoever else runs the torrent. */
  readonly isPaused: boolean;
  /** The file's, as the reader's share has it. */
  readonly priority: FilePriority;
}

/** While files are in doubt nothing of them is given, verified as it may have been. @throws AppError `FILE_UNAVAILABLE` */
export function assertReadable({ activity, isLive, filesMissing }: FileState): void {
  if (!isLive) throw unavailable('its torrent has not begun yet');
  if (activity === 'checking') throw unavailable('its torrent is being checked');
  if (filesMissing) throw unavailable('files of its torrent are missing');
}

/** Whether bytes that are not there are on their way. @throws AppError `FILE_UNAVAILABLE` */
export function assertComing({ activity, isPaused, priority }: FileState): void {
  if (priority === 'skip') throw unavailable('it is not wanted, and not there');
  if (isPaused) throw unavailable('its torrent is paused, and it is not there');
  if (activity === 'upload-only') throw unavailable('the disk takes no writes, and it is not there');
  if (activity !== 'downloading') throw unavailable('its torrent does not run, and it is not there');
}

export function unavailable(why: string): AppError {
  return new AppError('FILE_UNAVAILABLE', `file: ${why}`);
}
