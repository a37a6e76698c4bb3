// Says when what is shown is not live.
import { createSignal, Match, onCleanup, Switch } from 'solid-js';
import type { LiveConnection } from '../../live/connection.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import styles from './shell.module.css';

const SECOND_MS = 1_000;

export function ConnectionBanner(props: { readonly connection: LiveConnection }) {
  const [nowMs, setNowMs] = createSignal(Date.now());
  const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS);
  onCleanup(() => clearInterval(timer));
  const lost = () => {
    const state = props.connection.state();
    return state.kind === 'lost' ? { seconds: Math.max(0, Math.ceil((state.retryAtMs - nowMs()) / SECOND_MS)) } : null;
  };
  return (
    <div role="status">
      <Switch>
        <Match when={lost()}>
          {(shown) => (
            <div class={styles['banner']}>
              {t('app.lost', shown())}
              <Button onClick={() => props.connection.reconnect()}>{t('app.retryNow')}</Button>
            </div>
          )}
        </Match>
      </Switch>
    </div>
  );
}
