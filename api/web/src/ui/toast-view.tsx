// What shows the notes of toasts.tsx.
import { Toast, toaster } from '@kobalte/core/toast';
import { Show } from 'solid-js';
import { Portal } from 'solid-js/web';
import { Button } from './button.jsx';
import type { ShownNote } from './toasts.jsx';
import styles from './toasts.module.css';

/** Returns how to take it away. */
export function showToast({ text, look, action, link, durationMs }: ShownNote): () => void {
  const id: number = toaster.show((props) => (
    <Toast
      as="div"
      toastId={props.toastId}
      class={`${styles['toast']} ${styles[look]}`}
      duration={durationMs}
      persistent={durationMs === Infinity}
      priority={look === 'bad' ? 'high' : 'low'}
    >
      <Toast.Description class={styles['text']}>{text()}</Toast.Description>
      <Show when={action}>
        {(given) => (
          <Button look="quiet" onClick={() => given().run()}>
            {given().label}
          </Button>
        )}
      </Show>
      <Show when={link}>
        {(given) => (
          <Button
            look="quiet"
            onClick={() => {
              const { run } = given();
              toaster.dismiss(id);
              run();
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

export function ToastView() {
  return (
    <Portal>
      <Toast.Region limit={4}>
        <Toast.List as="div" class={styles['list']} />
      </Toast.Region>
    </Portal>
  );
}
