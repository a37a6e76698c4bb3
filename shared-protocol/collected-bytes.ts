// Bytes that come in chunks, whose lengths the other side chooses (RFC 9112, section 7.1), copied into one piece of memory: of a
// megabyte in chunks of a byte, what would be kept of every chunk takes a hundred times as much. Streams of Node do not put
// them together: each comes by itself, however it is read.

const FIRST_BYTES = 4_096;

export class CollectedBytes {
  #bytes = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The chunk may be written over afterwards. */
  add(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length, FIRST_BYTES));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
  }

  /** All that were added since the last call, in memory of their own: nothing else is a view of it. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#length === this.#bytes.length ? this.#bytes : this.#bytes.slice(0, this.#length);
    this.#bytes = new Uint8Array(0);
    this.#length = 0;
    return bytes;
  }
}
