// The FeedMemory on LMDB: sub-databases polls, items, torrents and counts of an environment of its own, one row for each
// item, so that remembering one costs one small commit however many there are. `overlappingSync` is off for the reason
// told in lmdb-torrent-store.ts; an environment that is past use is opened anew (lmdb-reopening.ts).
import type { TorrentId } from '../shared-protocol/ids.js';
import { itemKeyOf as keyOf } from './feed-item-key.js';
import { FeedTables, type ItemKey } from './lmdb-feed-tables.js';
import { ReopeningEnvironment } from './lmdb-reopening.js';
import type { FeedMemory, FeedPoll, SeenItem } from './types.js';

/** Creates what is not there yet. @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED` */
export function openFeedMemory(dir: string): FeedMemory {
  return new LmdbFeedMemory(new ReopeningEnvironment('feed memory', () => new FeedTables(dir)));
}

class LmdbFeedMemory implements FeedMemory {
  constructor(private readonly environment: ReopeningEnvironment<FeedTables>) {}

  get #tables(): FeedTables {
    return this.environment.tables;
  }

  poll(feedId: number): FeedPoll | undefined {
    return this.#tables.polls.get(feedId);
  }

  putPoll(feedId: number, poll: FeedPoll): Promise<void> {
    return this.#commit(() => this.#tables.polls.putSync(feedId, poll));
  }

  item(feedId: number, guid: string): SeenItem | undefined {
    return this.#tables.items.get([feedId, keyOf(guid)]);
  }

  putItem(feedId: number, guid: string, item: SeenItem, isAdded = false): Promise<void> {
    const key = keyOf(guid);
    return this.#commit(() => {
      this.#tables.put([feedId, key], item);
      if (isAdded) this.#tables.counts.putSync(feedId, this.added(feedId) + 1);
    });
  }

  hasTorrent(feedId: number, torrentId: TorrentId): boolean {
    // Behind every key of an item, which is hexadecimal.
    const range = { start: [feedId, torrentId], end: [feedId, torrentId, 'z'], limit: 1 };
    for (const _key of this.#tables.torrents.getKeys(range)) return true;
    return false;
  }

  added(feedId: number): number {
    return this.#tables.counts.get(feedId) ?? 0;
  }

  async trim(feedId: number, limit: number, keep: Iterable<string>): Promise<void> {
    const excess = this.#tables.items.getKeysCount(rangeOf(feedId)) - limit;
    if (excess <= 0) return;
    const kept = new Set(Array.from(keep, keyOf));
    const rest = Array.from(this.#tables.items.getRange(rangeOf(feedId)), ({ key, value }) => ({ key, at: value.at }));
    const oldest = rest.filter(({ key }) => !kept.has(key[1])).sort((a, b) => a.at - b.at);
    await this.#commit(() => {
      for (const { key } of oldest.slice(0, excess)) this.#tables.remove(key);
    });
  }

  forget(feedId: number): Promise<void> {
    return this.#commit(() => {
      for (const key of Array.from(this.#tables.items.getKeys(rangeOf(feedId)))) this.#tables.remove(key);
      this.#tables.polls.removeSync(feedId);
      this.#tables.counts.removeSync(feedId);
    });
  }

  feedIds(): number[] {
    const ids = new Set([...this.#tables.polls.getKeys(), ...this.#tables.counts.getKeys()]);
    // One step for each feed, not for each of its items.
    for (let next = this.#nextFeedWithItems(0); next !== null; next = this.#nextFeedWithItems(next)) ids.add(next);
    return [...ids].sort((a, b) => a - b);
  }

  async refresh(): Promise<void> {
    // Nobody else writes.
  }

  async close(): Promise<void> {
    await this.environment.close();
  }

  #nextFeedWithItems(after: number): number | null {
    for (const [feedId] of this.#tables.items.getKeys({ start: rangeOf(after).end, limit: 1 })) return feedId;
    return null;
  }

  #commit(change: () => void): Promise<void> {
    return this.environment.commit('feed memory', change);
  }
}

/** All keys of items are between; a new object each time, for LMDB writes into it. */
function rangeOf(feedId: number): { start: ItemKey; end: ItemKey } {
  return { start: [feedId, ''], end: [feedId + 1, ''] };
}
