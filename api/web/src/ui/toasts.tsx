// Short notes at the edge of the page. One with an action waits longer; errors are read out at once.
import { Toast, toaster } from '@kobalte/core/toast';
import { Portal } from 'solid-js/web';
import { Show } from 'solid-js';
import { Button } from './button.jsx';
import styles from './toasts.module.css';

const SHOWN_MS = 5_000;

export interface Note {
  readonly text: string;
  /** @default 'info' */
  readonly look?: 'info' | 'good' | 'bad';
  readonly action?: { readonly label: string; readonly run: () => void };
  readonly durationMs?: number;
}

/** Returns how to take it away. */
export function showNote({ text, look = 'info', action, durationMs = SHOWN_MS }: Note): () => void {
  const id = toaster.show((props) => (
    <Toast
      toastId={props.toastId}
      class={`${styles['toast']} ${styles[look]}`}
      duration={durationMs}
      priority={look === 'bad' ? 'high' : 'low'}
    >
      <Toast.Description class={styles['text']}>{text}</Toast.Description>
      <Show when={action}>
        {(given) => (
          <Button
            look="quiet"
            onClick={() => {
              given().run();
              toaster.dismiss(props.toastId);
            }}
          >
            {given().label}
          </Button>
        )}
      </Show>
      <Toast.CloseButton class={styles['close']}>×</Toast.CloseButton>
    </Toast>
  ));
  return () => void toaster.dismiss(id);
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
