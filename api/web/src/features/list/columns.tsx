// The columns of the list: what each shows of a torrent, how wide it begins, and by what it sorts.
import { createRenderEffect, Show, type Accessor, type JSX } from 'solid-js';
import type { Torrent } from '../../live/messages.js';
import {
  availability,
  bytes,
  count,
  dateTime,
  duration,
  inert,
  rate,
  ratio,
  recentTime,
  shortDuration,
} from '../../format/quantities.js';
import { activeS, remainingBytes, seedingS } from '../../state/derived.js';
import { categoryOf } from '../../state/labels.js';
import { infoHashOf } from '../../state/row-id.js';
import { seenServers } from '../../state/servers.js';
import type { SortKey } from '../../state/sort.js';
import { messageOf } from '../../state/torrent-state.js';
import { t, type TextKey } from '../../strings/index.js';
import {
  awayText,
  Dot,
  etaText,
  Progress,
  rateText,
  serverText,
  sizeText,
  State,
  stateText,
  UnnamedMark,
} from './parts.jsx';
import { Tags } from './tags-cell.jsx';
import styles from './list.module.css';
import { serverNowMs } from '../../net/server-clock.js';

export interface Column {
  readonly key: SortKey;
  readonly title: TextKey;
  readonly widthPx: number;
  /** Has what the others leave of a wide list, until the user sets its width. */
  readonly isFlexible?: boolean;
  readonly isNumeric?: boolean;
  /** May be wider than the column at its first width. */
  readonly isLong?: boolean;
  readonly isHiddenAtFirst?: boolean;
  /** Says whether there is anything to show in it at all. @default there is */
  readonly isThere?: () => boolean;
  /** The text that it shows; of columns that show more there is none. */
  readonly text?: (torrent: Torrent) => string;
  /** The content of another one. Called once for a row; what it returns follows the torrent and the width of the column. */
  readonly cell?: (torrent: Accessor<Torrent>, widthPx: Accessor<number>) => JSX.Element;
  /** The text in full, where the cell has no room for it. */
  readonly hint?: (torrent: Torrent) => string;
}

const KIB = 1024;
const isNumeric = true;
const isLong = true;
const isHiddenAtFirst = true;

function moment(key: 'added' | 'completedOn' | 'lastActivity', unixS: (torrent: Torrent) => number): Column {
  return {
    key,
    title: `list.${key}`,
    widthPx: 112,
    text: (torrent) => recentTime(unixS(torrent), serverNowMs()),
    hint: (torrent) => dateTime(unixS(torrent)),
  };
}

function hiddenNumber(
  key:
    'uploaded' | 'downloaded' | 'remaining' | 'availability' | 'seedingTime' | 'activeTime' | 'downLimit' | 'upLimit',
  of: (torrent: Torrent) => string,
): Column {
  return { key, title: `list.${key}`, widthPx: 92, isNumeric, isHiddenAtFirst, text: of };
}

