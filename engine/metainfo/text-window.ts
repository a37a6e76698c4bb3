// Many short texts out of a large input: 64 KiB of it are decoded at a time and cut into pieces, which costs a fraction
// of decoding each alone. The longer pieces share their window's memory and keep it for as long as they live.

const WINDOW_BYTES = 64 * 1024;

export class TextWindow {
  #text = '';
  #start = 0;

  constructor(private readonly bytes: Buffer) {}

  /** One character for each byte. */
  latin1(start: number, end: number): string {
    if (start < this.#start || end > this.#start + this.#text.length) {
      this.#start = start;
      this.#text = this.bytes.toString('latin1', start, Math.max(end, start + WINDOW_BYTES));
    }
    return this.#text.slice(start - this.#start, end - this.#start);
  }
}
