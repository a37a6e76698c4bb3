// The list without its looks: what is filtered, sorted and selected, and how it is laid out.
import { createEffect, createMemo, createSignal, onCleanup, untrack, type Accessor } from 'solid-js';
import { removalsNow } from '../../actions/pending-removals.js';
import type { Torrent } from '../../live/messages.js';
import { compileFilter, NO_FILTER, type Filter } from '../../state/filter.js';
import { Pace } from '../../state/pace.js';
import { createPreference, isOneOf } from '../../state/preferences.js';
import {
  moveCursor,
  NOTHING_SELECTED,
  select,
  selectAll,
  withoutGone,
  type Extension,
  type Selection,
} from '../../state/selection.js';
import { comparator, type Sort, type SortKey } from '../../state/sort.js';
import { SortedView } from '../../state/sorted-view.js';
import type { Torrents } from '../../state/torrents.js';
import { COLUMNS, HIDDEN_AT_FIRST } from './columns.jsx';

const MIN_WIDTH_PX = 48;
/** Ticks come once a second; two of them may come close together after a delay, and rows are not to jump twice. */
const ORDER_EVERY_MS = 900;
const NEWEST_FIRST: Sort = { key: 'added', descending: true };

export interface ListModel {
  readonly ids: Accessor<readonly string[]>;
  readonly filter: Accessor<Filter>;
  readonly setFilter: (change: Partial<Filter>) => void;
  readonly sort: Accessor<Sort>;
  readonly setSort: (sort: Sort) => void;
  /** The same key again turns it round. */
  readonly sortBy: (key: SortKey) => void;
  readonly selection: Accessor<Selection>;
  readonly select: (id: string, how: Extension) => void;
  readonly selectAll: () => void;
  readonly clearSelection: () => void;
  readonly move: (by: number, how: Extension) => void;
  readonly onPress: (id: string, event: MouseEvent) => void;
  /** The torrent whose details are shown. */
  readonly opened: Accessor<string | null>;
  readonly open: (id: string | null) => void;
  readonly hidden: Accessor<readonly SortKey[]>;
  readonly setHidden: (keys: readonly SortKey[]) => void;
  readonly widths: Accessor<Readonly<Partial<Record<SortKey, number>>>>;
  /** Not less than can be taken hold of again. */
  readonly setWidth: (key: SortKey, px: number) => void;
  /** Makes the column as wide as at first. */
  readonly resetWidth: (key: SortKey) => void;
  /** Which there are and how wide, as at first. */
  readonly resetColumns: () => void;
}

/** Without those that will be gone in some seconds. */
function isShown(filter: Filter): (torrent: Torrent) => boolean {
  const passes = compileFilter(filter);
  const isGone = removalsNow();
  return (torrent) => !isGone(torrent.id) && passes(torrent);
}

export function createListModel(torrents: Torrents): ListModel {
  const [filter, setFilter] = createSignal<Filter>(NO_FILTER);
  const [sort, setSort] = createPreference<Sort>('sort', NEWEST_FIRST, isSort);
  const [hidden, setHidden] = createPreference('columns.hidden', HIDDEN_AT_FIRST, isKeys);
  const [widths, setWidths] = createPreference<Partial<Record<SortKey, number>>>('columns.widths', {}, isWidths);
  const [selection, setSelection] = createSignal<Selection>(NOTHING_SELECTED);
  const [opened, open] = createSignal<string | null>(null);

  const view = createMemo(() => new SortedView(torrents.all, isShown(filter()), comparator(sort())));
  const [ids, setIds] = createSignal<readonly string[]>([]);
  createEffect(() => setIds(view().ids));
  const pace = new Pace(ORDER_EVERY_MS);
  let later: ReturnType<typeof setTimeout> | undefined;
  const showOrder = () => {
    clearTimeout(later);
    later = undefined;
    const now = untrack(view).ids;
    if (now === untrack(ids)) return;
    const waitMs = pace.waitMs(performance.now());
    // What comes or goes is shown at once.
    if (waitMs > 0 && now.length === untrack(ids).length) later = setTimeout(showOrder, waitMs);
    else setIds(now);
  };
  onCleanup(() => clearTimeout(later));
  onCleanup(
    torrents.onChanges((changed) => {
      untrack(view).update(changed);
      showOrder();
      if (changed.some((id) => !torrents.all.has(id))) {
        setSelection((before) => withoutGone(before, (id) => torrents.all.has(id)));
      }
    }),
  );

  const choose = (id: string, how: Extension) => setSelection((before) => select(before, ids(), id, how));
  return {
    ids,
    filter,
    setFilter: (change) => setFilter((before) => ({ ...before, ...change })),
    sort,
    setSort,
    sortBy: (key) => setSort({ key, descending: sort().key === key ? !sort().descending : false }),
    selection,
    select: choose,
    selectAll: () => setSelection(selectAll(ids())),
    clearSelection: () => setSelection(NOTHING_SELECTED),
    move: (by, how) => setSelection((before) => moveCursor(before, ids(), by, how)),
    onPress(id, { button, shiftKey, ctrlKey, metaKey }) {
      // The right button opens a menu for what is selected, or for this one.
      if (button === 2 && selection().ids.has(id)) return;
      choose(id, shiftKey ? 'range' : ctrlKey || metaKey ? 'toggle' : 'replace');
    },
    opened,
    open,
    hidden,
    setHidden,
    widths,
    resetWidth(key) {
      const { [key]: _, ...others } = widths();
      setWidths(others);
    },
    setWidth: (key, px) => setWidths({ ...widths(), [key]: Math.max(MIN_WIDTH_PX, Math.round(px)) }),
    resetColumns() {
      setHidden(HIDDEN_AT_FIRST);
      setWidths({});
    },
  };
}

function isSort(stored: unknown): stored is Sort {
  return isRecord(stored) && isKey(stored['key']) && typeof stored['descending'] === 'boolean';
}

function isKeys(stored: unknown): stored is readonly SortKey[] {
  return Array.isArray(stored) && stored.every(isKey);
}

function isWidths(stored: unknown): stored is Partial<Record<SortKey, number>> {
  return isRecord(stored) && Object.values(stored).every((px) => typeof px === 'number');
}

const isKey = isOneOf(COLUMNS.map(({ key }) => key));

function isRecord(stored: unknown): stored is Readonly<Record<string, unknown>> {
  return typeof stored === 'object' && stored !== null;
}
