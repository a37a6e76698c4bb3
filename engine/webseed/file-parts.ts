// The files that a range of the torrent lies in, one after another (BEP 3: all files behind one another). Empty files
// own no byte and do not appear.
import type { TorrentFile } from '../metainfo/index.js';

export interface FilePart {
  readonly file: TorrentFile;
  /** Offsets in the torrent, `end` not included; never empty. */
  readonly start: number;
  readonly end: number;
}

/** `start` and `end` lie in the torrent. Made one by one: a range may touch very many small files. */
export function* filePartsOf(files: readonly TorrentFile[], start: number, end: number): Generator<FilePart> {
  for (let index = fileIndexAt(files, start); start < end; index++) {
    const file = files[index];
    if (!file) return;
    const partEnd = Math.min(end, file.offset + file.sizeBytes);
    if (partEnd <= start) continue;
    yield { file, start, end: partEnd };
    start = partEnd;
  }
}

/** The last file that starts at or before the offset: empty files before it start there too. */
function fileIndexAt(files: readonly TorrentFile[], offset: number): number {
  let low = 0;
  let high = files.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (files[middle]!.offset <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
