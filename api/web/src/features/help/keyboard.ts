// Hears the keys of the page and does what the table of shortcuts says, as far as a component there offers to do it.
import { onCleanup, onMount } from 'solid-js';
import { isTyping } from './is-typing.js';
import { comboOf, outcomeOf, type ShortcutAction } from './shortcuts.js';

/** Between the keys of a pair. */
const PAIR_MS = 1_500;
/** Elements that have keys of their own while they are open. */
const TAKES_KEYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

export type Actions = { readonly [Action in ShortcutAction]?: () => void };

const offered = new Set<Actions>();

/** While the component is there. */
export function offerShortcuts(actions: Actions): void {
  offered.add(actions);
  onCleanup(() => offered.delete(actions));
}

/** For the one component that is there as long as the page is. */
export function listenToKeys(): void {
  let pending: string | null = null;
  let pendingUntilMs = 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || isTyping(event.target) || isTakenElsewhere(event.target)) return;
    const combo = comboOf(event);
    const begun = performance.now() < pendingUntilMs ? pending : null;
    const outcome = outcomeOf(begun, combo, isForList(event.target, combo));
    pending = outcome.kind === 'begun' ? outcome.pending : null;
    pendingUntilMs = performance.now() + PAIR_MS;
    if (outcome.kind !== 'action') return;
    const run = [...offered].map((actions) => actions[outcome.action]).find(Boolean);
    if (!run) return;
    event.preventDefault();
    run();
  };
  onMount(() => document.addEventListener('keydown', onKeyDown));
  onCleanup(() => document.removeEventListener('keydown', onKeyDown));
}

function isTakenElsewhere(target: EventTarget | null): boolean {
  if (target instanceof Element && target.closest(TAKES_KEYS)) return true;
  // A modal that has not been given the focus yet.
  return document.querySelector('[role="dialog"], [role="menu"]') !== null;
}

/** Bars have keys of their own, but for these. */
const BESIDE_LIST: ReadonlySet<string> = new Set(['Ctrl+a', 'Delete']);
const BARS = 'nav, header, [role="toolbar"]';

function isForList(target: EventTarget | null, combo: string): boolean {
  if (target === document.body) return true;
  if (!(target instanceof Element)) return false;
  return target.matches('[role="grid"]') || (BESIDE_LIST.has(combo) && target.closest(BARS) !== null);
}
