// The heads of the columns: pressing one sorts by it, dragging its edge sets its width. One stop of the Tab key: arrows
// go from one to the next, with Shift they set the width.
import { createEffect, createSignal, For, Show } from 'solid-js';
import { t } from '../../strings/index.js';
import { ContextArea } from '../../ui/menu.jsx';
import { COLUMNS, type Column } from './columns.jsx';
import type { ListModel } from './list-model.js';
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
    setCurrent(Math.min(Math.max(current() + by, 0), props.columns.length - 1));
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
                onDblClick={() => props.model.resetWidth(column.key)}
              />
            </div>
          )}
        </For>
      </div>
    </ContextArea>
  );
}

function SelectAll(props: { readonly model: ListModel }) {
  const count = () => props.model.selection().ids.size;
  const isAll = () => count() > 0 && count() >= props.model.ids().length;
  let input!: HTMLInputElement;
  createEffect(() => (input.indeterminate = count() > 0 && !isAll()));
  return (
    <input
      ref={input}
      type="checkbox"
      aria-label={t('list.selectAll')}
      checked={isAll()}
      onChange={(event) => {
        if (event.currentTarget.checked) props.model.selectAll();
        else props.model.clearSelection();
      }}
    />
  );
}

function dragEdge(event: PointerEvent & { currentTarget: HTMLElement }, model: ListModel, column: Column): void {
  if (event.button !== 0) return;
  event.preventDefault();
  const edge = event.currentTarget;
  const widthPx = edge.closest('[role=columnheader]')?.clientWidth ?? widthOf(model, column);
  const from = widthPx - event.clientX;
  const onMove = (move: PointerEvent) => model.setWidth(column.key, from + move.clientX);
  edge.setPointerCapture(event.pointerId);
  edge.addEventListener('pointermove', onMove);
  edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', onMove), { once: true });
}

function resize(model: ListModel, column: Column, byPx: number): void {
  model.setWidth(column.key, widthOf(model, column) + byPx);
}

export function widthOf(model: ListModel, { key, widthPx }: Column): number {
  return model.widths()[key] ?? widthPx;
}

/** Returns the column's track in the grid of the list. */
export function trackOf(model: ListModel, column: Column): string {
  const px = `${widthOf(model, column)}px`;
  return column.isFlexible && model.widths()[column.key] === undefined ? `minmax(${px}, 1fr)` : px;
}

/** Returns the columns that are shown, in order. */
export function shownColumns(model: ListModel): readonly Column[] {
  return COLUMNS.filter(({ key }) => !model.hidden().includes(key));
}

function ariaSort({ sort }: ListModel, { key }: Column) {
  if (sort().key !== key) return 'none';
  return sort().descending ? 'descending' : 'ascending';
}
