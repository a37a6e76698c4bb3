// Where everything lies in a zip archive of files whose names and sizes are known: each file with its header before it and
// its checksum behind it, then the list of all of them, then the end. Any offset is found without reading a file. Pure.
import {
  centralHeaderBytes,
  descriptorBytes,
  endRecords,
  localHeaderBytes,
  type CentralDirectory,
  type ZipEntry,
} from './records.js';

export interface ZippedFile {
  /** Place in the torrent. */
  readonly index: number;
  /** In the archive, with `/` between its elements. */
  readonly name: string;
  readonly sizeBytes: number;
}

export interface LaidOutFile extends ZipEntry {
  readonly index: number;
  /** Offset of its header in the list at the end. */
  readonly listedAt: number;
}

/** One stretch of an archive; `at`: where it begins. */
export type ZipPart =
  | { readonly kind: 'header' | 'data' | 'descriptor' | 'listed'; readonly file: LaidOutFile; readonly at: number }
  | { readonly kind: 'end'; readonly at: number };

export class ZipLayout {
  readonly files: readonly LaidOutFile[];
  readonly directory: CentralDirectory;
  readonly sizeBytes: number;

  constructor(zipped: readonly ZippedFile[]) {
    let offset = 0;
    const placed = zipped.map(({ index, name, sizeBytes }) => {
      const entry = { index, name: Buffer.from(name), sizeBytes, offset };
      offset += localHeaderBytes(entry) + sizeBytes + descriptorBytes(entry);
      return entry;
    });
    const directoryAt = offset;
    this.files = placed.map((entry) => {
      const listedAt = offset;
      offset += centralHeaderBytes(entry);
      return { ...entry, listedAt };
    });
    this.directory = { count: placed.length, offset: directoryAt, sizeBytes: offset - directoryAt };
    this.sizeBytes = offset + endRecords(this.directory).length;
  }

  /** The parts from the one on that holds the byte at `from`. */
  *partsFrom(from: number): Iterable<ZipPart> {
    const { files, directory } = this;
    for (let i = lastAtOrBefore(files, from, 'offset'); from < directory.offset && i < files.length; i++) {
      const file = files[i]!;
      const dataAt = file.offset + localHeaderBytes(file);
      const descriptorAt = dataAt + file.sizeBytes;
      if (from < dataAt) yield { kind: 'header', file, at: file.offset };
      if (from < descriptorAt && file.sizeBytes > 0) yield { kind: 'data', file, at: dataAt };
      yield { kind: 'descriptor', file, at: descriptorAt };
    }
    const endAt = directory.offset + directory.sizeBytes;
    for (let i = lastAtOrBefore(files, from, 'listedAt'); from < endAt && i < files.length; i++) {
      yield { kind: 'listed', file: files[i]!, at: files[i]!.listedAt };
    }
    yield { kind: 'end', at: endAt };
  }
}

/** The first one where all are behind it. */
function lastAtOrBefore(files: readonly LaidOutFile[], offset: number, key: 'offset' | 'listedAt'): number {
  let low = 0;
  let high = files.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (files[middle]![key] <= offset) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}
