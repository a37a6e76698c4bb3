// The columns by which the list can be sorted, and how. Equal ones are in the order of their ids, so that rows with the
// same value do not change places with each tick.
import type { Torrent } from '../live/messages.js';
import { etaS } from './derived.js';
import { stateOf, type TorrentState } from './torrent-state.js';

export type SortKey =
  | 'queue'
  | 'name'
  | 'state'
  | 'size'
  | 'progress'
  | 'down'
  | 'up'
  | 'eta'
  | 'peers'
  | 'seeds'
  | 'added'
  | 'category'
  | 'tags'
  | 'tracker'
  | 'path';

export interface Sort {
  readonly key: SortKey;
  readonly descending: boolean;
}

/** 0 only for two states of one torrent between which it does not move. */
export type Compare = (a: Torrent, b: Torrent) => number;

const COLLATOR = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const STATE_ORDER: Readonly<Record<TorrentState, number>> = {
  missing: 0,
  downloading: 1,
  stalled: 2,
  metadata: 3,
  verifying: 4,
  queued: 5,
  seeding: 6,
  paused: 7,
  finished: 8,
};

/** By these, torrents change their places with each tick. */
const CHANGING: ReadonlySet<SortKey> = new Set<SortKey>(['progress', 'down', 'up', 'eta', 'peers', 'seeds']);

export function isChanging({ key }: Sort): boolean {
  return CHANGING.has(key);
}

type TextSortKey = 'name' | 'tags' | 'tracker' | 'path';

/** Nothing comes last. */
const NOTHING = '\uffff';

const TEXTS: Readonly<Record<TextSortKey, (torrent: Torrent) => string>> = {
  name: ({ name }) => name,
  tags: ({ tags }) => tags.map(({ name }) => name).join('\n') || NOTHING,
  tracker: ({ trackerHosts }) => trackerHosts[0] ?? NOTHING,
  path: ({ save_path }) => save_path,
};

const NUMBERS: Readonly<Record<Exclude<SortKey, TextSortKey>, (torrent: Torrent) => number>> = {
  queue: ({ queue_position }) => queue_position,
  state: (torrent) => STATE_ORDER[stateOf(torrent)],
  size: ({ total_bytes }) => total_bytes,
  progress: ({ progress }) => progress,
  down: ({ download_rate }) => download_rate,
  up: ({ upload_rate }) => upload_rate,
  eta: etaS,
  peers: ({ peers }) => peers,
  seeds: ({ seeds }) => seeds,
  added: ({ added_at }) => added_at,
  category: ({ category_id }) => category_id ?? Infinity,
};

export function comparator({ key, descending }: Sort): Compare {
  const sign = descending ? -1 : 1;
  const compare = isTextKey(key) ? byText(TEXTS[key]) : byNumber(NUMBERS[key]);
  return (a, b) => sign * compare(a, b) || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);
}

function isTextKey(key: SortKey): key is TextSortKey {
  return key in TEXTS;
}

function byText(value: (torrent: Torrent) => string): Compare {
  return (a, b) => COLLATOR.compare(value(a), value(b));
}

function byNumber(value: (torrent: Torrent) => number): Compare {
  // Both may be infinite, and their difference no number.
  return (a, b) => {
    const left = value(a);
    const right = value(b);
    return left === right ? 0 : left < right ? -1 : 1;
  };
}
