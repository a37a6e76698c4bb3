// What waits for a hashing thread, and how it is packed into tasks: small pieces together, up to a size and a count.
// Regions come first: peers wait for their memory, while a recheck may take its time.

export interface Sized {
  readonly length: number;
}

export class TaskQueue<Item extends Sized> {
  readonly #maxBytes: number;
  readonly #maxItems: number;
  #items: Item[] = [];
  /** Items before it are gone: shifting an array of thousands one by one would move them all. */
  #head = 0;

  /** A task holds at least one item, however large. */
  constructor(maxBytes: number, maxItems = Number.POSITIVE_INFINITY) {
    this.#maxBytes = maxBytes;
    this.#maxItems = maxItems;
  }

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** The items of the next task; empty when nothing waits. */
  take(): Item[] {
    let end = this.#head;
    for (let bytes = 0; end < this.#items.length && end - this.#head < this.#maxItems; end++) {
      bytes += this.#items[end]!.length;
      if (bytes > this.#maxBytes && end > this.#head) break;
    }
    const taken = this.#items.slice(this.#head, end);
    this.#head = end;
    if (this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return taken;
  }

  takeAll(): Item[] {
    const taken = this.#items.slice(this.#head);
    this.#items = [];
    this.#head = 0;
    return taken;
  }
}
