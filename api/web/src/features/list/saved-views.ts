// The views that the account has kept, and what can be done with them: opening one is choosing its filter and its order.
import { createSignal, type Accessor } from 'solid-js';
import { shortened } from '../../format/quantities.js';
import { createAccountPreference } from '../../state/account-preferences.js';
import { NO_FILTER, type Filter } from '../../state/filter.js';
import { filterOf } from '../../state/filter-query.js';
import {
  areViews,
  isSameView,
  problemOfKeeping,
  problemOfRenaming,
  renamed,
  viewNamed,
  viewOf,
  withView,
  type SavedView,
  type ViewProblem,
} from '../../state/saved-views.js';
import type { Sort } from '../../state/sort.js';
import { t } from '../../strings/index.js';
import { showNote } from '../../ui/toasts.jsx';

/** Windows about views: `save` what is shown, or give one another name. */
export type ViewQuestion = { readonly kind: 'save' } | { readonly kind: 'rename'; readonly view: SavedView };

export interface SavedViews {
  /** In the order of their names. */
  readonly all: Accessor<readonly SavedView[]>;
  /** The one that the list shows now; null: it shows none of them. */
  readonly shown: Accessor<SavedView | null>;
  /** The one that was opened last, as long as anything of it may be left. */
  readonly opened: Accessor<SavedView | null>;
  readonly open: (view: SavedView) => void;
  readonly problemOfKeeping: (name: string) => ViewProblem | null;
  /** Keeps what the list shows under that name, if nothing hinders it. */
  readonly keep: (name: string) => void;
  readonly problemOfRenaming: (view: SavedView, name: string) => ViewProblem | null;
  readonly rename: (view: SavedView, name: string) => void;
  /** For some seconds it can be undone. */
  readonly remove: (view: SavedView) => void;
  readonly question: Accessor<ViewQuestion | null>;
  readonly ask: (question: ViewQuestion | null) => void;
}

export interface SavedViewsDeps {
  readonly filter: Accessor<Filter>;
  readonly setFilter: (filter: Filter) => void;
  readonly sort: Accessor<Sort>;
  readonly setSort: (sort: Sort) => void;
  readonly isSort: (stored: unknown) => stored is Sort;
}

export function createSavedViews({ filter, setFilter, sort, setSort, isSort }: SavedViewsDeps): SavedViews {
  const [all, store] = createAccountPreference<readonly SavedView[]>('list.views', [], (stored) =>
    areViews(stored, isSort),
  );
  const [openedName, setOpenedName] = createSignal('');
  const [question, ask] = createSignal<ViewQuestion | null>(null);
  const now = (name: string) => viewOf(name, filter(), sort());
  return {
    all,
    shown: () => all().find((view) => isSameView(view, now(''))) ?? null,
    opened: () => (now('').query === '' ? null : (viewNamed(all(), openedName()) ?? null)),
    open(view) {
      setFilter(view.query === '' ? NO_FILTER : filterOf(view.query));
      setSort(view.sort);
      setOpenedName(view.name);
    },
    problemOfKeeping: (name) => problemOfKeeping(all(), now(name)),
    keep(name) {
      const view = now(name);
      if (problemOfKeeping(all(), view)) return;
      store(withView(all(), view));
      setOpenedName(view.name);
    },
    problemOfRenaming: (view, name) => problemOfRenaming(all(), view, name),
    rename(view, name) {
      if (problemOfRenaming(all(), view, name)) return;
      store(renamed(all(), view, name));
      if (viewNamed([view], openedName())) setOpenedName(name);
    },
    remove(view) {
      store(all().filter(({ name }) => name !== view.name));
      showNote({
        text: t('view.removed', { name: shortened(view.name) }),
        // One that has been saved under its name meanwhile stays.
        action: { label: t('actions.undo'), run: () => viewNamed(all(), view.name) || store(withView(all(), view)) },
      });
    },
    question,
    ask: (next) => void ask(next),
  };
}
