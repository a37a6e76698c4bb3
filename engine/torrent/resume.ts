// What is saved of a torrent's progress, and what to make of it when it is loaded again. Pure.
import type { ResumeRow } from '../../storage/types.js';
import type { FilePriority, FileState } from '../disk/types.js';
import type { TorrentInfo } from '../metainfo/index.js';
import type { Bitfield } from './bitfield.js';
import { verifiedBytesOf, type ProgressNumbers } from './progress.js';

export interface ResumeNumbers extends ProgressNumbers {
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
}

export function buildResumeRow(
  haveBytes: Uint8Array,
  numbers: ResumeNumbers,
  files: readonly FileState[],
  unixMs: number,
): ResumeRow {
  return {
    have: haveBytes,
    bytesDone: numbers.bytesDone,
    wantedDone: numbers.wantedDone,
    wantedBytes: numbers.wantedBytes,
    uploadedBytes: numbers.uploadedBytes,
    downloadedBytes: numbers.downloadedBytes,
    files: files.map(({ sizeBytes, mtimeMs }) => ({ sizeBytes, mtimeMs })),
    savedAt: Math.floor(unixMs / 1000),
  };
}

export type FilesVerdict =
  /** Sizes and times are as saved: what was verified is trusted. */
  | { readonly kind: 'unchanged' }
  /** Someone wrote to a file: what is there must be hashed again. */
  | { readonly kind: 'changed'; readonly path: string }
  /** A file with verified bytes is gone or shorter than what was verified (semantics.md section 5). */
  | { readonly kind: 'missing'; readonly path: string };

/** Compares the files as they are with how they were saved. A missing file outweighs a changed one. */
export function judgeFiles(
  info: TorrentInfo,
  priorities: readonly FilePriority[] | null,
  have: Bitfield,
  saved: ResumeRow['files'],
  found: readonly FileState[],
): FilesVerdict {
  let verdict: FilesVerdict = { kind: 'unchanged' };
  for (const file of info.files) {
    if (file.isPad || priorities?.[file.index] === 'skip') continue;
    if (verifiedBytesOf(info, have, file.offset, file.sizeBytes) === 0) continue;
    const before = saved[file.index];
    const now = found[file.index];
    const path = file.path.join('/');
    if (!now || now.sizeBytes === null) return { kind: 'missing', path };
    if (now.sizeBytes < (before?.sizeBytes ?? 0)) return { kind: 'missing', path };
    if (before?.sizeBytes !== now.sizeBytes || before.mtimeMs !== now.mtimeMs) verdict = { kind: 'changed', path };
  }
  return verdict;
}
