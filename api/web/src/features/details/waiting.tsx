// Says that something is on its way, once that takes long enough to be noticed.
import { createSignal, onCleanup, Show } from 'solid-js';
import { t } from '../../strings/index.js';
import styles from './panel.module.css';

const NOTICED_MS = 300;

/** The same, until it is known why it does not come. */
export function NotYet(props: { readonly error: string | null }) {
  return (
    <Show when={props.error} fallback={<Waiting />}>
      <p class={styles['empty']} role="alert">
        {props.error}
      </p>
    </Show>
  );
}

export function Waiting() {
  const [isNoticed, setIsNoticed] = createSignal(false);
  const timer = setTimeout(() => setIsNoticed(true), NOTICED_MS);
  onCleanup(() => clearTimeout(timer));
  return (
    <Show when={isNoticed()}>
      <p class={styles['empty']} role="status">
        {t('details.loading')}
      </p>
    </Show>
  );
}
