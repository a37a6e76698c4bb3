// Whether a call was there already. Calls are numbered one after another; a large one comes in parts, and others come
// before it is whole. Pure.

/** Numbers that may be outstanding: of no more messages are parts held (shared-protocol/stream/frames.ts). */
const MAX_OUTSTANDING = 64;

export class CallNumbers {
  #highest = 0;
  readonly #outstanding = new Set<number>();

  /** False: it was, or its number is far from the others. */
  take(id: number): boolean {
    if (id <= this.#highest) return this.#outstanding.delete(id);
    if (id - this.#highest > MAX_OUTSTANDING) return false;
    for (let skipped = this.#highest + 1; skipped < id; skipped++) this.#outstanding.add(skipped);
    this.#highest = id;
    return this.#outstanding.size <= MAX_OUTSTANDING;
  }
}
