// Says on each page that the engine is away: what is shown is what it told last, and nothing can be changed.
import { Show } from 'solid-js';
import { recentTime } from '../../format/quantities.js';
import type { Live } from '../../state/live.js';
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import styles from './shell.module.css';

export function EngineBanner(props: { readonly live: Live }) {
  return (
    <div role="status">
      <Show when={props.live.stats().engine_away_since}>
        {(since) => (
          <div class={styles['banner']}>
            <Icon name="warning" />
            {t('app.engineAway', { time: recentTime(since(), Date.now()) })}
          </div>
        )}
      </Show>
    </div>
  );
}
