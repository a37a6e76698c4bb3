// The torrents: only those on the screen exist, as rows of a table or, on a narrow screen, as cards. One stop of the Tab
// key for the heads and one for the rows; the keys of the rows are in features/help/shortcuts.ts.
import { createEffect, For, on, onCleanup, Show, untrack } from 'solid-js';
import { t } from '../../strings/index.js';
import type { Torrents } from '../../state/torrents.js';
import { offerShortcuts } from '../help/keyboard.js';
import { createPresses } from './presses.js';
import { Head, trackOf, widthOf } from './head.jsx';
import { showHints } from './hints.js';
import { DENSITIES } from './list-layout.js';
import { listShortcuts } from './list-shortcuts.js';
import type { ListModel } from './list-model.js';
import { createQueueDrag } from './queue-drag.js';
import { Row, rowId } from './row.jsx';
import { createRows } from './rows.js';
import { createScrolling } from './scrolling.js';
import styles from './list.module.css';

const CARD_PX = 64;
const HEAD_PX = 34;
const CHECK_PX = 36;

export interface ListProps {
  readonly torrents: Torrents;
  readonly model: ListModel;
  readonly isNarrow: boolean;
}

export function List(props: ListProps) {
  let scroller!: HTMLDivElement;
  const rowPx = () => (props.isNarrow ? CARD_PX : DENSITIES[props.model.layout.density()]);
  const headPx = () => (props.isNarrow ? 0 : HEAD_PX);
  const placeOf = (id: string | null) => (id === null ? -1 : untrack(props.model.ids).indexOf(id));
  const scrolling = createScrolling({
    scroller: () => scroller,
    rowPx,
    headPx,
    count: () => props.model.ids().length,
    kept: () => placeOf(props.model.opened()),
  });
  onCleanup(props.model.onReorder(scrolling.follow));
  const rows = createRows({
    ids: () => props.model.ids(),
    window: scrolling.window,
    isMoving: scrolling.isMoving,
    sort: () => props.model.sort(),
  });
  // Only when the cursor moves: what a tick sorts anew does not take away what one looks at.
  createEffect(
    on(
      () => props.model.selection().cursor,
      (cursor) => {
        const index = placeOf(cursor);
        if (index !== -1) scrolling.show(index);
      },
    ),
  );
  const { columns } = props.model.layout;
  const layout = () => ({
    '--row': `${rowPx()}px`,
    '--columns': [`${CHECK_PX}px`, ...columns().map((column) => trackOf(props.model, column))].join(' '),
    '--width': `${columns().reduce((sum, column) => sum + widthOf(props.model, column), CHECK_PX)}px`,
  });
  const drag = createQueueDrag({
    model: props.model,
    torrents: props.torrents,
    scroller: () => scroller,
    rowPx,
    headPx,
  });
  const presses = createPresses(props.model);
  showHints(() => scroller, props.torrents);
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
      data-aside={scrolling.isAside()}
      data-cursor={props.model.selection().cursor !== null}
      style={layout()}
    >
      <Show when={!props.isNarrow}>
        <Head model={props.model} columns={columns()} />
      </Show>
      <div class={styles['body']} role="rowgroup" style={{ height: `${props.model.ids().length * rowPx()}px` }}>
        <For each={rows()}>
          {(row) => (
            <Row
              row={row}
              topPx={row.place() * rowPx()}
              isCard={props.isNarrow}
              columns={columns()}
              torrents={props.torrents}
              model={props.model}
              drag={drag}
              presses={presses}
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
