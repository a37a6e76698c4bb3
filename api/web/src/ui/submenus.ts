// The mouse between a menu and its submenus: which lie beside it, or over it where there is no room.

/** With the edge of the window that is kept free; as narrow as a menu gets (menu.module.css). */
const LEAST_ROOM_PX = 208;

/** For the content of each menu: an entry that is left on the way to a submenu does not close that. */
export function letSubmenusStay(content: HTMLElement): void {
  content.addEventListener(
    'pointerleave',
    (event) => {
      if (isIntoSubmenu(content, event.relatedTarget)) event.stopPropagation();
      else makePreventable(event);
    },
    // Leaving does not bubble.
    { capture: true },
  );
}

/** For the entry of a submenu: where that would lie under the mouse, a click alone opens it, which it would get otherwise. */
export function waitForClick(event: PointerEvent & { readonly currentTarget: HTMLElement }): void {
  const { left, right } = event.currentTarget.getBoundingClientRect();
  if (event.pointerType !== 'mouse' || Math.max(left, innerWidth - right) >= LEAST_ROOM_PX) return;
  event.preventDefault();
  event.currentTarget.focus({ preventScroll: true });
}

function isIntoSubmenu(content: HTMLElement, entered: EventTarget | null): boolean {
  const menu = entered instanceof Element ? entered.closest('[role="menu"]') : null;
  return menu !== null && content.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) !== null;
}

/** Kobalte prevents what is done when an entry is left on the way to the submenu of another, which the event itself does not let it. */
function makePreventable(event: Event): void {
  let isPrevented = false;
  Object.defineProperties(event, {
    preventDefault: { value: () => (isPrevented = true) },
    defaultPrevented: { get: () => isPrevented },
  });
}
