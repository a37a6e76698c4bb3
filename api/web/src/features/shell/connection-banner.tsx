// Says when what is shown is not live.
import { createSignal, onCleanup, Show } from 'solid-js';
import type { LiveConnection } from '../../live/connection.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import styles from './shell.module.css';

const SECOND_MS = 1_000;

export function ConnectionBanner(props: { readonly connection: LiveConnection }) {
  const [nowMs, setNowMs] = createSignal(Date.now());
  const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS);
  onCleanup(() => clearInterval(timer));
  const text = () => {
    const state = props.connection.state();
    switch (state.kind) {
      case 'lost':
        return t('app.lost', { seconds: Math.max(0, Math.ceil((state.retryAtMs - nowMs()) / SECOND_MS)) });
      case 'silent':
        return t('app.silent', { seconds: Math.max(0, Math.round((nowMs() - state.sinceMs) / SECOND_MS)) });
      case 'connecting':
        return state.isAgain ? t('app.again') : '';
      default:
        return '';
    }
  };
  return (
    <div role="status">
      <Show when={text()}>
        <div class={styles['banner']}>
          {text()}
          <Button onClick={() => props.connection.reconnect()}>{t('app.retryNow')}</Button>
        </div>
      </Show>
    </div>
  );
}
