// All records of a daemon as a value, between the places where they may be: files of a data directory, rows of PostgreSQL. What
// browsers have signed in with is none of them: sessions end with the place.
import { createHash } from 'node:crypto';
import type { StoredData } from '../collection-file.js';
import type { FeedPoll, SeenItem } from '../types.js';

export interface Records {
  /** By name, ascending. */
  readonly collections: readonly StoredCollection[];
  /** By id, ascending. */
  readonly feeds: readonly RememberedPolls[];
}

export interface StoredCollection extends StoredData {
  readonly name: string;
}

/** The memory of polling one feed. */
export interface RememberedPolls {
  readonly feedId: number;
  readonly poll: FeedPoll | null;
  /** How many items became torrents. */
  readonly added: number;
  /** By key (storage/feed-item-key.ts), ascending. */
  readonly items: readonly (readonly [key: string, item: SeenItem])[];
}

/** How many records there are of each kind. */
export type RecordCounts = Readonly<Record<string, number>>;

/** Sessions of browsers, which fronts of one database share. */
export const SESSIONS = 'sessions';

export function isSame(some: Records, others: Records): boolean {
  return digestOf(some) === digestOf(others);
}

/** Kinds are lists of a collection, or collections that have none; those of accounts count together. Pure. */
export function countsOf({ collections, feeds }: Records): RecordCounts {
  const counts: Record<string, number> = {};
  const count = (kind: string, by: number) => (counts[kind] = (counts[kind] ?? 0) + by);
  for (const { name, data } of collections) {
    const [folder = '', account] = name.split('/');
    const lists = account === undefined ? listsIn(data) : [];
    if (lists.length === 0) count(folder, 1);
    for (const [list, { length }] of lists) count(lists.length === 1 ? name : `${name}: ${list}`, length);
  }
  if (feeds.length > 0) {
    count(
      'items of feeds',
      feeds.reduce((sum, { items }) => sum + items.length, 0),
    );
  }
  return counts;
}

function listsIn(data: unknown): [string, unknown[]][] {
  return Object.entries(data ?? {}).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
}

function digestOf({ collections, feeds }: Records): string {
  const hash = createHash('sha256');
  for (const { name, version, data } of collections) hash.update(`${JSON.stringify([name, version, data])}\n`);
  for (const { feedId, poll, added, items } of feeds) hash.update(`${JSON.stringify([feedId, poll, added, items])}\n`);
  return hash.digest('hex');
}