export const COLUMNS: readonly Column[] = [
  {
    key: 'queue',
    title: 'list.queue',
    widthPx: 56,
    isNumeric,
    isHiddenAtFirst,
    text: ({ queue_position, completed }) => (completed ? '' : String(queue_position + 1)),
  },
  {
    key: 'name',
    title: 'list.name',
    widthPx: 280,
    isFlexible: true,
    isLong,
    cell: (torrent) => <Name torrent={torrent()} />,
    hint: ({ name }) => inert(name),
  },
  {
    key: 'server',
    title: 'list.server',
    widthPx: 104,
    isLong,
    isHiddenAtFirst,
    isThere: () => seenServers().length > 0,
    text: serverText,
    hint: (torrent) => awayText(torrent) ?? serverText(torrent),
  },
  { key: 'size', title: 'list.size', widthPx: 80, isNumeric, text: sizeText },
  { key: 'progress', title: 'list.progress', widthPx: 92, cell: (torrent) => <Progress torrent={torrent()} /> },
  {
    key: 'state',
    title: 'list.state',
    widthPx: 142,
    cell: (torrent) => <State torrent={torrent()} />,
    hint: (torrent) => awayText(torrent) ?? (inert(messageOf(torrent)) || stateText(torrent)),
  },
  {
    key: 'down',
    title: 'list.down',
    widthPx: 88,
    isNumeric,
    text: (torrent) => rateText(torrent, 'download_rate'),
  },
  { key: 'up', title: 'list.up', widthPx: 88, isNumeric, text: (torrent) => rateText(torrent, 'upload_rate') },
  {
    key: 'eta',
    title: 'list.eta',
    widthPx: 70,
    isNumeric,
    text: (torrent) => etaText(torrent),
    hint: (torrent) => etaText(torrent, duration),
  },
  { key: 'ratio', title: 'list.ratio', widthPx: 68, isNumeric, text: (torrent) => ratio(torrent.ratio) },
  {
    key: 'seeds',
    title: 'list.seeds',
    widthPx: 72,
    isNumeric,
    text: ({ seeds, swarm_seeds }) => ofSwarm(seeds, swarm_seeds),
  },
  {
    key: 'peers',
    title: 'list.peers',
    widthPx: 72,
    isNumeric,
    text: ({ peers, seeds, swarm_leechers }) => ofSwarm(peers - seeds, swarm_leechers),
  },
  {
    key: 'category',
    title: 'list.category',
    widthPx: 100,
    isHiddenAtFirst,
    cell: (torrent) => <Category torrent={torrent()} />,
  },
  moment('added', ({ added_at }) => added_at),
  {
    key: 'tags',
    title: 'list.tags',
    widthPx: 150,
    isLong,
    isHiddenAtFirst,
    cell: (torrent, widthPx) => <Tags torrent={torrent()} widthPx={widthPx} />,
    hint: ({ tags }) => tags.map(({ name }) => inert(name)).join(', '),
  },
  hiddenNumber('uploaded', ({ total_up }) => amount(total_up)),
  hiddenNumber('downloaded', ({ total_down }) => amount(total_down)),
  hiddenNumber('remaining', (torrent) => amount(remainingBytes(torrent))),
  hiddenNumber('availability', (torrent) => (torrent.availability === null ? '' : availability(torrent.availability))),
  hiddenNumber('seedingTime', (torrent) => span(seedingS(torrent, serverNowMs()))),
  hiddenNumber('activeTime', (torrent) => span(activeS(torrent, serverNowMs()))),
  hiddenNumber('downLimit', ({ rate_limits }) => rate((rate_limits?.down_kbps ?? 0) * KIB)),
  hiddenNumber('upLimit', ({ rate_limits }) => rate((rate_limits?.up_kbps ?? 0) * KIB)),
  { ...moment('completedOn', ({ completed_at }) => completed_at ?? 0), isHiddenAtFirst },
  { ...moment('lastActivity', ({ last_activity_at }) => last_activity_at), isHiddenAtFirst },
  {
    key: 'private',
    title: 'list.private',
    widthPx: 74,
    isHiddenAtFirst,
    text: (torrent) => (torrent.private ? t('list.isPrivate') : ''),
  },
  {
    key: 'message',
    title: 'list.message',
    widthPx: 260,
    isLong,
    isHiddenAtFirst,
    text: (torrent) => inert(messageOf(torrent)),
  },
  {
    key: 'tracker',
    title: 'list.tracker',
    widthPx: 160,
    isLong,
    isHiddenAtFirst,
    text: ({ trackerHosts }) => inert(trackerHosts.join(', ')),
  },
  {
    key: 'path',
    title: 'list.path',
    widthPx: 240,
    isLong,
    isHiddenAtFirst,
    text: ({ save_path }) => inert(save_path),
  },
  {
    key: 'infoHash',
    title: 'list.infoHash',
    widthPx: 160,
    isLong,
    isHiddenAtFirst,
    text: ({ id }) => infoHashOf(id),
  },
  {
    key: 'access',
    title: 'list.access.title',
    widthPx: 84,
    isHiddenAtFirst,
    text: ({ access }) => t(`list.access.${access}`),
  },
];

/** Columns that have something to show for this account. */
export function columnsThere(): readonly Column[] {
  return COLUMNS.filter(({ isThere }) => isThere?.() ?? true);
}

export const HIDDEN_AT_FIRST = COLUMNS.filter((column) => column.isHiddenAtFirst).map(({ key }) => key);

/** Connected ones, and those that a tracker knows of. */
function ofSwarm(connected: number, known: number): string {
  return known < 0 ? count(connected) : `${count(connected)} (${count(known)})`;
}

function amount(size: number): string {
  return size === 0 ? '' : bytes(size);
}

function span(seconds: number): string {
  return seconds === 0 ? '' : shortDuration(seconds);
}

/** The name, as one text that is written over: as one of several children it would be taken out and put in anew each time. */
function Name(props: { readonly torrent: Torrent }) {
  const name = document.createTextNode('');
  createRenderEffect((shown: string) => {
    if (props.torrent.name !== shown) name.data = inert(props.torrent.name);
    return props.torrent.name;
  }, '');
  return (
    <>
      <UnnamedMark torrent={props.torrent} />
      {name}
      <Show when={props.torrent.server_id !== undefined}>
        <span class={styles['server']}>{serverText(props.torrent)}</span>
      </Show>
    </>
  );
}

function Category(props: { readonly torrent: Torrent }) {
  return (
    <Show when={categoryOf(props.torrent.category_id)}>
      {(category) => (
        <span class={styles['chip']}>
          <Dot color={category().color} />
          {category().name}
        </span>
      )}
    </Show>
  );
}
