// A collection that keeps its promises in memory: changes are one after another, on a copy, and hold whole or not at all.
import type { Collection } from '../../storage/types.js';

export class MemoryCollection<Data> implements Collection<Data> {
  #last: Promise<void> = Promise.resolve();
  #data: Data;

  constructor(
    data: Data,
    private readonly validate: (data: unknown) => Data,
  ) {
    this.#data = structuredClone(data);
  }

  get data(): Data {
    return this.#data;
  }

  update(change: (data: Data) => void): Promise<void> {
    const done = this.#last.then(() => {
      const draft = structuredClone(this.#data);
      change(draft);
      this.#data = this.validate(draft);
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  onChanged(): void {
    // Nobody else has this memory.
  }
}
