// Lists in DEFLATE, put together of chunks that were deflated by themselves: only those that have changed are deflated
// anew, once for all that want them: every socket of the accounts, every request for the list. Memory: a tenth of the
// list, for as long as the chunks are in use.
import { combineCrc32 } from './deflate/crc32.js';
import { deflatedPart, plainPart, type Deflate, type DeflatedPart } from './deflate/deflated-part.js';
import type { DeflatedChunk, ListChunk } from './list-chunk.js';
import type { ListSnapshot } from './list-snapshot.js';

const OPENING_BRACKET = deflatedPart('[');
const CLOSING_BRACKET = deflatedPart(']');
/** RFC 1952: deflated, no name, no time, made fast, on Unix. */
const GZIP_HEADER = Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3);
/** RFC 1951: the last block, empty. */
const LAST_BLOCK = Buffer.of(0x03, 0x00);

/** Deflates lists; what is deflated of a chunk stays with the chunk. */
export class DeflatedLists {
  readonly #gzipped = new WeakMap<ListSnapshot, Promise<Uint8Array[]>>();

  constructor(private readonly thread: Deflate) {}

  /** The chunks of the list, which is all but its brackets. Rejects when it cannot be deflated at the moment. */
  async torrents({ chunks }: ListSnapshot): Promise<DeflatedPart[]> {
    const missing = chunks.filter(({ deflated }, index) => deflated[placeOf(index)] === null);
    if (missing.length > 0) this.#deflate(missing, chunks[0]);
    const parts: DeflatedPart[] = [];
    for (const [index, { deflated }] of chunks.entries()) {
      const place = placeOf(index);
      // Chunks of one batch wait for the same promise.
      if (deflated[place] instanceof Promise) await deflated[place];
      parts.push(deflated[place] as DeflatedPart); // what it becomes before its promise is kept
    }
    return parts;
  }

  /** The list as a gzip file, in parts. Rejects when it cannot be deflated at the moment. */
  gzip(snapshot: ListSnapshot): Promise<Uint8Array[]> {
    const known = this.#gzipped.get(snapshot);
    if (known) return known;
    const gzipped = this.torrents(snapshot).then((parts) => toGzip([OPENING_BRACKET, ...parts, CLOSING_BRACKET]));
    this.#gzipped.set(snapshot, gzipped);
    gzipped.catch(() => this.#gzipped.delete(snapshot));
    return gzipped;
  }

  #deflate(chunks: readonly ListChunk[], first: ListChunk | undefined): void {
    const place = (chunk: ListChunk): keyof DeflatedChunk => (chunk === first ? 'first' : 'later');
    const plain = chunks.map((chunk) => (chunk === first ? plainPart(chunk.bytes.subarray(1)) : chunk));
    const done = this.thread.deflate(plain).then(
      (parts) => chunks.forEach((chunk, index) => (chunk.deflated[place(chunk)] = parts[index]!)),
      (error: unknown) => {
        // The next caller tries again.
        for (const chunk of chunks) chunk.deflated[place(chunk)] = null;
        throw error;
      },
    );
    done.catch(() => undefined);
    for (const chunk of chunks) chunk.deflated[place(chunk)] = done;
  }
}

function placeOf(index: number): keyof DeflatedChunk {
  return index === 0 ? 'first' : 'later';
}

function toGzip(parts: readonly DeflatedPart[]): Uint8Array[] {
  const trailer = Buffer.alloc(8);
  let [checksum, length] = [0, 0];
  for (const part of parts) {
    checksum = combineCrc32(checksum, part.checksum, part.plainLength);
    length += part.plainLength;
  }
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  return [GZIP_HEADER, ...parts.map(({ bytes }) => bytes), LAST_BLOCK, trailer];
}
