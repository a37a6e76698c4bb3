// The columns of the list: what each shows of a torrent, how wide it begins, and by what it sorts.
import { Index, Show, type Accessor, type JSX } from 'solid-js';
import type { Torrent } from '../../live/messages.js';
import { date, inert, rate } from '../../format/quantities.js';
import { categoryOf } from '../../state/labels.js';
import type { SortKey } from '../../state/sort.js';
import { stateOf } from '../../state/torrent-state.js';
import { t, type TextKey } from '../../strings/index.js';
import { etaText, Progress, sizeText } from './parts.jsx';
import styles from './list.module.css';

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
  /** Called once for a row; what it returns follows the torrent. */
  readonly cell: (torrent: Accessor<Torrent>) => JSX.Element;
}

/** A cell of plain text. */
const text =
  (of: (torrent: Torrent) => string | number): Column['cell'] =>
  (torrent) => <>{of(torrent())}</>;

const isNumeric = true;
const isLong = true;
const isHiddenAtFirst = true;

export const COLUMNS: readonly Column[] = [
  { key: 'queue', title: 'list.queue', widthPx: 76, isNumeric, cell: text(({ queue_position }) => queue_position + 1) },
  {
    key: 'name',
    title: 'list.name',
    widthPx: 250,
    isFlexible: true,
    isLong,
    cell: (torrent) => <Name torrent={torrent()} />,
  },
  { key: 'size', title: 'list.size', widthPx: 100, isNumeric, cell: text(sizeText) },
  { key: 'progress', title: 'list.progress', widthPx: 130, cell: (torrent) => <Progress torrent={torrent()} /> },
  { key: 'state', title: 'list.state', widthPx: 156, cell: text((torrent) => t(`state.${stateOf(torrent)}`)) },
  { key: 'down', title: 'list.down', widthPx: 110, isNumeric, cell: text(({ download_rate }) => rate(download_rate)) },
  { key: 'up', title: 'list.up', widthPx: 110, isNumeric, cell: text(({ upload_rate }) => rate(upload_rate)) },
  { key: 'eta', title: 'list.eta', widthPx: 120, isNumeric, cell: text(etaText) },
  { key: 'seeds', title: 'list.seeds', widthPx: 70, isNumeric, cell: text(({ seeds }) => seeds) },
  { key: 'peers', title: 'list.peers', widthPx: 70, isNumeric, cell: text(({ peers }) => peers) },
  { key: 'category', title: 'list.category', widthPx: 120, cell: (torrent) => <Category torrent={torrent()} /> },
  { key: 'tags', title: 'list.tags', widthPx: 150, isLong, cell: (torrent) => <Tags torrent={torrent()} /> },
  { key: 'added', title: 'list.added', widthPx: 124, cell: text(({ added_at }) => date(added_at)) },
  {
    key: 'tracker',
    title: 'list.tracker',
    widthPx: 160,
    isLong,
    isHiddenAtFirst,
    cell: text(({ trackerHosts }) => inert(trackerHosts.join(', '))),
  },
  {
    key: 'path',
    title: 'list.path',
    widthPx: 240,
    isLong,
    isHiddenAtFirst,
    cell: text(({ save_path }) => inert(save_path)),
  },
];

export const HIDDEN_AT_FIRST = COLUMNS.filter((column) => column.isHiddenAtFirst).map(({ key }) => key);

function Name(props: { readonly torrent: Torrent }) {
  const name = () => inert(props.torrent.name);
  return <span title={name()}>{name()}</span>;
}

function Category(props: { readonly torrent: Torrent }) {
  return (
    <Show when={categoryOf(props.torrent.category_id)}>
      {(category) => (
        <span class={styles['chip']} title={category().name}>
          <Dot color={category().color} />
          {category().name}
        </span>
      )}
    </Show>
  );
}

function Tags(props: { readonly torrent: Torrent }) {
  return (
    <span class={styles['chips']} title={props.torrent.tags.map(({ name }) => name).join(', ')}>
      <Index each={props.torrent.tags}>
        {(tag) => (
          <span class={styles['chip']} data-look="tag">
            <Dot color={tag().color} />
            {tag().name}
          </span>
        )}
      </Index>
    </span>
  );
}

/** Beside the text, not behind it: whatever the colour is, the text stays readable. */
function Dot(props: { readonly color: string }) {
  return (
    <Show when={props.color}>
      <span class={styles['dot']} style={{ background: props.color }} />
    </Show>
  );
}
