// What is remembered of feeds, in memory, by which reads of a store that is elsewhere are answered. Pure.
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { FeedPoll, SeenItem } from '../types.js';

export class RememberedFeed {
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
