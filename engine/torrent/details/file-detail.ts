// A torrent's files as people see them, with how much of each is verified. Pure.
import { crc32 } from 'node:zlib';
import type { FileDetail } from '../../../shared-protocol/commands/details.js';
import type { FilesGiven, FilesWanted } from '../../../shared-protocol/commands/inspection.js';
import type { FilePriority } from '../../disk/types.js';
import type { Bitfield } from '../pieces/bitfield.js';
import type { FileList, ListedFile } from '../files/file-list-cache.js';
import { verifiedBytesOf } from '../pieces/measure-progress.js';

/** `priorities`: one for each file of the info dictionary; null where nothing was chosen. */
export function fileDetails(
  list: FileList,
  priorities: readonly FilePriority[] | null,
  have: Bitfield,
  files: readonly ListedFile[] = list.files,
): readonly FileDetail[] {
  return files.map(({ index, path, sizeBytes, offset }) => ({
    index,
    path,
    sizeBytes,
    bytesDone: verifiedBytesOf(list, have, offset, sizeBytes),
    priority: priorities?.[index] ?? 'normal',
  }));
}

/** Details of the files that were asked for, unless none has changed since. */
export function someFiles(
  list: FileList,
  priorities: readonly FilePriority[] | null,
  have: Bitfield,
  { from, count, stamp: before }: FilesWanted,
): { readonly files: readonly FileDetail[]; readonly filesGiven: FilesGiven } {
  const files = list.files.slice(from, from + count);
  const stamp = stampOf(list, priorities, have, files);
  const isSame = stamp === before;
  const filesGiven = { total: list.files.length, stamp, isSame };
  return { files: isSame ? [] : fileDetails(list, priorities, have, files), filesGiven };
}

/** All that may change of the files: their paths, which of their pieces are there, and what is wanted of them. */
function stampOf(
  { pieceLength }: FileList,
  priorities: readonly FilePriority[] | null,
  have: Bitfield,
  files: readonly ListedFile[],
): string {
  const [first, last] = [files[0], files.at(-1)];
  if (!first || !last) return '';
  const firstPiece = Math.floor(first.offset / pieceLength);
  const endPiece = Math.min(have.length, Math.ceil((last.offset + last.sizeBytes) / pieceLength));
  const bits = have.bytes.subarray(firstPiece >> 3, Math.ceil(endPiece / 8));
  const wanted = priorities ? files.map(({ index }) => priorities[index]).join() : '';
  const paths = files.map(({ path }) => path).join('\n');
  return `${have.countBetween(firstPiece, endPiece)} ${crc32(bits)} ${crc32(wanted)} ${crc32(paths)}`;
}
