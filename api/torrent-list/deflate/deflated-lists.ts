// Lists in DEFLATE, put together of chunks that were deflated by themselves: only those that have changed are deflated
// anew, once for whoever wants them: every socket of the accounts, every request for the list. Memory: a tenth of the
// list, for as long as the chunks are in use.
import { crc32, constants, deflateRawSync } from 'node:zlib';
import type { ListSnapshot } from '../list-snapshot.js';
import type { DeflatedChunk, ListChunk } from '../list-chunk.js';
import { combineCrc32 } from './crc32.js';
import { inputOf, type Deflate, type DeflatedPart } from './deflate-thread.js';

const OPENING_BRACKET = pieceOf('[');
const CLOSING_BRACKET = pieceOf(']');
/** RFC 1952: deflated, no name, no time, made fast, on Unix. */
const GZIP_HEADER = Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3);
/** RFC 1951: the last block, empty. */
const LAST_BLOCK = Buffer.of(0x03, 0x00);

export class DeflatedLists {
  /** As long as the bytes themselves are kept by somebody. */
  readonly #parts = new WeakMap<Uint8Array, DeflatedPart | Promise<DeflatedPart>>();
  readonly #gzipped = new WeakMap<ListSnapshot, Promise<Uint8Array[]>>();

  constructor(private readonly thread: Deflate) {}

  /** What is between the brackets of the list. Rejects when it cannot be deflated now. */
  async torrents({ chunks }: ListSnapshot): Promise<DeflatedPart[]> {
    const place = (index: number): keyof DeflatedChunk => (index === 0 ? 'first' : 'later');
    const missing = chunks.filter(({ deflated }, index) => deflated[place(index)] === null);
    if (missing.length > 0) this.#deflate(missing, chunks[0]);
    const pieces: DeflatedPart[] = [];
    for (const [index, { deflated }] of chunks.entries()) {
      // Those of one batch wait for the same promise.
      if (deflated[place(index)] instanceof Promise) await deflated[place(index)];
      pieces.push(deflated[place(index)] as DeflatedPart); // what it becomes before its promise is kept
    }
    return pieces;
  }

  /** Some bytes, as one piece. Rejects when it cannot be deflated now. */
  async of(bytes: Uint8Array): Promise<DeflatedPart> {
    const [piece] = await this.thread.deflate([inputOf(bytes)]);
    return piece!; // one for each
  }

  /** Each as a piece, those that are known again as they were. Rejects when one cannot be deflated now. */
  async parts(parts: readonly Uint8Array[]): Promise<DeflatedPart[]> {
    const pieces: DeflatedPart[] = [];
    for (const part of parts) {
      // One after the other: what others have to be deflated comes between.
      const known = this.#parts.get(part) ?? this.#deflatePart(part);
      pieces.push(known instanceof Promise ? await known : known);
    }
    return pieces;
  }

  #deflatePart(part: Uint8Array): Promise<DeflatedPart> {
    const deflating = this.of(part).then(
      (piece) => (this.#parts.set(part, piece), piece),
      (error: unknown) => {
        this.#parts.delete(part);
        throw error;
      },
    );
    this.#parts.set(part, deflating);
    return deflating;
  }

  /** The list as a gzip file, in parts. Rejects when it cannot be deflated now. */
  gzip(snapshot: ListSnapshot): Promise<Uint8Array[]> {
    const known = this.#gzipped.get(snapshot);
    if (known) return known;
    const gzipped = this.torrents(snapshot).then((pieces) => toGzip([OPENING_BRACKET, ...pieces, CLOSING_BRACKET]));
    this.#gzipped.set(snapshot, gzipped);
    gzipped.catch(() => this.#gzipped.delete(snapshot));
    return gzipped;
  }

  #deflate(chunks: readonly ListChunk[], first: ListChunk | undefined): void {
    const place = (chunk: ListChunk): keyof DeflatedChunk => (chunk === first ? 'first' : 'later');
    const plain = chunks.map((chunk) => (chunk === first ? inputOf(chunk.bytes.subarray(1)) : chunk));
    const done = this.thread.deflate(plain).then(
      (pieces) => chunks.forEach((chunk, index) => (chunk.deflated[place(chunk)] = pieces[index]!)),
      (error: unknown) => {
        // The next one who asks tries again.
        for (const chunk of chunks) chunk.deflated[place(chunk)] = null;
        throw error;
      },
    );
    done.catch(() => undefined);
    for (const chunk of chunks) chunk.deflated[place(chunk)] = done;
  }
}

/** Of a few bytes that are used again and again: made on the spot. */
export function pieceOf(text: string): DeflatedPart {
  const plain = Buffer.from(text);
  const bytes = deflateRawSync(plain, { finishFlush: constants.Z_SYNC_FLUSH });
  return { bytes, length: plain.length, checksum: crc32(plain) };
}

function toGzip(pieces: readonly DeflatedPart[]): Uint8Array[] {
  const trailer = Buffer.alloc(8);
  let [checksum, length] = [0, 0];
  for (const piece of pieces) {
    checksum = combineCrc32(checksum, piece.checksum, piece.length);
    length += piece.length;
  }
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  return [GZIP_HEADER, ...pieces.map(({ bytes }) => bytes), LAST_BLOCK, trailer];
}
