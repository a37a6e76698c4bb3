// How many there are of each key. A key of which there is none is not kept, so that what comes and goes leaves nothing.

export class Counts<Key> {
  readonly #counts = new Map<Key, number>();
  #total = 0;

  /** The sum over all keys. */
  get total(): number {
    return this.#total;
  }

  /** The keys of which there is one at least. */
  keys(): IterableIterator<Key> {
    return this.#counts.keys();
  }

  of(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: Key): void {
    this.#counts.set(key, this.of(key) + 1);
    this.#total++;
  }

  /** Returns how many are left; where there is none nothing is taken. */
  take(key: Key): number {
    const count = this.of(key);
    if (count === 0) return 0;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
    this.#total--;
    return count - 1;
  }

  /** One of the key for as long as the work takes. */
  async during<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    this.add(key);
    try {
      return await work();
    } finally {
      this.take(key);
    }
  }
}
