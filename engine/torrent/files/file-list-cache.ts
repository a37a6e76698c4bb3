// The file lists of the torrents that people look at. To read one from the stored metainfo takes up to a tenth of a
// second with 10,000 files, and it is asked for once a second, so the last few are kept, whether or not their torrents
// rest. An info hash has one list until files are renamed, which is told here.
import type { TorrentId } from '../../../shared-protocol/ids.js';
import type { TorrentInfo } from '../../metainfo/index.js';

/** About 50 MB; no spec value. The list used last is kept however long it is. */
const MAX_FILES_KEPT = 200_000;

export interface ListedFile {
  readonly index: number;
  /** Elements joined with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly offset: number;
}

/** The part of a torrent's metainfo that its file list is made from; pad files are left out. */
export interface FileList extends Pick<TorrentInfo, 'pieceLength' | 'pieceCount' | 'totalBytes'> {
  readonly files: readonly ListedFile[];
}

export class FileListCache {
  /** The one used last comes last. */
  readonly #kept = new Map<TorrentId, FileList>();
  #files = 0;

  /** How many files the lists that are kept have together. */
  get filesKept(): number {
    return this.#files;
  }

  /** `read` is only called for a list that is not kept; null while the metadata is unknown. */
  of(id: TorrentId, read: () => TorrentInfo | null): FileList | null {
    const kept = this.#kept.get(id);
    if (kept) this.#kept.delete(id);
    const info = kept ? null : read();
    const list = kept ?? (info && toFileList(info));
    if (!list) return null;
    this.#kept.set(id, list);
    if (!kept) this.#files += list.files.length;
    this.#dropOldest();
    return list;
  }

  /** The torrent's files have other paths now, or it is gone. */
  drop(id: TorrentId): void {
    this.#files -= this.#kept.get(id)?.files.length ?? 0;
    this.#kept.delete(id);
  }

  #dropOldest(): void {
    for (const id of this.#kept.keys()) {
      if (this.#files <= MAX_FILES_KEPT || this.#kept.size === 1) return;
      this.drop(id);
    }
  }
}

function toFileList({ files, pieceLength, pieceCount, totalBytes }: TorrentInfo): FileList {
  const listed = files.filter(({ isPad }) => !isPad);
  return {
    pieceLength,
    pieceCount,
    totalBytes,
    files: listed.map(({ index, path, sizeBytes, offset }) => ({ index, path: path.join('/'), sizeBytes, offset })),
  };
}
