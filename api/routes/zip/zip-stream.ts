// Files that are made one after the other as an archive of unknown length: of each there is one in memory, and what the list at the end says.
import { crc32 } from 'node:zlib';
import type { ByteSource } from '../live-body.js';
import { centralHeader, descriptor, endRecords, localHeader, type ZipEntry } from './records.js';

export interface StreamedFile {
  /** With `/` between its elements. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface StreamedFiles {
  readonly files: AsyncIterator<StreamedFile, undefined>;
  /** @throws RequestError where whoever asked may not have the rest any more */
  readonly assertAllowed: () => void;
  readonly close: () => void;
}

export class ZipStream implements ByteSource {
  readonly length = null;
  readonly #written: (ZipEntry & { readonly checksum: number })[] = [];
  #offset = 0;
  #isOver = false;

  constructor(private readonly source: StreamedFiles) {}

  async next(): Promise<Uint8Array | null> {
    if (this.#isOver) return null;
    this.assertAllowed();
    const { value: file } = await this.source.files.next();
    if (!file) {
      this.#isOver = true;
      return this.#end();
    }
    const entry = { name: Buffer.from(file.name), sizeBytes: file.bytes.length, offset: this.#offset };
    const checksum = crc32(file.bytes);
    this.#written.push({ ...entry, checksum });
    const bytes = Buffer.concat([localHeader(entry), file.bytes, descriptor(entry, checksum)]);
    this.#offset += bytes.length;
    return bytes;
  }

  assertAllowed(): void {
    this.source.assertAllowed();
  }

  close(): void {
    this.#isOver = true;
    this.source.close();
  }

  #end(): Buffer {
    const list = Buffer.concat(this.#written.map(({ checksum, ...entry }) => centralHeader(entry, checksum)));
    const directory = { count: this.#written.length, offset: this.#offset, sizeBytes: list.length };
    return Buffer.concat([list, endRecords(directory)]);
  }
}
