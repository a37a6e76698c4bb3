// Where the status bar is: at the bottom of a wide page, once the list is shown and nobody waits for anything; its place is
// kept free until then, so that nothing moves.
import { createSignal, Show } from 'solid-js';
import type { Live } from '../../state/live.js';
import { onDemand } from '../../ui/on-demand.jsx';
import styles from './shell.module.css';

export const StatusBar = onDemand(['status'], () => import('../status/status-bar.jsx'));

const [isLoaded, setIsLoaded] = createSignal(false);

export async function loadStatusBar(): Promise<void> {
  await StatusBar.preload();
  setIsLoaded(true);
}

export function StatusPlace(props: { readonly live: Live }) {
  return (
    <div class={styles['status']}>
      <Show when={isLoaded()}>
        <StatusBar live={props.live} look="bar" />
      </Show>
    </div>
  );
}
