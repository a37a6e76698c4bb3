// SHA-1 of a piece that lies on disk, read with the reader given: the thread's own `readSync`, or a disk in memory.
import { createHash, hash, type Hash } from 'node:crypto';
import type { PieceSpan } from './types.js';

/** Reads some bytes into `into` and says how many; 0 at the end of the file. May throw. */
export type ReadSome = (fd: number, into: Uint8Array, position: number) => number;

export class SpanHasher {
  readonly #read: ReadSome;
  readonly #buffer: Uint8Array;

  constructor(read: ReadSome, bufferBytes: number) {
    this.#read = read;
    this.#buffer = new Uint8Array(bufferBytes);
  }

  /** null for a missing span and for a failed or short read. */
  hash(spans: readonly PieceSpan[]): Uint8Array | null {
    const length = spans.reduce((sum, span) => sum + span.length, 0);
    try {
      return length <= this.#buffer.length ? this.#hashWhole(spans, length) : this.#hashStreamed(spans);
    } catch {
      // A read failed: the piece cannot be there.
      return null;
    }
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
        for (let at = 0; at < into.length;) {
          const count = this.#read(span.fd, at === 0 ? into : into.subarray(at), span.position + from + at);
          if (count === 0) return false;
          at += count;
        }
        return true;
    }
  }
}
