// The sub-databases of the memory of feeds. Owns: an item that is done and led to a torrent has its row in `torrents`.
import type { Database, RootDatabase } from 'lmdb';
import { openEnvironment } from './lmdb-environment.js';
import type { FeedPoll, SeenItem } from './types.js';

const KIND = { name: 'feed memory', version: 1, maxDbs: 8 };

/** `item`: storage/feed-item-key.ts. */
export type ItemKey = [feedId: number, item: string];
type TorrentKey = [feedId: number, torrentId: string, item: string];

export class FeedTables {
  readonly root: RootDatabase;
  readonly polls: Database<FeedPoll, number>;
  readonly items: Database<SeenItem, ItemKey>;
  readonly torrents: Database<true, TorrentKey>;
  readonly counts: Database<number, number>;

  /** Creates what is not there yet. @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED` */
  constructor(dir: string) {
    this.root = openEnvironment(dir, KIND);
    this.polls = this.root.openDB<FeedPoll, number>({ name: 'polls' });
    this.items = this.root.openDB<SeenItem, ItemKey>({ name: 'items' });
    this.torrents = this.root.openDB<true, TorrentKey>({ name: 'torrents' });
    this.counts = this.root.openDB<number, number>({ name: 'counts' });
  }

  /** Inside a transaction. */
  put([feedId, key]: ItemKey, item: SeenItem): void {
    this.remove([feedId, key]);
    this.items.putSync([feedId, key], item);
    if (item.kind === 'done' && item.torrentId !== null) this.torrents.putSync([feedId, item.torrentId, key], true);
  }

  /** With the row of its torrent; inside a transaction. */
  remove([feedId, key]: ItemKey): void {
    const item = this.items.get([feedId, key]);
    if (!item) return;
    this.items.removeSync([feedId, key]);
    if (item.kind === 'done' && item.torrentId !== null) this.torrents.removeSync([feedId, item.torrentId, key]);
  }
}
