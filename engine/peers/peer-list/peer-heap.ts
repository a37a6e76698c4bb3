// A binary heap that knows where each item is, so that any item can be taken out in O(log n). An item's place in the
// order must not change while it is inside: take it out, change it, put it back.
// Invariant: no item is before its parent, and `#places` holds the index of each.

export class IndexedHeap<T> {
  readonly #items: T[] = [];
  readonly #places = new Map<T, number>();
  #steps = 0;

  /** `isBefore` is a strict order. */
  constructor(private readonly isBefore: (a: T, b: T) => boolean) {}

  get size(): number {
    return this.#items.length;
  }

  /** Comparisons made so far: what the heap has cost. */
  get steps(): number {
    return this.#steps;
  }

  has(item: T): boolean {
    return this.#places.has(item);
  }

  peek(): T | null {
    return this.#items[0] ?? null;
  }

  /** No-op when it is inside already. */
  push(item: T): void {
    if (this.#places.has(item)) return;
    this.#items.push(item);
    this.#places.set(item, this.#items.length - 1);
    this.#rise(this.#items.length - 1);
  }

  pop(): T | null {
    const first = this.peek();
    if (first !== null) this.remove(first);
    return first;
  }

  /** False when it was not inside. */
  remove(item: T): boolean {
    const place = this.#places.get(item);
    if (place === undefined) return false;
    const last = this.#items.pop()!;
    this.#places.delete(item);
    if (last !== item) {
      this.#put(last, place);
      this.#rise(place);
      this.#sink(this.#places.get(last)!);
    }
    return true;
  }

  /** Throws `bug: …` when the order or an index is wrong; for tests. */
  checkInvariant(): void {
    if (this.#places.size !== this.#items.length) throw new Error('bug: the heap lost count');
    for (const [place, item] of this.#items.entries()) {
      if (this.#places.get(item) !== place) throw new Error(`bug: the item at ${place} is registered elsewhere`);
      const parent = this.#items[(place - 1) >> 1];
      if (place > 0 && this.isBefore(item, parent!)) throw new Error(`bug: the item at ${place} is before its parent`);
    }
  }

  #compare(a: T, b: T): boolean {
    this.#steps++;
    return this.isBefore(a, b);
  }

  #put(item: T, place: number): void {
    this.#items[place] = item;
    this.#places.set(item, place);
  }

  #rise(from: number): void {
    const item = this.#items[from]!;
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#compare(item, this.#items[parent]!)) break;
      this.#put(this.#items[parent]!, place);
      place = parent;
    }
    this.#put(item, place);
  }

  #sink(from: number): void {
    const items = this.#items;
    const item = items[from]!;
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#compare(items[child + 1]!, items[child]!)) child++;
      if (!this.#compare(items[child]!, item)) break;
      this.#put(items[child]!, place);
      place = child;
    }
    this.#put(item, place);
  }
}
