// Collections by name in memory, for tests that need no more of a store than its promises.
import type { CollectionShape } from '../../storage/collection-shape.js';
import { OpenedCollections } from '../../storage/opened-collections.js';
import type { StateStore } from '../../storage/types.js';
import { MemoryCollection } from './memory-collection.js';

export class MemoryStateStore implements StateStore {
  readonly #opened = new OpenedCollections();
  readonly #stored = new Map<string, { readonly isStored: boolean }>();

  open<Data>(name: string, { defaults, validate }: CollectionShape<Data>) {
    return this.#opened.open(name, async () => {
      const collection = new MemoryCollection(defaults, validate);
      this.#stored.set(name, collection);
      return collection;
    });
  }

  async names(prefix: string): Promise<string[]> {
    return [...this.#stored].flatMap(([name, { isStored }]) => (isStored && name.startsWith(prefix) ? [name] : []));
  }

  async remove(name: string): Promise<void> {
    await (await this.#opened.find(name))?.remove();
  }
}
