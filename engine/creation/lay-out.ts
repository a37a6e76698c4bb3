// Where each file lies in a torrent that is made of them: in the order of their paths, element by element and byte by byte,
// as libtorrent sorts them, so that the same folder makes the same torrent on every machine; with pad files (BEP 47) between
// them where they are asked for. Pure.
import type { ListedFile } from '../disk/index.js';
import type { TorrentFile } from '../metainfo/index.js';

export interface LaidOut {
  readonly files: readonly TorrentFile[];
  /** Each of the files as it was listed; null: a pad file. */
  readonly listed: readonly (ListedFile | null)[];
  /** Pad files included. */
  readonly totalBytes: number;
}

/** `padTo`: each file that holds anything begins at a multiple of it; null: one behind the other. */
export function layOut(listed: readonly ListedFile[], padTo: number | null): LaidOut {
  const sorted = listed.map((file) => ({ file, key: sortKey(file.path) })).sort((a, b) => Buffer.compare(a.key, b.key));
  const files: TorrentFile[] = [];
  const sources: (ListedFile | null)[] = [];
  let offset = 0;
  const add = (path: readonly string[], sizeBytes: number, source: ListedFile | null): void => {
    files.push({ index: files.length, path, sizeBytes, offset, isPad: source === null });
    sources.push(source);
    offset += sizeBytes;
  };
  for (const { file } of sorted) {
    const over = padTo === null || file.sizeBytes === 0 ? 0 : offset % padTo;
    if (padTo !== null && over > 0) add([file.path[0]!, '.pad', String(padTo - over)], padTo - over, null);
    add(file.path, file.sizeBytes, file);
  }
  return { files, listed: sources, totalBytes: offset };
}

/** NUL is in no name and sorts before all that may be, so that `a/x` comes before `a-1`. */
function sortKey(path: readonly string[]): Buffer {
  return Buffer.from(path.join('\0'));
}
