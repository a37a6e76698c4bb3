// The columns by which the list can be sorted, and how. Equal ones are in the order of their ids, so that rows with the
// same value do not change places with each tick; those that have nothing in the column come last, whichever way round.
import type { Torrent } from '../live/messages.js';
import { COLLATOR } from './collator.js';
import { activeS, etaS, remainingBytes, seedingS } from './derived.js';
import { infoHashOf } from './row-id.js';
import { serverName } from './servers.js';
import { messageOf, stateOf, type TorrentState } from './torrent-state.js';

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
  | 'ratio'
  | 'uploaded'
  | 'downloaded'
  | 'remaining'
  | 'availability'
  | 'completedOn'
  | 'seedingTime'
  | 'activeTime'
  | 'downLimit'
  | 'upLimit'
  | 'infoHash'
  | 'access'
  | 'lastActivity'
  | 'private'
  | 'message'
  | 'category'
  | 'tags'
  | 'tracker'
  | 'path'
  | 'server';

export interface Sort {
  readonly key: SortKey;
  readonly descending: boolean;
}

/** The value that a torrent is sorted by; null: it has nothing in the column. */
export type SortValue = number | string | null;

/** The order of the list: values are worked out once for each change of a torrent, and compared often. */
export interface Order {
  readonly value: (torrent: Torrent) => SortValue;
  /** 0: a torrent that has changed from one to the other does not move. */
  readonly compare: (a: SortValue, b: SortValue) => number;
}

const STATE_ORDER: Readonly<Record<TorrentState, number>> = {
  missing: 0,
  error: 1,
  downloading: 2,
  stalled: 3,
  metadata: 4,
  verifying: 5,
  moving: 6,
  queued: 7,
  seeding: 8,
  paused: 9,
  finished: 10,
};

const ACCESS_ORDER: Readonly<Record<Torrent['access'], number>> = { owner: 0, editor: 1, viewer: 2 };

/** By these, torrents change their places with each tick. */
const CHANGING: ReadonlySet<SortKey> = new Set<SortKey>([
  'progress',
  'down',
  'up',
  'eta',
  'peers',
  'seeds',
  'ratio',
  'uploaded',
  'downloaded',
  'remaining',
  'availability',
  'lastActivity',
]);

export function isChanging({ key }: Sort): boolean {
  return CHANGING.has(key);
}

/** By this, torrents change their places while nothing is told of them. */
export function isGoingOn({ key }: Sort): boolean {
  return key === 'seedingTime' || key === 'activeTime';
}

/** Columns in which one looks for the most, the fastest, the newest. */
const FROM_THE_TOP: ReadonlySet<SortKey> = new Set<SortKey>([
  'size',
  'progress',
  'down',
  'up',
  'seeds',
  'peers',
  'added',
  'ratio',
  'uploaded',
  'downloaded',
  'remaining',
  'completedOn',
  'seedingTime',
  'activeTime',
  'downLimit',
  'upLimit',
  'lastActivity',
  'private',
]);

/** Returns the order in which a column is sorted at first. */
export function firstSort(key: SortKey): Sort {
  return { key, descending: FROM_THE_TOP.has(key) };
}

type TextSortKey = 'name' | 'infoHash' | 'category' | 'tags' | 'tracker' | 'path' | 'message' | 'server';

/** Finds the name of a category; null while it is not known. */
export type CategoryNames = (id: number | null) => string | null;

/** null: the column is blank. */
const TEXTS: Readonly<Record<TextSortKey, (torrent: Torrent, categoryName: CategoryNames) => string | null>> = {
  name: ({ name }) => name,
  infoHash: ({ id }) => infoHashOf(id),
  category: ({ category_id }, categoryName) => categoryName(category_id),
  tags: ({ tags }) => tags.map(({ name }) => name).join('\n') || null,
  tracker: ({ trackerHosts }) => trackerHosts[0] ?? null,
  path: ({ save_path }) => save_path || null,
  message: (torrent) => messageOf(torrent) || null,
  // This one comes before all others.
  server: ({ server_id: id }) => serverName(id) ?? '',
};

/** null: the column is blank. */
const NUMBERS: Readonly<Record<Exclude<SortKey, TextSortKey>, (torrent: Torrent, nowMs: number) => number | null>> = {
  queue: ({ queue_position }) => queue_position,
  state: (torrent) => STATE_ORDER[stateOf(torrent)],
  size: ({ total_bytes }) => total_bytes || null,
  progress: ({ progress }) => progress,
  down: ({ download_rate }) => download_rate || null,
  up: ({ upload_rate }) => upload_rate || null,
  eta: (torrent) => (torrent.completed || torrent.paused ? null : etaS(torrent)),
  // The connected ones, and where these are as many the swarm's, of which there are less than a million.
  peers: ({ peers, swarm_leechers }) => peers + Math.max(0, swarm_leechers) / 1e7,
  seeds: ({ seeds, swarm_seeds }) => seeds + Math.max(0, swarm_seeds) / 1e7,
  ratio: ({ ratio }) => ratio,
  uploaded: ({ total_up }) => total_up || null,
  downloaded: ({ total_down }) => total_down || null,
  remaining: (torrent) => remainingBytes(torrent) || null,
  availability: ({ availability }) => availability,
  completedOn: ({ completed_at }) => completed_at,
  seedingTime: (torrent, nowMs) => seedingS(torrent, nowMs) || null,
  activeTime: (torrent, nowMs) => activeS(torrent, nowMs) || null,
  downLimit: ({ rate_limits }) => rate_limits?.down_kbps || null,
  upLimit: ({ rate_limits }) => rate_limits?.up_kbps || null,
  access: ({ access }) => ACCESS_ORDER[access],
  lastActivity: ({ last_activity_at }) => last_activity_at || null,
  private: (torrent) => (torrent.private ? 1 : null),
  added: ({ added_at }) => added_at || null,
};

/** `categoryName`: asked only when it is sorted by the category. `nowMs`: spans that go on are compared as they are then. */
export function orderOf({ key, descending }: Sort, categoryName: CategoryNames, nowMs: number): Order {
  const sign = descending ? -1 : 1;
  if (isTextKey(key)) {
    const text = TEXTS[key];
    const compare = blankLast<string>((a, b) => sign * COLLATOR.compare(a, b));
    return { value: (torrent) => text(torrent, categoryName), compare };
  }
  const number = NUMBERS[key];
  // Both may be infinite, and their difference no number.
  const compare = blankLast<number>((a, b) => (a === b ? 0 : a < b ? -sign : sign));
  return { value: (torrent) => number(torrent, nowMs), compare };
}

function isTextKey(key: SortKey): key is TextSortKey {
  return key in TEXTS;
}

/** The values of an order are all of one type. */
function blankLast<Value extends SortValue>(compare: (a: Value, b: Value) => number): Order['compare'] {
  return (a, b) =>
    a === null || b === null ? Number(a === null) - Number(b === null) : compare(a as Value, b as Value);
}
