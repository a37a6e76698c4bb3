// Where the focus goes when a window closes: to what had it before, also where that was a menu, or in another window,
// which are gone by then.

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
  const target = had ?? document.querySelector('[role="grid"]') ?? document.querySelector('main');
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}
