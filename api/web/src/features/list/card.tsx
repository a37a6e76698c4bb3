// A torrent on a narrow screen: its name, how far it is, and what it does, on two lines.
import { Show } from 'solid-js';
import type { Torrent } from '../../live/messages.js';
import { inert, percent } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { etaText, Progress, rateText, serverText, sizeText, State, UnnamedMark } from './parts.jsx';
import styles from './list.module.css';

export function Card(props: { readonly torrent: Torrent }) {
  const size = () => sizeText(props.torrent);
  const amount = () => {
    if (props.torrent.completed) return size();
    const done = percent(props.torrent.progress);
    return size() ? t('list.doneOf', { done, size: size() }) : done;
  };
  const down = () => rateText(props.torrent, 'download_rate');
  const up = () => rateText(props.torrent, 'upload_rate');
  return (
    <>
      <span class={styles['cardLine']}>
        <span class={styles['cardName']}>
          <UnnamedMark torrent={props.torrent} />
          {inert(props.torrent.name)}
        </span>
        <span class={styles['cardState']}>
          <State torrent={props.torrent} />
        </span>
      </span>
      <Progress torrent={props.torrent} isThin />
      <span class={styles['cardLine']} data-small>
        <span class={styles['cardName']}>
          {amount()}
          <Show when={props.torrent.server_id !== undefined}>
            {amount() ? ' · ' : ''}
            {serverText(props.torrent)}
          </Show>
        </span>
        <Show when={down() || up()}>
          <span>
            {down() ? `↓ ${down()} ` : ''}
            {up() ? `↑ ${up()}` : ''}
          </span>
          <span>{etaText(props.torrent)}</span>
        </Show>
      </span>
    </>
  );
}
