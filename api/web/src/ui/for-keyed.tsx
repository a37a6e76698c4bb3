// Items of a list that is read anew after each change: what is shown of one stays when it comes again, with what has the focus in it.
import { For, onCleanup, Show, type Accessor, type JSX } from 'solid-js';
import { keyed } from '../state/keyed.js';
import { itemGoes } from './focus-back.js';

export function ForKeyed<Item extends object>(props: {
  readonly each: readonly Item[] | null;
  readonly keyOf: (item: Item) => string | number;
  readonly children: (item: Accessor<Item>) => JSX.Element;
}) {
  const rows = keyed(
    () => props.each ?? [],
    (item) => String(props.keyOf(item)),
  );
  const Item = (own: { readonly item: Accessor<Item> }) => {
    onCleanup(itemGoes);
    return props.children(own.item);
  };
  return <For each={rows.keys()}>{(key) => <Show when={rows.of(key)}>{(item) => <Item item={item} />}</Show>}</For>;
}
