// A collection that keeps its promises in memory: changes are one after another, on a copy, and hold whole or not at all.
import type { RemovableCollection } from '../../storage/types.js';

export class MemoryCollection<Data> implements RemovableCollection<Data> {
  readonly #listeners: (() => void)[] = [];
  #last: Promise<void> = Promise.resolve();
  #data: Data;
  #isStored = false;

  constructor(
    private readonly defaults: Data,
    private readonly validate: (data: unknown) => Data,
  ) {
    this.#data = defaults;
  }

  get data(): Data {
    return this.#data;
  }

  get isStored(): boolean {
    return this.#isStored;
  }

  update(change: (data: Data) => void): Promise<void> {
    return this.#next(() => {
      const draft = structuredClone(this.#data);
      change(draft);
      this.#data = this.validate(draft);
      this.#isStored = true;
    });
  }

  /** A change as another front makes it: the listeners are told. */
  async updateElsewhere(change: (data: Data) => void): Promise<void> {
    await this.update(change);
    for (const listener of this.#listeners) listener();
  }

  remove(): Promise<void> {
    return this.#next(() => {
      this.#data = this.defaults;
      this.#isStored = false;
    });
  }

  onChanged(listener: () => void): void {
    this.#listeners.push(listener);
  }

  async refresh(): Promise<void> {
    // What is changed is shown.
  }

  #next(run: () => void): Promise<void> {
    const done = this.#last.then(run);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
