// One stop of the Tab key for many controls: the arrows go from one to the next, and Tab comes back to the last.
import { createSelector, createSignal, onCleanup, type JSX } from 'solid-js';

export interface Roving {
  /** Returns the `tabindex` of a control, which carries its name as `data-stop`. */
  readonly tabIndex: (name: string) => 0 | -1;
  /** For the component of a control: the stop goes back to the first when it goes. */
  readonly endWith: (name: string) => void;
  /** Gives the stop to the first, when the one that had it may not be seen any more. */
  readonly reset: () => void;
  readonly onKeyDown: JSX.EventHandler<HTMLElement, KeyboardEvent>;
  readonly onFocusIn: JSX.EventHandler<HTMLElement, FocusEvent>;
}

/** `first`: a control that is always there. */
export function createRoving(first: string): Roving {
  const [at, setAt] = createSignal(first);
  const isAt = createSelector(at);
  return {
    tabIndex: (name) => (isAt(name) ? 0 : -1),
    endWith: (name) => onCleanup(() => at() === name && setAt(first)),
    reset: () => void setAt(first),
    onKeyDown(event) {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-stop]')].filter(
        ({ offsetParent }) => offsetParent !== null,
      );
      const from = stops.findIndex((stop) => stop === event.target);
      const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: stops.length - 1 }[event.key];
      if (from === -1 || to === undefined) return;
      event.preventDefault();
      stops[to]?.focus();
    },
    onFocusIn({ target }) {
      const name = target instanceof HTMLElement ? target.dataset['stop'] : undefined;
      if (name !== undefined) setAt(name);
    },
  };
}
