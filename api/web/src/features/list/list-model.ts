// The list without its looks: what is filtered, sorted and selected, and how it is laid out.
import { batch, createEffect, createMemo, createSignal, onCleanup, untrack, type Accessor } from 'solid-js';
import { removalsNow } from '../../actions/pending-removals.js';
import { createAccountPreference } from '../../state/account-preferences.js';
import { passesAll, type Narrowing } from '../../state/facets.js';
import { compileKinds, kindOf, NO_FILTER, type Filter, type Passes } from '../../state/filter.js';
import { categoryNames, labelIds } from '../../state/labels.js';
import { serverName } from '../../state/servers.js';
import { compileSearch } from '../../state/search.js';
import { createMoment } from '../../state/moment.js';
import { Paced } from '../../state/paced.js';
import { isOneOf } from '../../state/preferences.js';
import {
  moveCursor,
  NOTHING_SELECTED,
  select,
  selectAll,
  withoutUnseen,
  type Extension,
  type Selection,
} from '../../state/selection.js';
import { firstSort, isGoingOn, orderOf, type Sort, type SortKey } from '../../state/sort.js';
import { SortedView } from '../../state/sorted-view.js';
import type { Torrents } from '../../state/torrents.js';
import { afterPaint } from '../../ui/after-paint.js';
import { COLUMNS } from './columns.jsx';
import { createListLayout, type ListLayout } from './list-layout.js';
import { createSavedViews, type SavedViews } from './saved-views.js';
import { searchPattern } from './search-pattern.js';
import { serverNowMs } from '../../net/server-clock.js';

/** Ticks come once a second; two of them may come close together after a delay, and rows are not to jump twice. */
const ORDER_EVERY_MS = 900;

type ReorderListener = (before: readonly string[], now: readonly string[]) => void;

export interface ListModel {
  readonly ids: Accessor<readonly string[]>;
  /** Told of each order that ticks have made, before `ids` has it. */
  readonly onReorder: (listener: ReorderListener) => () => void;
  /** Counts for what the list is narrowed down to now. Reading them in a component is waiting for what changes them. */
  readonly facets: Accessor<Torrents['facets']>;
  readonly filter: Accessor<Filter>;
  readonly setFilter: (filter: Filter) => void;
  /** The patterns of the search that are none. */
  readonly brokenSearch: Accessor<readonly string[]>;
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
  readonly layout: ListLayout;
  readonly views: SavedViews;
}

/** Without those that will be gone in some seconds. */
function narrowingOf(filter: Filter, search: Passes): Narrowing {
  const kinds = compileKinds(filter, hasLabel(filter) ? labelIds() : noIds);
  const isGone = removalsNow();
  return { kinds, rest: (torrent) => !isGone(torrent.id) && search(torrent) };
}

/** Counts at the side follow what is in the list once that is drawn: to count all anew takes as long as to show some rows. */
function createCounts(torrents: Torrents, narrowing: Accessor<Narrowing>): Accessor<Torrents['facets']> {
  const [counted, setCounted] = createSignal<Narrowing | null>(null);
  createEffect(() => {
    const now = narrowing();
    const count = () => {
      torrents.narrow(now);
      setCounted(now);
    };
    onCleanup(afterPaint(count));
  });
  return () => {
    counted();
    return torrents.facets;
  };
}

export function createListModel(torrents: Torrents): ListModel {
  const [filter, setFilter] = createSignal<Filter>(NO_FILTER);
  const searched = createMemo(() => filter().search);
  const [sort, setSort] = createAccountPreference<Sort>('list.sort', firstSort('added'), isSort);
  const layout = createListLayout();
  const views = createSavedViews({ filter, setFilter, sort, setSort, isSort });
  const [selection, setSelection] = createSignal<Selection>(NOTHING_SELECTED);
  const [opened, open] = createSignal<string | null>(null);

  const names = createMemo(() => (searched() !== '' || sort().key === 'category' ? categoryNames() : noName));
  const search = createMemo(() =>
    compileSearch(searched(), { categoryName: names(), serverName, nowMs: serverNowMs(), pattern: searchPattern }),
  );
  const narrowing = createMemo(() => narrowingOf(filter(), search().passes));
  const isShown = createMemo(() => passesAll(narrowing()));
  const facets = createCounts(torrents, narrowing);
  const nowMs = createMoment(() => isGoingOn(sort()));
  const inOrder = createMemo(() => {
    const order = orderOf(sort(), names(), nowMs());
    return new SortedView(torrents.all, untrack(isShown), order);
  });
  const view = createMemo(
    () => {
      inOrder().narrow(isShown());
      return inOrder();
    },
    undefined,
    { equals: false },
  );
  const [ids, setIds] = createSignal<readonly string[]>([]);
  /** The order on the screen may be older than the view. */
  const change = (make: (before: Selection) => Selection) =>
    setSelection((before) => withoutUnseen(make(before), (id) => untrack(view).has(id)));
  const forgetUnseen = () => change((before) => before);
  createEffect(() => {
    const shown = view().ids;
    batch(() => {
      setIds(shown);
      forgetUnseen();
    });
  });
  const listeners = new Set<ReorderListener>();
  const onReorder = (listener: ReorderListener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const reorder = () =>
    batch(() => {
      const [before, now] = [untrack(ids), untrack(view).ids];
      for (const listener of listeners) listener(before, now);
      setIds(now);
    });
  const order = new Paced(ORDER_EVERY_MS, reorder);
  const showOrder = () => {
    const [now, before] = [untrack(view).ids, untrack(ids)];
    if (now === before) return order.stop();
    // What comes or goes is shown at once.
    order.ask(now.length !== before.length);
  };
  onCleanup(() => order.stop());
  onCleanup(
    torrents.onChanges((changed) => {
      const shown = untrack(view);
      shown.update(changed);
      showOrder();
      if (changed.some((id) => !shown.has(id))) forgetUnseen();
    }),
  );

  const choose = (id: string, how: Extension) => change((before) => select(before, ids(), id, how));
  return {
    ids,
    onReorder,
    facets,
    filter,
    setFilter,
    brokenSearch: () => search().broken,
    sort,
    setSort,
    sortBy: (key) => setSort(sort().key === key ? { key, descending: !sort().descending } : firstSort(key)),
    selection,
    select: choose,
    selectAll: () => change(() => selectAll(ids())),
    clearSelection: () => setSelection(NOTHING_SELECTED),
    move: (by, how) => change((before) => moveCursor(before, ids(), by, how)),
    onPress(id, { button, shiftKey, ctrlKey, metaKey }) {
      // The right button opens a menu for what is selected, or for this one.
      if (button === 2 && selection().ids.has(id)) return;
      choose(id, shiftKey ? 'range' : ctrlKey || metaKey ? 'toggle' : 'replace');
    },
    opened,
    open,
    layout,
    views,
  };
}

const noName = () => null;
const noIds = () => [];

function hasLabel({ only, not }: Filter): boolean {
  return [...only, ...not].some((key) => kindOf(key) === 'category' || kindOf(key) === 'tag');
}

function isSort(stored: unknown): stored is Sort {
  return isRecord(stored) && isKey(stored['key']) && typeof stored['descending'] === 'boolean';
}

const isKey = isOneOf(COLUMNS.map(({ key }) => key));

function isRecord(stored: unknown): stored is Readonly<Record<string, unknown>> {
  return typeof stored === 'object' && stored !== null;
}
