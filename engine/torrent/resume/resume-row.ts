// What is saved of a torrent's progress, and what to make of it when it is loaded again. Pure.
import type { PartialPiece, ResumeRow } from '../../../storage/types.js';
import type { FilePriority, FileState } from '../../disk/types.js';
import type { TorrentInfo } from '../../metainfo/index.js';
import { Bitfield } from '../pieces/bitfield.js';
import { measureProgress, verifiedBytesOf, verifiedEnd } from '../pieces/measure-progress.js';
import type { ResumeNumbers } from '../pieces/progress.js';

export interface ResumePieces {
  /** @default none */
  readonly trusted?: Uint8Array | null;
  readonly recent: readonly number[];
  readonly partial: readonly PartialPiece[];
}

const NO_PIECES: ResumePieces = { recent: [], partial: [] };

export function buildResumeRow(
  haveBytes: Uint8Array,
  numbers: ResumeNumbers,
  files: ResumeRow['files'],
  unixMs: number,
  { trusted, recent, partial }: ResumePieces = NO_PIECES,
): ResumeRow {
  return {
    have: haveBytes,
    bytesDone: numbers.bytesDone,
    wantedDone: numbers.wantedDone,
    wantedBytes: numbers.wantedBytes,
    uploadedBytes: numbers.uploadedBytes,
    downloadedBytes: numbers.downloadedBytes,
    ...(numbers.lastActivityAt > 0 && { lastActivityAt: numbers.lastActivityAt }),
    files: files.map(({ sizeBytes, mtimeMs, ctimeMs }) => ({ sizeBytes, mtimeMs, ...(ctimeMs && { ctimeMs }) })),
    savedAt: Math.floor(unixMs / 1000),
    ...(trusted && { trusted }),
    ...(recent.length > 0 && { recent }),
    ...(partial.length > 0 && { partial }),
  };
}

/** Returns the row of a torrent of which all is there, in files of these states: they were hashed when it was made. */
export function wholeResumeRow(info: TorrentInfo, files: ResumeRow['files'], unixMs: number): ResumeRow {
  const have = new Bitfield(info.pieceCount);
  for (let piece = 0; piece < info.pieceCount; piece++) have.set(piece);
  const numbers = { ...measureProgress(info, null, have), uploadedBytes: 0, downloadedBytes: 0, lastActivityAt: 0 };
  return buildResumeRow(have.bytes, numbers, files, unixMs);
}

/** Files by index, each in at most one of the two lists. */
export interface FilesVerdict {
  /** A wanted file that is gone, or shorter than what was verified of it (docs/semantics.md section 5). */
  readonly missing: string | null;
  /** Someone wrote to them: what is there must be hashed again. */
  readonly changed: readonly number[];
  /**
   * Size and mtime are as saved, the ctime is not: a new link or other rights, a copy that took its place, or a write
   * after which the mtime was set back. Trusted until they have been hashed.
   */
  readonly touched: readonly number[];
}

/**
 * Compares the files as they are with how they were saved. A file of which nothing was verified yet may be absent, but
 * if it was written to, what came after the last record is there. A skipped file is no loss: it is looked at again.
 */
export function judgeFiles(
  info: TorrentInfo,
  priorities: readonly FilePriority[] | null,
  have: Bitfield,
  saved: ResumeRow['files'],
  found: readonly FileState[],
): FilesVerdict {
  let missing: string | null = null;
  const changed: number[] = [];
  const touched: number[] = [];
  for (const file of info.files) {
    if (file.isPad) continue;
    const { index, offset, sizeBytes } = file;
    const before = saved[index] ?? ABSENT;
    const now = found[index] ?? ABSENT;
    const isVerified = verifiedBytesOf(info, have, offset, sizeBytes) > 0;
    if (before.sizeBytes === now.sizeBytes && (now.sizeBytes === null || before.mtimeMs === now.mtimeMs)) {
      if (isVerified && before.ctimeMs && now.ctimeMs && before.ctimeMs !== now.ctimeMs) touched.push(index);
      continue;
    }
    const least = Math.min(before.sizeBytes ?? 0, verifiedEnd(info, have, offset, sizeBytes));
    const isGone = isVerified && (now.sizeBytes ?? -1) < least;
    if (isGone && priorities?.[index] !== 'skip') missing ??= file.path.join('/');
    else if (isGone || now.sizeBytes !== null) changed.push(index);
  }
  return { missing, changed, touched };
}

const ABSENT: FileState = { sizeBytes: null, mtimeMs: 0 };
