// Keeps the filter in the address of the list, so that a reload, a bookmark or a link shows the same, and Back goes back to
// the filter before. Not by the router, which is late by a moment: a key that is typed then would be taken back.
import { createEffect, on, onCleanup, untrack } from 'solid-js';
import type { Filter } from '../../state/filter.js';
import { filterOf, queryOf } from '../../state/filter-query.js';
import { atBase, BASE } from '../../net/base.js';
import { afterPaint } from '../../ui/after-paint.js';
import type { ListModel } from './list-model.js';

export const LIST_PATH = '/';
/** Browsers refuse to be told of every key that is held. */
const TYPED_MS = 250;

/** Returns the address of the list as it is filtered now, as the router takes it. */
export function listAddress(model: ListModel): string {
  return LIST_PATH + queryOf(model.filter());
}

/** A change of the address that is to come: another step of the history, or this one anew. */
interface Waiting {
  readonly how: 'push' | 'replace';
  readonly callOff: () => void;
}

/** For the component that is there as long as a user is signed in. */
export function keepFilterInUrl(model: ListModel): void {
  let waiting: Waiting | null = null;
  const callOff = () => {
    waiting?.callOff();
    waiting = null;
  };
  const read = () => {
    callOff();
    if (isAtList() && !isWritten(model)) model.setFilter(filterOf(location.search));
  };
  const write = (how: Waiting['how']) => {
    waiting = null;
    if (!isAtList() || isWritten(model)) return;
    if (how === 'push') history.pushState({ ...history.state }, '', atBase(listAddress(model)));
    else replaceAddress(model);
  };
  untrack(read);
  addEventListener('popstate', read);
  createEffect(
    on(model.filter, (now, before) => {
      if (!before) return write('replace');
      const how = waiting?.how !== 'push' && isTyped(before, now) ? 'replace' : 'push';
      callOff();
      // Another address is work for the whole browser: what was clicked is shown before.
      waiting = { how, callOff: how === 'push' ? afterPaint(() => write(how)) : after(TYPED_MS, () => write(how)) };
    }),
  );
  onCleanup(() => {
    callOff();
    removeEventListener('popstate', read);
    // The next account begins with all of its own.
    if (isAtList()) history.replaceState(history.state, '', atBase(LIST_PATH));
  });
}

/** For the list when it is come back to by a way that does not know of the filter. */
export function restoreFilterInUrl(model: ListModel): void {
  if (!isWritten(model)) replaceAddress(model);
}

function replaceAddress(model: ListModel): void {
  history.replaceState(history.state, '', atBase(listAddress(model)));
}

function isWritten(model: ListModel): boolean {
  return location.search === queryOf(model.filter());
}

function isAtList(): boolean {
  return isListAt(location.pathname);
}

/** The router writes the address of the list without a slash at its end. */
export function isListAt(pathname: string): boolean {
  return pathname.replace(/\/$/, '') === BASE;
}

/** Runs it after a while. Returns what calls it off. */
function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** Searching for something else is no step back to come to; beginning to search is. */
function isTyped(before: Filter, now: Filter): boolean {
  return before.only === now.only && before.not === now.not && before.search !== '';
}
