// Items of a list that is read anew after each change: what is shown of one stays when it comes again, with what is open in it and
// what has the focus.
import { createMemo, For, onCleanup, Show, type Accessor, type JSX } from 'solid-js';
import { itemGoes } from './focus-back.js';

export function ForKeyed<Item extends object>(props: {
  readonly each: readonly Item[] | null;
  readonly keyOf: (item: Item) => string | number;
  readonly children: (item: Accessor<Item>, place: Accessor<number>) => JSX.Element;
}) {
  const byKey = createMemo(() => new Map(props.each?.map((item) => [props.keyOf(item), item])));
  const keys = createMemo(() => [...byKey().keys()]);
  const Row = (own: { readonly item: Accessor<Item>; readonly place: Accessor<number> }) => {
    onCleanup(itemGoes);
    return props.children(own.item, own.place);
  };
  return (
    <For each={keys()}>
      {(key, place) => <Show when={byKey().get(key)}>{(item) => <Row item={item} place={place} />}</Show>}
    </For>
  );
}
