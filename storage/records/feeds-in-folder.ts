// The memory of feeds as an LMDB environment, all of it at once.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FeedTables } from '../lmdb-feed-tables.js';
import type { FeedPoll, SeenItem } from '../types.js';
import type { RememberedPolls } from './types.js';

/** Items that share a commit: what a commit writes is kept in memory until then. */
const AT_ONCE = 10_000;

/** Sorts what a store has of feeds. Pure. */
export function rememberedPolls(
  polls: Iterable<readonly [feedId: number, poll: FeedPoll]>,
  counts: Iterable<readonly [feedId: number, added: number]>,
  items: Iterable<readonly [feedId: number, key: string, item: SeenItem]>,
): RememberedPolls[] {
  const feeds = new Map<number, { poll: FeedPoll | null; added: number; items: [string, SeenItem][] }>();
  const of = (feedId: number) => {
    const feed = feeds.get(feedId) ?? { poll: null, added: 0, items: [] };
    feeds.set(feedId, feed);
    return feed;
  };
  for (const [feedId, poll] of polls) of(feedId).poll = poll;
  for (const [feedId, added] of counts) of(feedId).added = added;
  for (const [feedId, key, item] of items) of(feedId).items.push([key, item]);
  return [...feeds]
    .sort(([one], [other]) => one - other)
    .map(([feedId, feed]) => ({ feedId, ...feed, items: feed.items.sort(([a], [b]) => (a < b ? -1 : 1)) }));
}

/** @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED` */
export async function readFeeds(folder: string): Promise<RememberedPolls[]> {
  if (!existsSync(join(folder, 'data.mdb'))) return [];
  const tables = new FeedTables(folder);
  try {
    const { polls, counts, items } = tables;
    return rememberedPolls(
      Array.from(polls.getRange(), ({ key, value }) => [key, value]),
      Array.from(counts.getRange(), ({ key, value }) => [key, value]),
      Array.from(items.getRange(), ({ key, value }) => [...key, value]),
    );
  } finally {
    await tables.root.close();
  }
}

/** Into a folder without any. @throws AppError `STORAGE_FAILED` */
export async function writeFeeds(folder: string, feeds: readonly RememberedPolls[]): Promise<void> {
  const tables = new FeedTables(folder);
  try {
    for (const { feedId, poll, added, items } of feeds) {
      await tables.root.childTransaction(() => {
        if (poll) tables.polls.putSync(feedId, poll);
        if (added > 0) tables.counts.putSync(feedId, added);
      });
      for (let from = 0; from < items.length; from += AT_ONCE) {
        const some = items.slice(from, from + AT_ONCE);
        await tables.root.childTransaction(() => {
          for (const [key, item] of some) tables.put([feedId, key], item);
        });
      }
    }
  } finally {
    await tables.root.close();
  }
}
