// The order of all torrents, dense from 0: what `queue_position` shows (semantics.md section 5). A torrent is appended
// when it is added and at load, oldest first; the others close up when one goes.
import type { TorrentRow } from '../../storage/types.js';
import type { Torrent } from '../torrent/torrent.js';

export class QueueOrder {
  readonly #torrents: Torrent[] = [];

  append(torrent: Torrent): void {
    torrent.setQueuePosition(this.#torrents.length);
    this.#torrents.push(torrent);
  }

  remove(torrent: Torrent): void {
    const position = this.#torrents.indexOf(torrent);
    if (position < 0) return;
    this.#torrents.splice(position, 1);
    for (let i = position; i < this.#torrents.length; i++) this.#torrents[i]!.setQueuePosition(i);
  }
}

/** Stored torrents in the order of their adding; within a second, which is all that is stored, by id. */
export function oldestFirst(rows: Iterable<TorrentRow>): TorrentRow[] {
  return [...rows].sort((a, b) => a.addedAt - b.addedAt || (a.id < b.id ? -1 : 1));
}
