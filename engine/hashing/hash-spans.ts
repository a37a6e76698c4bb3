// SHA-1 of a piece that lies on disk, read with the reader given: the thread's own `readSync`, or a disk in memory. A
// piece of zeroes alone, holes or pads, is not read: what its length makes of it is worked out once.
import { createHash, hash, type Hash } from 'node:crypto';
import { unknownHoles, type NextData } from './file-holes.js';
import type { PieceSpan } from './types.js';

/** Digests of zeroes that are remembered, by length: most pieces of a torrent have one length, and the last another. */
const MAX_ZERO_DIGESTS = 64;

/** Reads some bytes into `into` and says how many; 0 at the end of the file. May throw. */
export type ReadSome = (fd: number, into: Uint8Array, position: number) => number;

export class SpanHasher {
  readonly #read: ReadSome;
  readonly #nextData: NextData;
  readonly #buffer: Uint8Array;
  readonly #lastByte = new Uint8Array(1);
  readonly #zeroDigests = new Map<number, Uint8Array>();

  /** `nextData`: where files that are sparse have data. @default everywhere */
  constructor(read: ReadSome, bufferBytes: number, nextData: NextData = unknownHoles) {
    this.#read = read;
    this.#nextData = nextData;
    this.#buffer = new Uint8Array(bufferBytes);
  }

  /** null for a missing span and for a failed or short read. */
  hash(spans: readonly PieceSpan[]): Uint8Array | null {
    const length = spans.reduce((sum, span) => sum + span.length, 0);
    try {
      if (length > 0 && spans.every((span) => this.#isZeroes(span))) return this.#digestOfZeroes(length);
      return length <= this.#buffer.length ? this.#hashWhole(spans, length) : this.#hashStreamed(spans);
    } catch {
      // A read failed: the piece cannot be there.
      return null;
    }
  }

  #isZeroes(span: PieceSpan): boolean {
    if (span.kind !== 'file') return span.kind === 'zeroes';
    return span.isSparse === true && this.#isHole(span.fd, span.position, span.length);
  }

  #isHole(fd: number, position: number, length: number): boolean {
    const data = this.#nextData(fd, position);
    if (data < position + length) return false;
    // Behind the file's end there are no zeroes either.
    return data !== Number.POSITIVE_INFINITY || this.#read(fd, this.#lastByte, position + length - 1) === 1;
  }

  #digestOfZeroes(length: number): Uint8Array {
    let digest = this.#zeroDigests.get(length);
    if (!digest) {
      const sha1 = createHash('sha1');
      this.#buffer.fill(0);
      for (let at = 0; at < length; at += this.#buffer.length) sha1.update(this.#buffer.subarray(0, length - at));
      digest = sha1.digest();
      if (this.#zeroDigests.size >= MAX_ZERO_DIGESTS) this.#zeroDigests.clear();
      this.#zeroDigests.set(length, digest);
    }
    return digest;
  }

  #hashWhole(spans: readonly PieceSpan[], length: number): Uint8Array | null {
    let at = 0;
    for (const span of spans) {
      const into = this.#buffer.subarray(at, at + span.length);
      if (!this.#fill(span, 0, into)) return null;
      at += span.length;
    }
    return hash('sha1', this.#buffer.subarray(0, length), 'buffer');
  }

  #hashStreamed(spans: readonly PieceSpan[]): Uint8Array | null {
    const sha1 = createHash('sha1');
    return spans.every((span) => this.#update(sha1, span)) ? sha1.digest() : null;
  }

  #update(sha1: Hash, span: PieceSpan): boolean {
    for (let from = 0; from < span.length;) {
      const into = this.#buffer.subarray(0, Math.min(this.#buffer.length, span.length - from));
      if (!this.#fill(span, from, into)) return false;
      sha1.update(into);
      from += into.length;
    }
    return true;
  }

  /** Puts the span's bytes from `from` on into the view; false when they are not all there. */
  #fill(span: PieceSpan, from: number, into: Uint8Array): boolean {
    switch (span.kind) {
      case 'missing':
        return false;
      case 'zeroes':
        into.fill(0);
        return true;
      case 'file':
        if (span.isSparse && this.#isHole(span.fd, span.position + from, into.length)) {
          into.fill(0);
          return true;
        }
        for (let at = 0; at < into.length;) {
          const count = this.#read(span.fd, at === 0 ? into : into.subarray(at), span.position + from + at);
          if (count === 0) return false;
          at += count;
        }
        return true;
    }
  }
}
