// A row of the list, of cells or as a card: of one torrent after the other. Pressing a row with the mouse selects that, a
// double click shows its details; what cards and fingers do is in presses.ts.
import { Show } from 'solid-js';
import { isAway } from '../../state/servers.js';
import { watchTorrent, type Torrents } from '../../state/torrents.js';
import { Card } from './card.jsx';
import type { Presses } from './presses.js';
import { Cells } from './cells.jsx';
import type { Column } from './columns.jsx';
import type { ListModel } from './list-model.js';
import type { QueueDrag } from './queue-drag.js';
import type { ListRow } from './rows.js';
import styles from './list.module.css';

export interface RowProps {
  readonly row: ListRow;
  readonly topPx: number;
  readonly isCard: boolean;
  readonly columns: readonly Column[];
  readonly torrents: Torrents;
  readonly model: ListModel;
  readonly drag: QueueDrag;
  readonly presses: Presses;
}

export function Row(props: RowProps) {
  const { torrents, model, drag, presses } = props;
  const { id, place } = props.row;
  const torrent = watchTorrent(torrents, id);
  const isSelected = () => model.selection().ids.has(id());
  const isTapped = () => props.isCard || presses.isByFinger();
  const onMouseDown = (event: MouseEvent) => {
    if (isTapped() && event.button === 0) return;
    // Several that are selected are dragged together; without a drag, the click decides.
    const isPlain = event.button === 0 && !event.shiftKey && !event.ctrlKey && !event.metaKey;
    if (drag.isPossible() && isPlain && isSelected()) return;
    model.onPress(id(), event);
  };
  const onClick = (event: MouseEvent) => {
    if (drag.hasJustMoved()) return;
    if (isTapped()) return presses.onClick(id());
    if (drag.isPossible()) model.onPress(id(), event);
  };
  const toggle = (event: MouseEvent) => {
    event.stopPropagation();
    if (event.button === 0) model.select(id(), event.shiftKey ? 'range' : 'toggle');
  };
  return (
    <Show when={torrent()}>
      {(shown) => (
        <div
          id={rowId(id())}
          class={props.isCard ? styles['card'] : styles['row']}
          role="row"
          aria-rowindex={place() + 2}
          aria-selected={isSelected()}
          aria-current={model.opened() === id()}
          data-away={isAway(shown())}
          data-cursor={model.selection().cursor === id()}
          hidden={place() === -1}
          style={{ top: `${props.topPx}px` }}
          onMouseDown={onMouseDown}
          onClick={onClick}
          onDblClick={() => !isTapped() && model.open(id())}
          onPointerDown={(event) => {
            drag.onPointerDown(id(), event);
            presses.onPointerDown(id(), event);
          }}
          onContextMenu={presses.onContextMenu}
        >
          <div
            role="gridcell"
            class={styles['check']}
            data-check
            onMouseDown={toggle}
            onClick={(event) => event.stopPropagation()}
            onDblClick={(event) => event.stopPropagation()}
          >
            <span class={styles['box']} aria-hidden="true" />
          </div>
          <Show
            when={props.isCard}
            fallback={<Cells torrent={shown} columns={props.columns} model={model} isGripped={drag.isPossible()} />}
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

/** '' for what is no row of a torrent. */
export function idOfRow(row: Element | null): string {
  return row?.id.replace(/^torrent-/, '') ?? '';
}
