// What people want of a torrent's files, from the indices they name to one priority for each file. Pure.
//
// Invariant of what is stored: null where every file is `normal`, and `skip` throughout where no file is wanted. A pad
// file (BEP 47) cannot be named: it is `normal` unless nothing is wanted.
import { AppError } from '../../../shared-protocol/errors.js';
import { excluding } from '../../../shared-protocol/excluded-names.js';
import type { TorrentRow } from '../../../storage/types.js';
import type { FilePriority } from '../../disk/types.js';
import type { TorrentFile, TorrentInfo } from '../../metainfo/types.js';

/** By file index. */
export type PriorityChange = Readonly<Record<number, FilePriority>>;

/** No file of a torrent can have a higher index: metadata has 10 MB at most, and a file takes 24 bytes of it. */
const MAX_FILE_INDEX = Math.floor(10_000_000 / 24);

/** Files that may be named while the metadata is unknown: they stay with the torrent until then. */
export const MAX_PENDING_PRIORITIES = 1_000;

/** At least one file is wanted. */
export function wantsFiles(priorities: readonly FilePriority[] | null): boolean {
  return priorities === null || priorities.some((priority) => priority !== 'skip');
}

/** One for each file. */
export function prioritiesOf(info: TorrentInfo, stored: readonly FilePriority[] | null): readonly FilePriority[] {
  return stored ?? info.files.map((): FilePriority => 'normal');
}

/** Priorities as they are stored; indices without a file are left out. */
export function changedPriorities(
  files: readonly TorrentFile[],
  stored: readonly FilePriority[] | null,
  change: PriorityChange,
): readonly FilePriority[] | null {
  const next = files.map(({ index, isPad }) => (isPad ? 'normal' : (change[index] ?? stored?.[index] ?? 'normal')));
  const isWanted = files.some(({ index, isPad }) => !isPad && next[index] !== 'skip');
  if (!isWanted) return next.fill('skip');
  return next.every((priority) => priority === 'normal') ? null : next;
}

/** BEP 53: files outside of a magnet's ranges are skipped. */
export function selectionChange(info: TorrentInfo, select: TorrentRow['selectOnly']): PriorityChange {
  if (!select) return {};
  const skipped = info.files.filter(({ index }) => !select.some(({ first, last }) => index >= first && index <= last));
  return Object.fromEntries(skipped.map(({ index }) => [index, 'skip']));
}

/** Files whose names match one of the patterns are skipped. */
export function exclusionChange({ files }: Pick<TorrentInfo, 'files'>, patterns: readonly string[]): PriorityChange {
  if (patterns.length === 0) return {};
  const isExcluded = excluding(patterns);
  const skipped = files.filter(({ path, isPad }) => !isPad && isExcluded(path));
  return Object.fromEntries(skipped.map(({ index }) => [index, 'skip']));
}

/**
 * `files`: null while the metadata is unknown; `field`: as the caller calls what names them.
 * @throws AppError `FILE_INDEX_INVALID` at the first index that names none of them
 */
export function assertFiles(change: PriorityChange, files: readonly TorrentFile[] | null, field = 'priorities'): void {
  for (const name of Object.keys(change)) {
    const index = Number(name);
    const file = files?.[index];
    const exists = files ? file !== undefined && !file.isPad : index <= MAX_FILE_INDEX;
    if (/^(0|[1-9]\d*)$/.test(name) && exists) continue;
    throw new AppError('FILE_INDEX_INVALID', `${field}: no file ${name}`, { file: name });
  }
}

/** For priorities that wait for the metadata, all of one share. @throws AppError `FILE_INDEX_INVALID` */
export function assertPending(all: PriorityChange, field = 'priorities'): void {
  assertFiles(all, null, field);
  if (Object.keys(all).length <= MAX_PENDING_PRIORITIES) return;
  const problem = `more than ${MAX_PENDING_PRIORITIES} files while the metadata is unknown`;
  throw new AppError('FILE_INDEX_INVALID', `${field}: ${problem}`);
}
