// A torrent as conditions see it: one share of it, its numbers, and what is about its account. Pure.
import type { TorrentStats } from '../../../shared-protocol/stats-table.js';
import type { ListedTorrent } from '../library/shares.js';

export interface Subject {
  readonly facts: ListedTorrent;
  readonly stats: Readonly<TorrentStats>;
  /** Unix seconds. */
  readonly now: number;
  /** Bytes free on the volume it lies on; null: not known, or not for the account to know. */
  readonly freeBytes: number | null;
  /** How many torrents the account owns. */
  readonly torrents: number;
}

/** The time at which a condition may turn out otherwise without anything having changed; `Infinity`: never. */
export class Due {
  at = Infinity;

  /** Takes a time in: of several the first one that is yet to come counts. */
  note(at: number, now: number): void {
    if (at > now && at < this.at) this.at = at;
  }
}
