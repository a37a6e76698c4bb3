// Short notes at the edge of the page. One with an action waits longer; errors are read out at once.
import { Toast, toaster } from '@kobalte/core/toast';
import { Portal } from 'solid-js/web';
import { Show } from 'solid-js';
import { Button } from './button.jsx';
import styles from './toasts.module.css';

const SHOWN_MS = 5_000;

export interface Note {
  /** A function where it changes while it is shown. */
  readonly text: string | (() => string);
  /** @default 'info' */
  readonly look?: 'info' | 'good' | 'bad';
  /** There to be taken as long as the note is, and no longer, wherever the mouse is. */
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Infinity: until it is taken away. */
  readonly durationMs?: number;
}

/** Actions that can be taken now, the newest last. */
const offers = new Set<() => void>();
let last: { readonly said: string; readonly takeAway: () => void } | null = null;

/** Returns how to take it away. What says the same as the last one takes its place. */
export function showNote({ text, look = 'info', action, durationMs = SHOWN_MS }: Note): () => void {
  const shown = typeof text === 'string' ? () => text : text;
  const said = `${look} ${shown()}`;
  if (!action && last?.said === said) last.takeAway();
  const accept = () => {
    withdraw();
    action?.run();
  };
  const id = toaster.show((props) => (
    <Toast
      toastId={props.toastId}
      class={`${styles['toast']} ${styles[look]}`}
      duration={durationMs}
      persistent={durationMs === Infinity}
      priority={look === 'bad' ? 'high' : 'low'}
    >
      <Toast.Description class={styles['text']}>{shown()}</Toast.Description>
      <Show when={action}>
        {(given) => (
          <Button look="quiet" onClick={accept}>
            {given().label}
          </Button>
        )}
      </Show>
      <Toast.CloseButton class={styles['close']}>×</Toast.CloseButton>
    </Toast>
  ));
  const takeAway = () => void toaster.dismiss(id);
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
  return (
    <Portal>
      <Toast.Region limit={4}>
        <Toast.List class={styles['list']} />
      </Toast.Region>
    </Portal>
  );
}
