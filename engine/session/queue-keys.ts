// The keys by which the order of all torrents is stored: any ascending numbers, so that to move a torrent one row is
// written and not those of all that it passes. A key lies half-way between its neighbours'; where there is no number
// left between these (after some forty moves to the same place), a few around are spread anew. Positions, which are
// dense, are never stored. Pure.
import type { TorrentRow } from '../../storage/types.js';

/** Keys that are spread anew lie at least this far apart: room for a dozen moves and more between any two. */
const MIN_SPACING = 2 ** -12;

export interface NewKeys {
  /** Position of the first, counted with the torrent that moves. */
  readonly first: number;
  /** One behind another. */
  readonly keys: readonly number[];
}

/** The keys to write so that a torrent comes to stand at `at`. `keys`: of all others, ascending. */
export function keysToInsert(keys: readonly number[], at: number): NewKeys {
  const below = keys[at - 1];
  const above = keys[at];
  if (above === undefined) return { first: at, keys: [below === undefined ? 0 : below + 1] };
  if (below === undefined) return { first: at, keys: [above - 1] };
  const middle = below + (above - below) / 2;
  if (below < middle && middle < above) return { first: at, keys: [middle] };
  for (let radius = 1; ; radius *= 2) {
    const spread = spreadAround(keys, at, radius);
    if (spread) return spread;
  }
}

/** The two ends of the order, whose keys others may be given at the same time. */
export interface OrderEnds {
  nextKey(): number;
  firstKey(): number;
}

/**
 * The keys to write so that all stand in this order: those of members that moved, where there is room between the others'
 * keys; else of all of them.
 */
export function keysToReorder<Member extends { readonly key: number }>(
  order: readonly Member[],
  moved: ReadonlySet<Member>,
  ends: OrderEnds,
): Map<Member, number> {
  const keys = new Map<Member, number>();
  for (let at = 0; at < order.length;) {
    let end = at;
    while (end < order.length && moved.has(order[end]!)) end++;
    const run = order.slice(at, end);
    const between = keysBetween(order[at - 1]?.key, order[end]?.key, run, ends);
    if (!between) return new Map(order.map((member) => [member, ends.nextKey()]));
    run.forEach((member, i) => {
      if (member.key !== between[i]) keys.set(member, between[i]!);
    });
    at = end + 1;
  }
  return keys;
}

/** One for each of the run, ascending; null: there is no room. */
function keysBetween(
  below: number | undefined,
  above: number | undefined,
  run: readonly { readonly key: number }[],
  { nextKey, firstKey }: OrderEnds,
): readonly number[] | null {
  const own = run.map(({ key }) => key);
  const isInPlace = [...own, above ?? Infinity].every((key, i) => key > (own[i - 1] ?? below ?? -Infinity));
  if (isInPlace) return own;
  if (above === undefined) return own.map(nextKey);
  if (below === undefined) return own.map(firstKey).reverse();
  const spacing = (above - below) / (run.length + 1);
  return spacing < MIN_SPACING ? null : own.map((_, i) => below + spacing * (i + 1));
}

/** New keys for `radius` torrents on either side and the one between them; null when they are too close there too. */
function spreadAround(keys: readonly number[], at: number, radius: number): NewKeys | null {
  const first = Math.max(0, at - radius);
  // The last one stays: keys above it are given to torrents that are being added.
  const end = Math.min(keys.length - 1, at + radius);
  const count = end - first + 1;
  const above = keys[end]!;
  // Before the first there is all the room in the world.
  const below = keys[first - 1] ?? above - count - 1;
  const spacing = (above - below) / (count + 1);
  if (spacing < MIN_SPACING) return null;
  return { first, keys: Array.from({ length: count }, (_, i) => below + spacing * (i + 1)) };
}

/**
 * Stored torrents in their order, each with its key. Those without one (of before there were keys) come last, oldest
 * first, and get one; `isNew` says that it is to be stored.
 */
export function inQueueOrder(
  rows: Iterable<TorrentRow>,
): { readonly row: TorrentRow; readonly key: number; readonly isNew: boolean }[] {
  const sorted = [...rows].sort(
    (a, b) => keyOf(a) - keyOf(b) || a.addedAt - b.addedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
  let last = -Infinity;
  return sorted.map((row) => {
    const stored = row.queueKey;
    // Two of the same key are left by an end in the middle of a move.
    const isNew = stored === undefined || stored <= last;
    last = isNew ? (last === -Infinity ? 0 : last + 1) : stored;
    return { row, key: last, isNew };
  });
}

/** Finite, because infinities do not subtract. */
function keyOf({ queueKey = Number.MAX_VALUE }: TorrentRow): number {
  return queueKey;
}
