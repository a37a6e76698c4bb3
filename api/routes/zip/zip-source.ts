// An archive, or a range of it, as the bytes of an answer: put together while it is sent. Owns the checksums: that of a file
// is worked out as its bytes pass, from what is remembered, or by reading what did not pass once more; the bytes are the same
// each time either way.
import { crc32 } from 'node:zlib';
import type { FileStream } from '../../services/library/file-streams.js';
import { combineCrc32 } from '../../torrent-list/deflate/crc32.js';
import type { ByteRange } from '../files/byte-range.js';
import type { ByteSource } from '../live-body.js';
import type { LaidOutFile, ZipLayout, ZipPart } from './layout.js';
import { centralHeader, descriptor, endRecords, localHeader } from './records.js';

/** Records of small files are sent together. */
const GATHERED_BYTES = 64 * 1024;

export interface ZippedTorrent {
  /** One at a time. @throws AppError `FILE_UNAVAILABLE`, … */
  open(index: number): Promise<FileStream>;
  /** The checksum of all of a file; undefined: it is not known. */
  checksumOf(index: number): number | undefined;
  learnChecksum(index: number, checksum: number): void;
  /** @throws RequestError where whoever asked may not have the rest any more */
  assertAllowed(): void;
  close(): void;
}

interface Chunk {
  readonly bytes: Uint8Array;
  readonly isRecord: boolean;
}

export class ZipSource implements ByteSource {
  readonly #chunks: AsyncIterator<Chunk, undefined>;
  #isClosed = false;
  #open: FileStream | null = null;
  /** The checksum of the end of the file that was sent last, where its beginning was not. */
  #end: { readonly index: number; readonly from: number; readonly checksum: number } | null = null;

  constructor(
    private readonly layout: ZipLayout,
    private readonly torrent: ZippedTorrent,
    private readonly range: ByteRange,
  ) {
    this.#chunks = this.#write();
  }

  get length(): number {
    return this.range.end - this.range.from;
  }

  async next(): Promise<Uint8Array | null> {
    const gathered: Uint8Array[] = [];
    for (let bytes = 0; bytes < GATHERED_BYTES;) {
      const { value } = await this.#chunks.next();
      if (!value) break;
      gathered.push(value.bytes);
      bytes += value.bytes.length;
      if (!value.isRecord) break;
    }
    return gathered.length > 1 ? Buffer.concat(gathered) : (gathered[0] ?? null);
  }

  assertAllowed(): void {
    this.torrent.assertAllowed();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#open?.close();
    this.torrent.close();
  }

  async *#write(): AsyncGenerator<Chunk, undefined> {
    const { from, end } = this.range;
    for (const part of this.layout.partsFrom(from)) {
      if (part.at >= end || this.#isClosed) return undefined;
      if (part.kind === 'data') {
        yield* this.#send(part.file, Math.max(0, from - part.at), Math.min(part.file.sizeBytes, end - part.at));
        continue;
      }
      const record = await this.#recordOf(part);
      if (!record) return undefined;
      const bytes = record.subarray(Math.max(0, from - part.at), end - part.at);
      if (bytes.length > 0) yield { bytes, isRecord: true };
    }
    return undefined;
  }

  /** null: it was closed. */
  async #recordOf(part: Exclude<ZipPart, { readonly kind: 'data' }>): Promise<Buffer | null> {
    if (part.kind === 'end') return endRecords(this.layout.directory);
    if (part.kind === 'header') return localHeader(part.file);
    const checksum = await this.#checksumOf(part.file);
    if (checksum === null) return null;
    return part.kind === 'listed' ? centralHeader(part.file, checksum) : descriptor(part.file, checksum);
  }

  async *#send(file: LaidOutFile, from: number, until: number): AsyncGenerator<Chunk> {
    let checksum = 0;
    for await (const bytes of this.#read(file, from, until)) {
      checksum = crc32(bytes, checksum);
      yield { bytes, isRecord: false };
    }
    if (until < file.sizeBytes || this.#isClosed) return;
    if (from === 0) this.torrent.learnChecksum(file.index, checksum);
    else this.#end = { index: file.index, from, checksum };
  }

  async #checksumOf({ index, sizeBytes }: LaidOutFile): Promise<number | null> {
    const known = sizeBytes === 0 ? 0 : this.torrent.checksumOf(index);
    if (known !== undefined) return known;
    const end = this.#end?.index === index ? this.#end : { from: sizeBytes, checksum: 0 };
    let beginning = 0;
    for await (const bytes of this.#read({ index }, 0, end.from)) beginning = crc32(bytes, beginning);
    if (this.#isClosed) return null;
    const checksum = combineCrc32(beginning, end.checksum, sizeBytes - end.from);
    this.torrent.learnChecksum(index, checksum);
    return checksum;
  }

  /** Ends early where it is closed. */
  async *#read({ index }: Pick<LaidOutFile, 'index'>, from: number, until: number): AsyncGenerator<Uint8Array> {
    const file = await this.torrent.open(index);
    this.#open = file;
    try {
      for (let at = from; at < until && !this.#isClosed && !file.isClosed;) {
        const bytes = await file.read(at, until);
        // It may have been taken away while the bytes were on their way.
        this.torrent.assertAllowed();
        at += bytes.length;
        if (bytes.length > 0) yield bytes;
      }
    } finally {
      this.#open = null;
      file.close();
    }
  }
}
