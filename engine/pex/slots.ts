// A set of small numbers at one bit each: which of a roster's places a recipient has been told about. A hundred peers
// that were each told of a hundred cost 13 bytes apiece, where sets would cost kilobytes.
const INITIAL_BYTES = 8;

export class SlotSet {
  #bytes = new Uint8Array(INITIAL_BYTES);

  has(slot: number): boolean {
    return ((this.#bytes[slot >> 3] ?? 0) & (1 << (slot & 7))) !== 0;
  }

  add(slot: number): void {
    if (slot >> 3 >= this.#bytes.length) {
      const grown = new Uint8Array(Math.max(2 * this.#bytes.length, (slot >> 3) + 1));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes[slot >> 3]! |= 1 << (slot & 7);
  }

  delete(slot: number): void {
    if (this.has(slot)) this.#bytes[slot >> 3]! &= ~(1 << (slot & 7));
  }
}
