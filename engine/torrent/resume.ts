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

/**
 * Compares the files as they are with how they were saved. A missing file outweighs a changed one; a file of which
 * nothing was verified yet may be absent, but if it was written to, what came after the last record is there.
 */
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
    const before = saved[file.index] ?? ABSENT;
    const now = found[file.index] ?? ABSENT;
    const path = file.path.join('/');
    const isVerified = verifiedBytesOf(info, have, file.offset, file.sizeBytes) > 0;
    if (isVerified && (now.sizeBytes ?? -1) < (before.sizeBytes ?? 0)) return { kind: 'missing', path };
    if (now.sizeBytes !== null && (before.sizeBytes !== now.sizeBytes || before.mtimeMs !== now.mtimeMs)) {
      verdict = { kind: 'changed', path };
    }
  }
  return verdict;
}

const ABSENT: FileState = { sizeBytes: null, mtimeMs: 0 };
