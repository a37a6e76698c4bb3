// What rows and cards show alike of a torrent.
import { createMemo, Show } from 'solid-js';
import type { Torrent } from '../../live/messages.js';
import { bytes, inert, narrowDuration, percent, rate, recentTime, wholePercent } from '../../format/quantities.js';
import { etaS } from '../../state/derived.js';
import { infoHashOf } from '../../state/row-id.js';
import { awayServerOf, isAway, serverName } from '../../state/servers.js';
import { problemOf, stateOf, type TorrentState } from '../../state/torrent-state.js';
import { t } from '../../strings/index.js';
import { Icon, type IconName } from '../../ui/icons.jsx';
import styles from './list.module.css';
import { serverNowMs } from '../../net/server-clock.js';

/** '' while it is not known. */
export function sizeText({ total_bytes }: Torrent): string {
  return total_bytes === 0 ? '' : bytes(total_bytes);
}

/** '' where there is none. `write`: other than where there is hardly room. */
export function etaText(torrent: Torrent, write = narrowDuration): string {
  if (isAway(torrent)) return '';
  return torrent.completed || torrent.paused || torrent.error ? '' : write(etaS(torrent));
}

/** '' where nothing moves, or nobody knows: what is shown of a server or an engine that is away is how it was last. */
export function rateText(torrent: Torrent, way: 'download_rate' | 'upload_rate'): string {
  return isAway(torrent) ? '' : rate(torrent[way]);
}

/** `isShort`: where there is little room. */
export function stateText(torrent: Torrent, isShort = false): string {
  if (awayServerOf(torrent)) return t('state.away');
  if (torrent.engine_away) return t('state.engineAway');
  return isShort && stateOf(torrent) === 'metadata' ? t('state.metadataShort') : lastStateText(torrent);
}

/** Says of a torrent on a server that is away since when, and of one of an engine that is, what it did last; null: it is none. */
export function awayText(torrent: Torrent): string | null {
  const server = awayServerOf(torrent);
  if (!server) return torrent.engine_away ? t('list.engineAway', { state: lastStateText(torrent) }) : null;
  const values = { name: inert(server.name), time: recentTime(server.since, serverNowMs()) };
  return t('list.awaySince', { ...values, state: lastStateText(torrent) });
}

function lastStateText(torrent: Torrent): string {
  const state = stateOf(torrent);
  if (state === 'verifying') return t('state.verifyingAt', { done: wholePercent(torrent.checking_progress ?? 0) });
  return t(torrent.error?.code === 'DISK_FULL' ? 'state.diskFull' : `state.${state}`);
}

/** While it is checked, how far that is: what is there is being found out. */
export function progressShown(torrent: Torrent): number {
  const state = stateOf(torrent);
  if (state === 'verifying') return torrent.checking_progress ?? 0;
  // How much is there of files that are missing is known by a check only.
  return state === 'missing' ? 0 : torrent.progress;
}

export function progressText(torrent: Torrent): string {
  const shown = progressShown(torrent);
  return stateOf(torrent) === 'verifying' ? wholePercent(shown) : percent(shown);
}

/** The word for what it does, with an icon of its own, or a warning where people should look. */
export function State(props: { readonly torrent: Torrent }) {
  const problem = () => (isAway(props.torrent) ? null : problemOf(props.torrent));
  const icon = createMemo(() => iconOf(props.torrent));
  return (
    <span class={styles['state']} data-problem={problem()} data-icon={icon()}>
      <Icon name={icon()} size={14} />
      {stateText(props.torrent, true)}
      <Show when={problem()}>{(which) => <span class="visually-hidden">: {t(`problem.${which()}`)}</span>}</Show>
    </span>
  );
}

/** An arrow while payload moves, its head alone while it waits for some to. */
function iconOf(torrent: Torrent): IconName {
  if (isAway(torrent)) return 'clock';
  const state = stateOf(torrent);
  if (problemOf(torrent, state)) return 'warning';
  if (state === 'seeding') return torrent.upload_rate > 0 ? 'up' : 'idleUp';
  return STATE_ICONS[state];
}

const STATE_ICONS = {
  missing: 'warning',
  error: 'warning',
  verifying: 'search',
  moving: 'move',
  paused: 'pause',
  finished: 'done',
  queued: 'clock',
  metadata: 'magnet',
  downloading: 'down',
  stalled: 'idleDown',
} as const satisfies Record<Exclude<TorrentState, 'seeding'>, IconName>;

/** `isThin`: without the figure. */
export function Progress(props: { readonly torrent: Torrent; readonly isThin?: boolean }) {
  const state = () => stateOf(props.torrent);
  const shown = () => progressShown(props.torrent);
  return (
    <span
      class={styles['progress']}
      data-thin={props.isThin}
      data-state={state()}
      style={{ 'background-size': `${shown() * 100}% 100%` }}
    >
      {props.isThin ? '' : state() === 'missing' ? '–' : progressText(props.torrent)}
    </span>
  );
}

/** Beside the text, not behind it: whatever the colour is, the text stays readable. */
export function Dot(props: { readonly color: string }) {
  return (
    <Show when={props.color}>
      <span class={styles['dot']} style={{ background: props.color }} />
    </Show>
  );
}

/** The name of the server that it is on. */
export function serverText({ server_id: id }: Torrent): string {
  return inert(serverName(id) ?? t('filter.thisServer'));
}

/** A magnet link may bring no name, and the info hash stands for it until the metadata has come. */
export function UnnamedMark(props: { readonly torrent: Torrent }) {
  return (
    <Show when={props.torrent.name === infoHashOf(props.torrent.id)}>
      <span class={styles['unnamed']}>{t('list.unnamed')}</span>{' '}
    </Show>
  );
}
