// Views of the list that are kept under a name: what it is narrowed down to, what is searched for, and how it is sorted.
// The server bounds the preferences of an account together; the bounds here keep as many views as may be within half of
// that and a little, so that no change of the layout is refused for them. Pure.
import { COLLATOR } from './collator.js';
import type { Filter } from './filter.js';
import { queryOf } from './filter-query.js';
import type { Sort } from './sort.js';

export const MAX_VIEWS = 40;
export const MAX_VIEW_NAME_LENGTH = 60;
/** Characters of the query, which is of ASCII. */
export const MAX_VIEW_QUERY_LENGTH = 800;

export interface SavedView {
  readonly name: string;
  /** The filter as the address of the list has it. */
  readonly query: string;
  readonly sort: Sort;
}

export type ViewProblem = 'nameless' | 'longName' | 'taken' | 'many' | 'longFilter';

/** Returns what is shown, as it is kept under a name. */
export function viewOf(name: string, filter: Filter, sort: Sort): SavedView {
  return { name: tidy(name), query: queryOf(filter), sort };
}

/** Whether two show the same, whatever they are called and in whichever order they were put together. */
export function isSameView(a: Omit<SavedView, 'name'>, b: Omit<SavedView, 'name'>): boolean {
  return a.sort.key === b.sort.key && a.sort.descending === b.sort.descending && inOrder(a.query) === inOrder(b.query);
}

/** Finds the view of that name, in capitals or not. */
export function viewNamed(views: readonly SavedView[], name: string): SavedView | undefined {
  const wanted = tidy(name).toLowerCase();
  return views.find((view) => view.name.toLowerCase() === wanted);
}

/** Returns why a view cannot be kept; null: it can. One of the same name is replaced. */
export function problemOfKeeping(views: readonly SavedView[], view: SavedView): ViewProblem | null {
  if (view.query.length > MAX_VIEW_QUERY_LENGTH) return 'longFilter';
  if (!viewNamed(views, view.name) && views.length >= MAX_VIEWS) return 'many';
  return problemOfName(view.name);
}

/** Returns why a view cannot have another name; null: it can. */
export function problemOfRenaming(views: readonly SavedView[], view: SavedView, name: string): ViewProblem | null {
  const other = viewNamed(views, name);
  return other && other.name !== view.name ? 'taken' : problemOfName(tidy(name));
}

/** Returns the views with that one, in the order of their names; one of the same name goes. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  const replaced = viewNamed(views, view.name);
  const others = views.filter((other) => other !== replaced);
  return [...others, view].sort((a, b) => COLLATOR.compare(a.name, b.name));
}

export function renamed(views: readonly SavedView[], view: SavedView, name: string): readonly SavedView[] {
  return withView(
    views.filter((other) => other.name !== view.name),
    { ...view, name: tidy(name) },
  );
}

/** Whether what is stored are views; `isSort` knows the columns. */
export function areViews(stored: unknown, isSort: (stored: unknown) => stored is Sort): stored is readonly SavedView[] {
  return Array.isArray(stored) && stored.length <= MAX_VIEWS && stored.every((view) => isView(view, isSort));
}

function isView(stored: unknown, isSort: (stored: unknown) => stored is Sort): stored is SavedView {
  const { name, query, sort } = (stored ?? {}) as Partial<Record<keyof SavedView, unknown>>;
  return typeof name === 'string' && typeof query === 'string' && isSort(sort) && problemOfName(name) === null;
}

function problemOfName(name: string): ViewProblem | null {
  if (name === '') return 'nameless';
  return name.length > MAX_VIEW_NAME_LENGTH ? 'longName' : null;
}

function tidy(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ');
}

function inOrder(query: string): string {
  return query.replace(/^\?/, '').split('&').sort().join('&');
}
