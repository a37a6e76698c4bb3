// Gives the list the keys, from outside of it.

/** Returns whether there is a list. */
export function focusList(): boolean {
  const list = document.querySelector<HTMLElement>('[role="grid"]');
  // To focus what is focused, the browser would look at the styles of the page as well.
  if (list !== document.activeElement) list?.focus({ preventScroll: true });
  return list !== null;
}
