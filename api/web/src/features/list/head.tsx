// The heads of the columns: pressing one sorts by it, dragging it moves it, dragging its edge sets its width, and two clicks
// on the edge fit it to what is in it. One stop of the Tab key: arrows go from one to the next, with Shift they set the
// width, with Control they move it.
import { createSignal, For, Show } from 'solid-js';
import { t } from '../../strings/index.js';
import { ContextArea } from '../../ui/menu.jsx';
import { dragColumn } from './column-drag.js';
import type { Column } from './columns.jsx';
import { fittingWidth } from './fit-width.js';
import type { ListModel } from './list-model.js';
import { SelectAll } from './select-all.jsx';
import { columnMenu } from './view-menu.js';
import styles from './list.module.css';

const STEP_PX = 16;

export interface HeadProps {
  readonly model: ListModel;
  readonly columns: readonly Column[];
}

export function Head(props: HeadProps) {
  const [current, setCurrent] = createSignal(0);
  let row!: HTMLDivElement;
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const column = props.columns[current()];
    if (event.shiftKey && column) return resize(props.model, column, by * STEP_PX);
    const next = Math.min(Math.max(current() + by, 0), props.columns.length - 1);
    if ((event.ctrlKey || event.metaKey) && column) {
      const others = props.columns.filter((other) => other !== column);
      props.model.layout.moveColumn(column.key, others[next]?.key ?? null);
    }
    setCurrent(next);
    row.querySelectorAll<HTMLElement>('button').item(current()).focus();
  };
  return (
    <ContextArea class={styles['head']!} entries={columnMenu(props.model)}>
      <div class={styles['heads']} ref={row} role="row" aria-rowindex={1} onKeyDown={onKeyDown}>
        <div role="columnheader" class={styles['check']}>
          <SelectAll model={props.model} />
        </div>
        <For each={props.columns}>
          {(column, index) => (
            <div
              role="columnheader"
              class={styles['headCell']}
              aria-sort={ariaSort(props.model, column)}
              data-column={column.key}
              data-numeric={column.isNumeric}
            >
              <button
                type="button"
                tabindex={current() === index() ? 0 : -1}
                title={t('list.headHelp')}
                onFocus={() => setCurrent(index())}
                onPointerDown={(event) => dragColumn(event, props.model.layout, column.key)}
                onClick={() => props.model.sortBy(column.key)}
              >
                {t(column.title)}
                <Show when={props.model.sort().key === column.key}>
                  <span aria-hidden="true"> {props.model.sort().descending ? '▾' : '▴'}</span>
                </Show>
              </button>
              <span
                class={styles['edge']}
                aria-hidden="true"
                onPointerDown={(event) => dragEdge(event, props.model, column)}
                onDblClick={(event) =>
                  props.model.layout.setWidth(column.key, fittingWidth(event.currentTarget, column))
                }
              />
            </div>
          )}
        </For>
      </div>
    </ContextArea>
  );
}

function dragEdge(event: PointerEvent & { currentTarget: HTMLElement }, model: ListModel, column: Column): void {
  if (event.button !== 0) return;
  event.preventDefault();
  const edge = event.currentTarget;
  const widthPx = edge.closest('[role=columnheader]')?.clientWidth ?? widthOf(model, column);
  const from = widthPx - event.clientX;
  const onMove = (move: PointerEvent) => model.layout.setWidth(column.key, from + move.clientX);
  edge.setPointerCapture(event.pointerId);
  edge.addEventListener('pointermove', onMove);
  edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', onMove), { once: true });
}

function resize(model: ListModel, column: Column, byPx: number): void {
  model.layout.setWidth(column.key, widthOf(model, column) + byPx);
}

export function widthOf(model: ListModel, { key, widthPx }: Column): number {
  return model.layout.widths()[key] ?? widthPx;
}

/** Returns the column's track in the grid of the list. */
export function trackOf(model: ListModel, column: Column): string {
  const px = `${widthOf(model, column)}px`;
  return column.isFlexible && model.layout.widths()[column.key] === undefined ? `minmax(${px}, 1fr)` : px;
}

function ariaSort({ sort }: ListModel, { key }: Column) {
  if (sort().key !== key) return 'none';
  return sort().descending ? 'descending' : 'ascending';
}
