// A FeedMemory that keeps its promises in memory, for tests and simulations.
import type { TorrentId } from '../shared-protocol/ids.js';
import type { FeedMemory, FeedPoll, SeenItem } from './types.js';

export function createMemoryFeedMemory(): FeedMemory {
  return new MemoryFeedMemory();
}

class MemoryFeedMemory implements FeedMemory {
  readonly #polls = new Map<number, FeedPoll>();
  readonly #items = new Map<number, Map<string, SeenItem>>();
  readonly #counts = new Map<number, number>();

  poll(feedId: number): FeedPoll | undefined {
    return this.#polls.get(feedId);
  }

  async putPoll(feedId: number, poll: FeedPoll): Promise<void> {
    this.#polls.set(feedId, poll);
  }

  item(feedId: number, guid: string): SeenItem | undefined {
    return this.#items.get(feedId)?.get(guid);
  }

  async putItem(feedId: number, guid: string, item: SeenItem, isAdded = false): Promise<void> {
    const items = this.#items.get(feedId) ?? new Map<string, SeenItem>();
    items.set(guid, item);
    this.#items.set(feedId, items);
    if (isAdded) this.#counts.set(feedId, this.added(feedId) + 1);
  }

  hasTorrent(feedId: number, torrentId: TorrentId): boolean {
    const items = [...(this.#items.get(feedId)?.values() ?? [])];
    return items.some((item) => item.kind === 'done' && item.torrentId === torrentId);
  }

  added(feedId: number): number {
    return this.#counts.get(feedId) ?? 0;
  }

  async trim(feedId: number, limit: number, keep: Iterable<string>): Promise<void> {
    const items = this.#items.get(feedId) ?? new Map<string, SeenItem>();
    const kept = new Set(keep);
    const oldest = [...items].filter(([guid]) => !kept.has(guid)).sort(([, a], [, b]) => a.at - b.at);
    for (const [guid] of oldest.slice(0, Math.max(0, items.size - limit))) items.delete(guid);
  }

  async forget(feedId: number): Promise<void> {
    for (const map of [this.#polls, this.#items, this.#counts]) map.delete(feedId);
  }

  feedIds(): number[] {
    const ids = new Set([...this.#polls.keys(), ...this.#items.keys(), ...this.#counts.keys()]);
    return [...ids].sort((a, b) => a - b);
  }

  async refresh(): Promise<void> {
    // Nobody else writes.
  }

  async close(): Promise<void> {
    // Nothing to let go of.
  }
}
