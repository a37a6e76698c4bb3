// Short notes at the edge of the page. One with an action waits longer; errors are read out at once. What shows them
// (toast-view.tsx) comes with the first, or before.
import { createSignal, Show } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import type * as ToastViewModule from './toast-view.jsx';

const SHOWN_MS = 5_000;

export interface Note {
  /** A function where it changes while it is shown. */
  readonly text: string | (() => string);
  /** @default 'info' */
  readonly look?: 'info' | 'good' | 'bad';
  /** There to be taken as long as the note is, and no longer, wherever the mouse is. */
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Leads to what the note is about. */
  readonly link?: { readonly label: string; readonly run: () => void };
  /** Infinity: until it is taken away. */
  readonly durationMs?: number;
}

export interface ShownNote extends Required<Omit<Note, 'text' | 'action' | 'link'>> {
  readonly text: () => string;
  readonly action: Note['action'];
  readonly link: Note['link'];
}

type View = typeof ToastViewModule;

/** Actions that can be taken now, the newest last. */
const offers = new Set<() => void>();
let last: { readonly said: string; readonly takeAway: () => void } | null = null;
const [view, setView] = createSignal<View>();

export async function loadToasts(): Promise<View> {
  const loaded = view() ?? (await import('./toast-view.jsx'));
  setView(() => loaded);
  return loaded;
}

/** Returns how to take it away. What says the same as the last one takes its place. */
export function showNote({ text, look = 'info', action, link, durationMs = SHOWN_MS }: Note): () => void {
  const shown = typeof text === 'string' ? () => text : text;
  const said = `${look} ${shown()}`;
  if (!action && last?.said === said) last.takeAway();
  const accept = () => {
    withdraw();
    action?.run();
  };
  let isGone = false;
  let dismiss = (): void => undefined;
  const takeAway = () => {
    isGone = true;
    dismiss();
  };
  const showNow = ({ showToast }: View) => {
    if (isGone) return;
    const taken = action && { label: action.label, run: accept };
    dismiss = showToast({ text: shown, look, action: taken, link, durationMs });
  };
  // Without the server there is nothing to show it with; the page says by itself that it has gone.
  void loadToasts().then(showNow, () => undefined);
  const withdraw = () => {
    clearTimeout(timer);
    offers.delete(accept);
    takeAway();
  };
  const timer = action && setTimeout(withdraw, durationMs);
  if (action) offers.add(accept);
  last = { said, takeAway };
  return takeAway;
}

/** The newest action that is offered, as by its button. */
export function takeOffer(): void {
  [...offers].at(-1)?.();
}

export function ToastRegion() {
  return <Show when={view()}>{(loaded) => <Dynamic component={loaded().ToastView} />}</Show>;
}
