// The rows on the screen as signals: which torrent each shows, and where. While the list is scrolled rows are only given
// other torrents; when it rests they are put into the order in which they are seen, for those who have it read to them.
// Not with each tick that changes the order: to move a row in the document costs as much as to make it.
import { batch, createComputed, createSignal, untrack, type Accessor, type Setter } from 'solid-js';
import { isChanging, type Sort } from '../../state/sort.js';
import { assignRows } from './row-pool.js';
import type { RowWindow } from './row-window.js';

/** Kept hidden, as windows are not all of one size. */
const SPARE_ROWS = 12;

export interface ListRow {
  readonly id: Accessor<string>;
  /** In the list, from 0; -1: it is not shown. */
  readonly place: Accessor<number>;
}

interface Held extends ListRow {
  readonly setId: Setter<string>;
  readonly setPlace: Setter<number>;
}

export interface RowsDeps {
  readonly ids: Accessor<readonly string[]>;
  readonly window: Accessor<RowWindow>;
  readonly isMoving: Accessor<boolean>;
  readonly sort: Accessor<Sort>;
}

export function createRows({ ids, window, isMoving, sort }: RowsDeps): Accessor<readonly ListRow[]> {
  const [rows, setRows] = createSignal<readonly Held[]>([]);
  /** null: not in order. */
  let inOrderOf: Sort | null = null;
  createComputed(() => {
    const { first, end } = window();
    const inWindow = ids().slice(first, end);
    const sorted = untrack(sort);
    const isOrdered = !isMoving() && (!isChanging(sorted) || inOrderOf !== sorted);
    inOrderOf = isMoving() ? null : sorted;
    const before = untrack(rows);
    const assigned = assignRows(
      before.map(({ id }) => untrack(id)),
      inWindow,
      first,
    );
    batch(() => {
      const after = assigned.ids.map((id, at) => {
        const place = assigned.places[at]!;
        const row = before[at] ?? createRow(id, place);
        row.setId(id);
        row.setPlace(place);
        return row;
      });
      const next = isOrdered ? inOrder(after, inWindow.length + SPARE_ROWS) : after;
      if (!isSameOrder(before, next)) setRows(next);
    });
  });
  return rows;
}

function createRow(id: string, place: number): Held {
  const [ofId, setId] = createSignal(id);
  const [ofPlace, setPlace] = createSignal(place);
  return { id: ofId, place: ofPlace, setId, setPlace };
}

/** Rows that are not shown come last, and not too many of them. */
function inOrder(rows: readonly Held[], atMost: number): readonly Held[] {
  const rank = (row: Held) => (untrack(row.place) === -1 ? Infinity : untrack(row.place));
  return [...rows].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b))).slice(0, atMost);
}

function isSameOrder(a: readonly Held[], b: readonly Held[]): boolean {
  return a.length === b.length && a.every((row, at) => row === b[at]);
}
