// What fills the screen of a phone is closed by Back, as if it were a page: for as long as it is there the history has an
// entry more, of the same address.
import { createUniqueId, onCleanup } from 'solid-js';

/** For the component that fills the screen. */
export function closeOnBack(close: () => void): void {
  const id = createUniqueId();
  const state = { ...stateNow(), screen: id };
  // An entry of before a reload, or of a page that was left and is there again, serves anew.
  if (stateNow()['screen'] === undefined) history.pushState(state, '');
  else history.replaceState(state, '');
  const isThere = () => stateNow()['screen'] === id;
  const onPopState = () => !isThere() && close();
  addEventListener('popstate', onPopState);
  onCleanup(() => {
    removeEventListener('popstate', onPopState);
    // Closed otherwise. Where another page has been gone to, the entry is one to come back to.
    if (isThere()) history.back();
  });
}

function stateNow(): Readonly<Record<string, unknown>> {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? { ...state } : {};
}
