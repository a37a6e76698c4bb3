// The torrents: only those on the screen exist, as rows of a table or, on a narrow screen, as cards. One stop of the Tab
// key for the heads and one for the rows; the keys of the rows are in features/help/shortcuts.ts.
import { createVirtualizer } from '@tanstack/solid-virtual';
import { createEffect, createMemo, createSignal, For, on, Show, untrack } from 'solid-js';
import { t } from '../../strings/index.js';
import type { Torrents } from '../../state/torrents.js';
import { offerShortcuts } from '../help/keyboard.js';
import { Head, shownColumns, widthOf } from './head.jsx';
import { listShortcuts } from './list-shortcuts.js';
import type { ListModel } from './list-model.js';
import { createQueueDrag } from './queue-drag.js';
import { Row, rowId } from './row.jsx';
import styles from './list.module.css';

const ROW_PX = 34;
const CARD_PX = 64;
const HEAD_PX = 34;
const CHECK_PX = 36;
const OVERSCAN_ROWS = 12;

export interface ListProps {
  readonly torrents: Torrents;
  readonly model: ListModel;
  readonly isNarrow: boolean;
}

export function List(props: ListProps) {
  let scroller!: HTMLDivElement;
  const rowPx = () => (props.isNarrow ? CARD_PX : ROW_PX);
  const headPx = () => (props.isNarrow ? 0 : HEAD_PX);
  const virtualizer = createVirtualizer({
    get count() {
      return props.model.ids().length;
    },
    getScrollElement: () => scroller,
    estimateSize: () => untrack(rowPx),
    overscan: OVERSCAN_ROWS,
    get scrollPaddingStart() {
      return headPx();
    },
  });
  createEffect(on(rowPx, () => virtualizer.measure(), { defer: true }));
  // Only when the cursor moves: what a tick sorts anew does not take away what one looks at.
  createEffect(
    on(
      () => props.model.selection().cursor,
      (cursor) => {
        const index = cursor === null ? -1 : untrack(props.model.ids).indexOf(cursor);
        if (index !== -1) virtualizer.scrollToIndex(index, { align: 'auto' });
      },
    ),
  );
  const firstIndex = createMemo(() => virtualizer.getVirtualItems()[0]?.index ?? 0);
  const onScreen = createMemo(() => {
    const ids = props.model.ids();
    return virtualizer.getVirtualItems().flatMap(({ index }) => ids[index] ?? []);
  });
  /** Scrolled sideways: the name stays in sight. */
  const [isAside, setIsAside] = createSignal(false);
  const columns = createMemo(() => shownColumns(props.model));
  const template = () =>
    `${CHECK_PX}px ${columns()
      .map((column) => `${widthOf(props.model, column)}px`)
      .join(' ')}`;
  const drag = createQueueDrag({
    model: props.model,
    torrents: props.torrents,
    scroller: () => scroller,
    rowPx,
    headPx,
  });
  offerShortcuts(listShortcuts(props.model, () => scroller.focus({ preventScroll: true })));

  return (
    <div
      class={styles['list']}
      ref={scroller}
      role="grid"
      tabindex="0"
      aria-label={t('list.title')}
      aria-rowcount={props.model.ids().length + 1}
      aria-multiselectable="true"
      aria-activedescendant={rowId(props.model.selection().cursor)}
      data-aside={isAside()}
      onScroll={() => setIsAside(scroller.scrollLeft > 0)}
      style={{ '--columns': template() }}
    >
      <Show when={!props.isNarrow}>
        <Head model={props.model} columns={columns()} />
      </Show>
      <div class={styles['body']} role="rowgroup" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        <For each={onScreen()}>
          {(id, place) => (
            <Row
              id={id}
              index={firstIndex() + place()}
              topPx={(firstIndex() + place()) * rowPx()}
              isCard={props.isNarrow}
              columns={columns()}
              torrents={props.torrents}
              model={props.model}
              drag={drag}
            />
          )}
        </For>
        <Show when={drag.gap() !== null}>
          <div class={styles['gap']} style={{ transform: `translateY(${(drag.gap() ?? 0) * rowPx() - 1}px)` }} />
        </Show>
      </div>
    </div>
  );
}
