// A FeedMemory that keeps its promises in memory, for tests and simulations.
import type { TorrentId } from '../../shared-protocol/ids.js';
import { itemKeyOf } from '../../storage/feed-item-key.js';
import { RememberedFeeds } from '../../storage/remembered-feeds.js';
import type { FeedMemory, FeedPoll, SeenItem } from '../../storage/types.js';

export function createMemoryFeedMemory(): FeedMemory {
  return new MemoryFeedMemory();
}

class MemoryFeedMemory implements FeedMemory {
  readonly #feeds = new RememberedFeeds();

  poll(feedId: number): FeedPoll | undefined {
    return this.#feeds.poll(feedId);
  }

  async putPoll(feedId: number, poll: FeedPoll): Promise<void> {
    this.#feeds.of(feedId).poll = poll;
  }

  item(feedId: number, guid: string): SeenItem | undefined {
    return this.#feeds.item(feedId, guid);
  }

  async putItem(feedId: number, guid: string, item: SeenItem, isAdded = false): Promise<void> {
    const feed = this.#feeds.of(feedId);
    feed.put(itemKeyOf(guid), item);
    if (isAdded) feed.added++;
  }

  hasTorrent(feedId: number, torrentId: TorrentId): boolean {
    return this.#feeds.hasTorrent(feedId, torrentId);
  }

  added(feedId: number): number {
    return this.#feeds.added(feedId);
  }

  async trim(feedId: number, limit: number, keep: Iterable<string>): Promise<void> {
    for (const key of this.#feeds.excess(feedId, limit, keep)) this.#feeds.of(feedId).remove(key);
  }

  async forget(feedId: number): Promise<void> {
    this.#feeds.forget(feedId);
  }

  feedIds(): number[] {
    return this.#feeds.feedIds();
  }

  async refresh(): Promise<void> {
    // Nobody else writes.
  }

  async close(): Promise<void> {
    // Nothing to let go of.
  }
}
