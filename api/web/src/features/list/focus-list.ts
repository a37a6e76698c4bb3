// Gives the list the keys, from outside of it.

/** Returns whether there is a list. */
export function focusList(): boolean {
  const list = document.querySelector<HTMLElement>('[role="grid"]');
  list?.focus({ preventScroll: true });
  return list !== null;
}
