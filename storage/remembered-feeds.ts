// What is remembered of feeds, in memory: the reads of a FeedMemory, wherever its writes go besides.
import type { TorrentId } from '../shared-protocol/ids.js';
import { itemKeyOf } from './feed-item-key.js';
import type { FeedMemory, FeedPoll, SeenItem } from './types.js';

class RememberedFeed {
  readonly #items = new Map<string, SeenItem>();
  /** Items that led to each torrent. */
  readonly #torrents = new Map<TorrentId, number>();

  constructor(
    public poll: FeedPoll | undefined = undefined,
    public added = 0,
  ) {}

  item(key: string): SeenItem | undefined {
    return this.#items.get(key);
  }

  put(key: string, item: SeenItem): void {
    this.remove(key);
    this.#items.set(key, item);
    this.#count(item, 1);
  }

  remove(key: string): void {
    const item = this.#items.get(key);
    if (!item) return;
    this.#items.delete(key);
    this.#count(item, -1);
  }

  hasTorrent(id: TorrentId): boolean {
    return this.#torrents.has(id);
  }

  /** Keys of the oldest items beyond a limit, but none of those that are kept. */
  excess(limit: number, kept: ReadonlySet<string>): string[] {
    const count = this.#items.size - limit;
    if (count <= 0) return [];
    const oldest = [...this.#items].filter(([key]) => !kept.has(key)).sort(([, a], [, b]) => a.at - b.at);
    return oldest.slice(0, count).map(([key]) => key);
  }

  #count(item: SeenItem, change: 1 | -1): void {
    if (item.kind !== 'done' || item.torrentId === null) return;
    const count = (this.#torrents.get(item.torrentId) ?? 0) + change;
    if (count > 0) this.#torrents.set(item.torrentId, count);
    else this.#torrents.delete(item.torrentId);
  }
}

export class RememberedFeeds implements Pick<FeedMemory, 'poll' | 'item' | 'hasTorrent' | 'added' | 'feedIds'> {
  readonly #feeds = new Map<number, RememberedFeed>();

  poll(feedId: number): FeedPoll | undefined {
    return this.#feeds.get(feedId)?.poll;
  }

  item(feedId: number, guid: string): SeenItem | undefined {
    return this.#feeds.get(feedId)?.item(itemKeyOf(guid));
  }

  hasTorrent(feedId: number, torrentId: TorrentId): boolean {
    return this.#feeds.get(feedId)?.hasTorrent(torrentId) ?? false;
  }

  added(feedId: number): number {
    return this.#feeds.get(feedId)?.added ?? 0;
  }

  feedIds(): number[] {
    return [...this.#feeds.keys()].sort((a, b) => a - b);
  }

  /** The feed, new where nothing is remembered of it yet. */
  of(feedId: number): RememberedFeed {
    const feed = this.#feeds.get(feedId) ?? new RememberedFeed();
    this.#feeds.set(feedId, feed);
    return feed;
  }

  /** Keys of the oldest items of a feed beyond a limit, but none of those with the guids that are kept. */
  excess(feedId: number, limit: number, keep: Iterable<string>): string[] {
    return this.#feeds.get(feedId)?.excess(limit, new Set(Array.from(keep, itemKeyOf))) ?? [];
  }

  forget(feedId: number): void {
    this.#feeds.delete(feedId);
  }
}
