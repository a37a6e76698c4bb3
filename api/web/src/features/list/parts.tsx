// What rows and cards show alike of a torrent.
import type { Torrent } from '../../live/messages.js';
import { bytes, duration, percent } from '../../format/quantities.js';
import { etaS } from '../../state/derived.js';
import { stateOf } from '../../state/torrent-state.js';
import styles from './list.module.css';

/** '' while it is not known. */
export function sizeText({ total_bytes }: Torrent): string {
  return total_bytes === 0 ? '' : bytes(total_bytes);
}

export function etaText(torrent: Torrent): string {
  return torrent.completed || torrent.paused ? '' : duration(etaS(torrent));
}

/** `isThin`: without the figure. */
export function Progress(props: { readonly torrent: Torrent; readonly isThin?: boolean }) {
  return (
    <span
      class={styles['progress']}
      data-thin={props.isThin}
      data-state={stateOf(props.torrent)}
      style={{ 'background-size': `${props.torrent.progress * 100}% 100%` }}
    >
      {props.isThin ? '' : percent(props.torrent.progress)}
    </span>
  );
}
