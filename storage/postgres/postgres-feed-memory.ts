// The FeedMemory that several fronts share: rows of PostgreSQL, all of them in memory besides, as reads do not wait. One front at a
// time polls, and writes; the others see what it wrote when they ask for that.
import type { TorrentId } from '../../shared-protocol/ids.js';
import { itemKeyOf } from '../feed-item-key.js';
import { RememberedFeeds } from '../remembered-feeds.js';
import type { FeedMemory, FeedPoll, SeenItem } from '../types.js';
import type { Database } from './database.js';

/** @throws AppError `STORAGE_FAILED` */
export async function openPostgresFeedMemory(database: Database): Promise<FeedMemory> {
  const memory = new PostgresFeedMemory(database);
  await memory.refresh();
  return memory;
}

class PostgresFeedMemory implements FeedMemory {
  #feeds = new RememberedFeeds();

  constructor(private readonly database: Database) {}

  poll(feedId: number): FeedPoll | undefined {
    return this.#feeds.poll(feedId);
  }

  async putPoll(feedId: number, poll: FeedPoll): Promise<void> {
    await this.database.query(
      'INSERT INTO feed_polls (feed_id, poll) VALUES ($1, $2) ON CONFLICT (feed_id) DO UPDATE SET poll = excluded.poll',
      [feedId, JSON.stringify(poll)],
    );
    this.#feeds.of(feedId).poll = poll;
  }

  item(feedId: number, guid: string): SeenItem | undefined {
    return this.#feeds.item(feedId, guid);
  }

  async putItem(feedId: number, guid: string, item: SeenItem, isAdded = false): Promise<void> {
    const key = itemKeyOf(guid);
    await this.database.query(
      `WITH counted AS (
         INSERT INTO feed_counts AS counts (feed_id, added) SELECT $1, 1 WHERE $4
         ON CONFLICT (feed_id) DO UPDATE SET added = counts.added + 1)
       INSERT INTO feed_items (feed_id, key, item) VALUES ($1, $2, $3)
       ON CONFLICT (feed_id, key) DO UPDATE SET item = excluded.item`,
      [feedId, key, JSON.stringify(item), isAdded],
    );
    const feed = this.#feeds.of(feedId);
    feed.put(key, item);
    if (isAdded) feed.added++;
  }

  hasTorrent(feedId: number, torrentId: TorrentId): boolean {
    return this.#feeds.hasTorrent(feedId, torrentId);
  }

  added(feedId: number): number {
    return this.#feeds.added(feedId);
  }

  async trim(feedId: number, limit: number, keep: Iterable<string>): Promise<void> {
    const excess = this.#feeds.excess(feedId, limit, keep);
    if (excess.length === 0) return;
    await this.database.query('DELETE FROM feed_items WHERE feed_id = $1 AND key = ANY($2)', [feedId, excess]);
    for (const key of excess) this.#feeds.of(feedId).remove(key);
  }

  async forget(feedId: number): Promise<void> {
    await this.database.query(
      `WITH polls AS (DELETE FROM feed_polls WHERE feed_id = $1), counts AS (DELETE FROM feed_counts WHERE feed_id = $1)
       DELETE FROM feed_items WHERE feed_id = $1`,
      [feedId],
    );
    this.#feeds.forget(feedId);
  }

  feedIds(): number[] {
    return this.#feeds.feedIds();
  }

  async refresh(): Promise<void> {
    const { query } = this.database;
    const feeds = new RememberedFeeds();
    type Row = { readonly feed_id: number };
    for (const row of await query<Row & { readonly poll: FeedPoll }>('SELECT feed_id, poll FROM feed_polls')) {
      feeds.of(row.feed_id).poll = row.poll;
    }
    for (const row of await query<Row & { readonly added: number }>('SELECT feed_id, added::float8 FROM feed_counts')) {
      feeds.of(row.feed_id).added = row.added;
    }
    const items = await query<Row & { readonly key: string; readonly item: SeenItem }>(
      'SELECT feed_id, key, item FROM feed_items',
    );
    for (const { feed_id, key, item } of items) feeds.of(feed_id).put(key, item);
    this.#feeds = feeds;
  }

  /** The database is closed by who has opened it. */
  async close(): Promise<void> {}
}
