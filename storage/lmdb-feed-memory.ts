// The FeedMemory on LMDB: sub-databases polls, items, torrents and counts of an environment of its own, one row for each
// item, so that remembering one costs one small commit however many there are. `overlappingSync` is off for the reason
// told in lmdb-torrent-store.ts. Owns: an item that is done and led to a torrent has its row in `torrents`.
import type { Database, RootDatabase } from 'lmdb';
import type { TorrentId } from '../shared-protocol/ids.js';
import { commitFailure } from './lmdb-commit.js';
import { itemKeyOf as keyOf } from './feed-item-key.js';
import { openEnvironment } from './lmdb-environment.js';
import type { FeedMemory, FeedPoll, SeenItem } from './types.js';

const KIND = { name: 'feed memory', version: 1, maxDbs: 8 };

type ItemKey = [feedId: number, item: string];
type TorrentKey = [feedId: number, torrentId: string, item: string];

/** Creates what is not there yet. @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED` */
export function openFeedMemory(dir: string): FeedMemory {
  return new LmdbFeedMemory(openEnvironment(dir, KIND));
}

class LmdbFeedMemory implements FeedMemory {
  readonly #polls: Database<FeedPoll, number>;
  readonly #items: Database<SeenItem, ItemKey>;
  readonly #torrents: Database<true, TorrentKey>;
  readonly #counts: Database<number, number>;

  constructor(private readonly root: RootDatabase) {
    this.#polls = root.openDB<FeedPoll, number>({ name: 'polls' });
    this.#items = root.openDB<SeenItem, ItemKey>({ name: 'items' });
    this.#torrents = root.openDB<true, TorrentKey>({ name: 'torrents' });
    this.#counts = root.openDB<number, number>({ name: 'counts' });
  }

  poll(feedId: number): FeedPoll | undefined {
    return this.#polls.get(feedId);
  }

  putPoll(feedId: number, poll: FeedPoll): Promise<void> {
    return this.#commit(() => this.#polls.putSync(feedId, poll));
  }

  item(feedId: number, guid: string): SeenItem | undefined {
    return this.#items.get([feedId, keyOf(guid)]);
  }

  putItem(feedId: number, guid: string, item: SeenItem, isAdded = false): Promise<void> {
    const key = keyOf(guid);
    return this.#commit(() => {
      this.#remove([feedId, key]);
      this.#items.putSync([feedId, key], item);
      if (item.kind === 'done' && item.torrentId !== null) this.#torrents.putSync([feedId, item.torrentId, key], true);
      if (isAdded) this.#counts.putSync(feedId, this.added(feedId) + 1);
    });
  }

  hasTorrent(feedId: number, torrentId: TorrentId): boolean {
    // Behind every key of an item, which is hexadecimal.
    const range = { start: [feedId, torrentId], end: [feedId, torrentId, 'z'], limit: 1 };
    for (const _key of this.#torrents.getKeys(range)) return true;
    return false;
  }

  added(feedId: number): number {
    return this.#counts.get(feedId) ?? 0;
  }

  async trim(feedId: number, limit: number, keep: Iterable<string>): Promise<void> {
    const excess = this.#items.getKeysCount(rangeOf(feedId)) - limit;
    if (excess <= 0) return;
    const kept = new Set(Array.from(keep, keyOf));
    const rest = Array.from(this.#items.getRange(rangeOf(feedId)), ({ key, value }) => ({ key, at: value.at }));
    const oldest = rest.filter(({ key }) => !kept.has(key[1])).sort((a, b) => a.at - b.at);
    await this.#commit(() => {
      for (const { key } of oldest.slice(0, excess)) this.#remove(key);
    });
  }

  forget(feedId: number): Promise<void> {
    return this.#commit(() => {
      for (const key of Array.from(this.#items.getKeys(rangeOf(feedId)))) this.#remove(key);
      this.#polls.removeSync(feedId);
      this.#counts.removeSync(feedId);
    });
  }

  feedIds(): number[] {
    const ids = new Set([...this.#polls.getKeys(), ...this.#counts.getKeys()]);
    // One step for each feed, not for each of its items.
    for (let next = this.#nextFeedWithItems(0); next !== null; next = this.#nextFeedWithItems(next)) ids.add(next);
    return [...ids].sort((a, b) => a - b);
  }

  async refresh(): Promise<void> {
    // Nobody else writes.
  }

  async close(): Promise<void> {
    await this.root.close();
  }

  #nextFeedWithItems(after: number): number | null {
    for (const [feedId] of this.#items.getKeys({ start: rangeOf(after).end, limit: 1 })) return feedId;
    return null;
  }

  /** With the row of its torrent; inside a transaction. */
  #remove([feedId, key]: ItemKey): void {
    const item = this.#items.get([feedId, key]);
    if (!item) return;
    this.#items.removeSync([feedId, key]);
    if (item.kind === 'done' && item.torrentId !== null) this.#torrents.removeSync([feedId, item.torrentId, key]);
  }

  async #commit(change: () => void): Promise<void> {
    try {
      await this.root.childTransaction(change);
    } catch (cause) {
      throw await commitFailure('feed memory', cause);
    }
  }
}

/** Guids may be longer than a key, and of anything. */
/** All keys of items are between; a new object each time, for LMDB writes into it. */
function rangeOf(feedId: number): { start: ItemKey; end: ItemKey } {
  return { start: [feedId, ''], end: [feedId + 1, ''] };
}
