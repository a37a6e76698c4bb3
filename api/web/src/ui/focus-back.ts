// Where the focus goes when a window closes: to what had it before, also where that was a menu, or in another window,
// which are gone by then. And where it goes when an item of a list has gone that had it.

const CONTROLS = 'a, button, input, select';

/** Elements that had the focus, by the window that has it since. */
const before = new WeakMap<Element, Element | null>();
/** Element that had it before the menu that was opened last: a menu is gone when the window closes that was chosen in it. */
let beforeMenu: Element | null = null;

export function menuOpensAt(element: Element | null): void {
  beforeMenu = element;
}

/** Called before the window takes the focus. */
export function windowOpens(content: Element): void {
  const had = document.activeElement;
  before.set(content, had === document.body || had?.closest('[role="menu"]') ? beforeMenu : had);
  beforeMenu = null;
}

/** Gives it to the list, or the page, where nothing is left that had it. */
export function focusBefore(content: Element): void {
  let place = before.get(content);
  while (place && !place.isConnected) {
    const outer: Element | null = place.closest('[role="dialog"]');
    place = outer && before.get(outer);
  }
  const had = place === document.body ? null : place;
  focusOn(had ?? document.querySelector('[role="grid"]'));
}

/** Called before the item is taken away: what is in its place in the item beside it has the focus then, or the page. */
export function itemGoes(): void {
  const had = document.activeElement;
  const item = had?.closest('li, tr');
  if (!had || !item) return;
  const place = [...item.querySelectorAll(CONTROLS)].indexOf(had);
  const beside = item.nextElementSibling ?? item.previousElementSibling;
  queueMicrotask(() => {
    if (!had.isConnected) focusOn(beside?.isConnected ? (beside.querySelectorAll(CONTROLS)[place] ?? null) : null);
  });
}

/** null: on the page. */
function focusOn(target: Element | null): void {
  const place = target ?? document.querySelector('main');
  if (place instanceof HTMLElement) place.focus({ preventScroll: true });
}
