// A list that is read anew every few seconds, by keys that stay: a row is the same row then, and what is open in it stays open.
import { createMemo, type Accessor } from 'solid-js';

export interface Keyed<Item> {
  readonly keys: Accessor<readonly string[]>;
  /** Undefined once it has left the list. */
  readonly of: (key: string) => Item | undefined;
}

export function keyed<Item>(items: Accessor<readonly Item[]>, keyOf: (item: Item) => string): Keyed<Item> {
  const byKey = createMemo(() => new Map(items().map((item) => [keyOf(item), item])));
  return { keys: createMemo(() => [...byKey().keys()]), of: (key) => byKey().get(key) };
}
