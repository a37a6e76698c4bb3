// One torrent of the list, as a row of cells or as a card. Pressing selects it; a double click shows its details, on a
// narrow screen a single one.
import { For, onCleanup, Show } from 'solid-js';
import type { Torrents } from '../../state/torrents.js';
import { Card } from './card.jsx';
import type { Column } from './columns.jsx';
import type { ListModel } from './list-model.js';
import type { QueueDrag } from './queue-drag.js';
import styles from './list.module.css';

export interface RowProps {
  readonly id: string;
  /** From 0, among all that the list shows. */
  readonly index: number;
  readonly topPx: number;
  readonly isCard: boolean;
  readonly columns: readonly Column[];
  readonly torrents: Torrents;
  readonly model: ListModel;
  readonly drag: QueueDrag;
}

export function Row(props: RowProps) {
  // A row is of one torrent as long as it is there.
  const { id, torrents, model, drag } = props;
  const torrent = torrents.watch(id);
  onCleanup(() => torrents.forget(id));
  const isSelected = () => model.selection().ids.has(id);
  const onMouseDown = (event: MouseEvent) => {
    // Several that are selected are dragged together; without a drag, the click decides.
    const isPlain = event.button === 0 && !event.shiftKey && !event.ctrlKey && !event.metaKey;
    if (drag.isPossible() && isPlain && isSelected()) return;
    model.onPress(id, event);
  };
  const onClick = (event: MouseEvent) => {
    if (drag.hasJustMoved()) return;
    if (props.isCard) return model.open(id);
    if (drag.isPossible()) model.onPress(id, event);
  };
  const toggle = (event: MouseEvent) => {
    event.stopPropagation();
    if (event.button === 0) model.select(id, event.shiftKey ? 'range' : 'toggle');
  };
  return (
    <Show when={torrent()}>
      {(shown) => (
        <div
          id={rowId(id)}
          class={props.isCard ? styles['card'] : styles['row']}
          role="row"
          aria-rowindex={props.index + 2}
          aria-selected={isSelected()}
          data-cursor={model.selection().cursor === id}
          style={{ transform: `translateY(${props.topPx}px)` }}
          onMouseDown={onMouseDown}
          onClick={onClick}
          onDblClick={() => model.open(id)}
          onPointerDown={(event) => drag.onPointerDown(id, event)}
        >
          <div
            role="gridcell"
            class={styles['check']}
            onMouseDown={toggle}
            onClick={(event) => event.stopPropagation()}
            onDblClick={(event) => event.stopPropagation()}
          >
            <span class={styles['box']} aria-hidden="true" />
          </div>
          <Show
            when={props.isCard}
            fallback={
              <For each={props.columns}>
                {(column) => (
                  <div
                    role="gridcell"
                    class={styles['cell']}
                    data-column={column.key}
                    data-numeric={column.isNumeric}
                    data-grip={column.key === 'queue' && drag.isPossible()}
                  >
                    {column.cell(shown)}
                  </div>
                )}
              </For>
            }
          >
            <div role="gridcell" class={styles['cardBody']}>
              <Card torrent={shown()} />
            </div>
            <Show when={drag.isPossible()}>
              <span class={styles['grip']} data-grip="true" aria-hidden="true" />
            </Show>
          </Show>
        </div>
      )}
    </Show>
  );
}

export function rowId(id: string | null): string | undefined {
  return id === null ? undefined : `torrent-${id}`;
}
