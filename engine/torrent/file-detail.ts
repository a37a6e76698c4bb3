// A torrent's files as people see them, with how much of each is verified. Pure.
import type { FileDetail } from '../../shared-protocol/commands.js';
import type { FilePriority } from '../disk/types.js';
import type { Bitfield } from './bitfield.js';
import type { FileList } from './file-lists.js';
import { verifiedBytesOf } from './progress.js';

/** `priorities`: one for each file of the info dictionary; null where nothing was chosen. */
export function fileDetails(
  list: FileList,
  priorities: readonly FilePriority[] | null,
  have: Bitfield,
): readonly FileDetail[] {
  return list.files.map(({ index, path, sizeBytes, offset }) => ({
    index,
    path,
    sizeBytes,
    bytesDone: verifiedBytesOf(list, have, offset, sizeBytes),
    priority: priorities?.[index] ?? 'normal',
  }));
}
