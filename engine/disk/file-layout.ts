// Which files a range of the torrent lies in (BEP 3: all files behind one another). Pure; knows nothing of skipped
// files or of the disk. Zero-length files own no byte.
import { AppError } from '../../shared-protocol/errors.js';
import type { TorrentFile, TorrentInfo } from '../metainfo/types.js';

export interface Segment {
  readonly file: TorrentFile;
  /** Offset in the file. */
  readonly position: number;
  /** Greater than zero. */
  readonly length: number;
}

export class FileLayout {
  readonly #files: readonly TorrentFile[];
  readonly #totalBytes: number;
  readonly #pieceLength: number;
  readonly #pieceCount: number;

  constructor(info: TorrentInfo) {
    this.#files = info.files;
    this.#totalBytes = info.totalBytes;
    this.#pieceLength = info.pieceLength;
    this.#pieceCount = info.pieceCount;
  }

  /** The file that owns the byte at `offset`, which must lie in the torrent. */
  fileAt(offset: number): TorrentFile {
    let low = 0;
    let high = this.#files.length - 1;
    // The last file that starts at or before the offset: empty files before it start there too.
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#files[middle]!.offset <= offset) low = middle;
      else high = middle - 1;
    }
    return this.#files[low]!;
  }

  /** The range in file order, pad files included. @throws AppError `BUG` outside the torrent */
  segments(offset: number, length: number): Segment[] {
    this.assertInside(offset, length);
    const segments: Segment[] = [];
    if (length === 0) return segments;
    const end = offset + length;
    for (let index = this.fileAt(offset).index; offset < end; index++) {
      const file = this.#files[index]!;
      if (file.sizeBytes === 0) continue;
      const upTo = Math.min(end, file.offset + file.sizeBytes);
      segments.push({ file, position: offset - file.offset, length: upTo - offset });
      offset = upTo;
    }
    return segments;
  }

  /** The bytes of a piece; the last one may be shorter. @throws AppError `BUG` for a piece that does not exist */
  pieceRange(piece: number): { readonly offset: number; readonly length: number } {
    if (!Number.isInteger(piece) || piece < 0 || piece >= this.#pieceCount) {
      throw new AppError('BUG', `bug: piece ${piece} of ${this.#pieceCount}`);
    }
    const offset = piece * this.#pieceLength;
    return { offset, length: Math.min(this.#pieceLength, this.#totalBytes - offset) };
  }

  /** First and last piece with a byte of the range; `length` must be greater than zero. */
  piecesOf(offset: number, length: number): { readonly first: number; readonly last: number } {
    const first = Math.floor(offset / this.#pieceLength);
    return { first, last: Math.floor((offset + length - 1) / this.#pieceLength) };
  }

  /** @throws AppError `BUG` for a range that is not inside the torrent */
  assertInside(offset: number, length: number): void {
    if (!(offset >= 0 && length >= 0 && offset + length <= this.#totalBytes)) {
      throw new AppError('BUG', `bug: range ${offset}+${length} outside a torrent of ${this.#totalBytes} bytes`);
    }
  }
}
