// Writes of what changes often, by key: one at a time for each, and of changes that come meanwhile the last one alone. Few keys at
// a time, so that others get to the disk.

const PARALLEL = 4;

export class LatestWrites<Key> {
  /** Writes that have not begun. */
  readonly #waiting = new Map<Key, Promise<void>>();
  readonly #running = new Map<Key, Promise<void>>();
  readonly #queue: (() => void)[] = [];
  #free = PARALLEL;

  /** `write` writes what holds when it is called. */
  constructor(private readonly write: (key: Key) => Promise<void>) {}

  /** Resolves when what holds now, or something later, is written; rejects as that write does. */
  soon(key: Key): Promise<void> {
    const waiting = this.#waiting.get(key);
    if (waiting) return waiting;
    const next = this.#after(this.#running.get(key), key);
    this.#waiting.set(key, next);
    return next;
  }

  /** Resolves when nothing of a key is being written or waits to be. */
  async settled(key: Key): Promise<void> {
    for (let last = this.#last(key); last; last = this.#last(key)) await last.catch(() => undefined);
  }

  async allSettled(): Promise<void> {
    for (const key of [...this.#waiting.keys(), ...this.#running.keys()]) await this.settled(key);
  }

  #last(key: Key): Promise<void> | undefined {
    return this.#waiting.get(key) ?? this.#running.get(key);
  }

  async #after(before: Promise<void> | undefined, key: Key): Promise<void> {
    await before?.catch(() => undefined);
    await this.#enter();
    const writing = this.#run(key);
    this.#running.set(key, writing);
    this.#waiting.delete(key);
    return writing;
  }

  async #run(key: Key): Promise<void> {
    try {
      await this.write(key);
    } finally {
      this.#running.delete(key);
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((go) => this.#queue.push(go));
  }

  #leave(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free++;
  }
}
