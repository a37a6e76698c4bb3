// A binary heap whose items know their place, so that any of them can be taken out or moved in O(log n). An item is
// in at most one heap at a time; `heapIndex` is -1 while it is in none and is written by the heap only. What decides the
// order of an item must not change while it is inside: take it out, change it, put it back.

export interface HeapItem {
  heapIndex: number;
}

export class BinaryHeap<Item extends HeapItem> {
  readonly #items: Item[] = [];

  /** `before(a, b)`: a comes out ahead of b. */
  constructor(private readonly before: (a: Item, b: Item) => boolean) {}

  get size(): number {
    return this.#items.length;
  }

  peek(): Item | undefined {
    return this.#items[0];
  }

  has(item: Item): boolean {
    return item.heapIndex !== -1 && this.#items[item.heapIndex] === item;
  }

  /** No-op when it is inside already. */
  push(item: Item): void {
    if (this.has(item)) return;
    this.#items.push(item);
    this.#up(item, this.#items.length - 1);
  }

  pop(): Item | undefined {
    const first = this.#items[0];
    if (first) this.remove(first);
    return first;
  }

  /** False when it was not inside. */
  remove(item: Item): boolean {
    if (!this.has(item)) return false;
    const at = item.heapIndex;
    const last = this.#items.pop()!;
    item.heapIndex = -1;
    if (last === item) return true;
    this.#down(last, at);
    this.#up(last, last.heapIndex);
    return true;
  }

  /** For tests: throws where an item stands before one that must come out ahead of it. */
  checkInvariant(): void {
    this.#items.forEach((item, at) => {
      const parent = this.#items[(at - 1) >> 1];
      if (item.heapIndex !== at) throw new Error(`bug: heap item at ${at} believes to be at ${item.heapIndex}`);
      if (parent && at > 0 && this.before(item, parent)) throw new Error(`bug: heap order broken at ${at}`);
    });
  }

  #place(item: Item, at: number): void {
    this.#items[at] = item;
    item.heapIndex = at;
  }

  #up(item: Item, from: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.#items[above]!;
      if (!this.before(item, parent)) break;
      this.#place(parent, at);
      at = above;
    }
    this.#place(item, at);
  }

  #down(item: Item, from: number): void {
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      const right = this.#items[child + 1];
      if (right && this.before(right, this.#items[child]!)) child++;
      const lower = this.#items[child];
      if (!lower || !this.before(lower, item)) break;
      this.#place(lower, at);
      at = child;
    }
    this.#place(item, at);
  }
}
