// Says on each page that an engine is away: what is shown of its torrents is what it told last, and nothing can be changed.
import { Show } from 'solid-js';
import { createEngines } from '../../state/engines.js';
import type { Live } from '../../state/live.js';
import { Icon } from '../../ui/icons.jsx';
import { engineAwayText } from './engine-away-text.js';
import styles from './shell.module.css';
import { serverNowMs } from '../../net/server-clock.js';

export function EngineBanner(props: { readonly live: Live }) {
  return (
    <div role="status">
      <Show when={props.live.stats().engine_away_since}>{(since) => <Away since={since()} live={props.live} />}</Show>
    </div>
  );
}

function Away(props: { readonly since: number; readonly live: Live }) {
  const engines = createEngines(props.live);
  return (
    <div class={styles['banner']}>
      <Icon name="warning" />
      {engineAwayText(props.since, engines.all(), serverNowMs())}
    </div>
  );
}
