// Shows a field by its label, which may have to be loaded first; its control has the focus as soon as it can be changed.

/** Long enough for a page to be loaded; after that it was left, or the account is shown less. */
const GIVEN_UP_AFTER_MS = 10_000;
const NAMES = 'label, legend, h2, dt, button, a';

let stopLast = (): void => undefined;

export function reveal(root: HTMLElement, label: string): void {
  stopLast();
  let name: HTMLElement | undefined;
  const isDone = () => {
    name ??= [...root.querySelectorAll<HTMLElement>(NAMES)].find((each) => each.textContent?.trim() === label);
    if (!name) return false;
    const control = name instanceof HTMLLabelElement ? name.control : null;
    // Until what it says has come, and for good where a flag has decided it.
    const isLocked = control?.matches(':disabled') ?? false;
    if (isLocked || !control) focusName(name);
    else focusUnlessLeft(control, name);
    return !isLocked;
  };
  if (isDone()) return;
  const observer = new MutationObserver(() => isDone() && stop());
  const timer = setTimeout(() => stop(), GIVEN_UP_AFTER_MS);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  stopLast = stop;
  observer.observe(root, { childList: true, subtree: true, characterData: true, attributeFilter: ['disabled'] });
}

function focusName(name: HTMLElement): void {
  if (name.hasAttribute('tabindex')) return;
  if (!name.matches('button, a')) name.tabIndex = -1;
  name.scrollIntoView({ block: 'center' });
  name.focus({ preventScroll: true });
}

/** Focuses the control, unless the user has gone elsewhere meanwhile. */
function focusUnlessLeft(control: HTMLElement, name: HTMLElement): void {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && activeElement !== name && name.hasAttribute('tabindex'))
    return;
  control.scrollIntoView({ block: 'center' });
  control.focus({ preventScroll: true });
}
