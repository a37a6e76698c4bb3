// Which torrents have changed within the last minute, in their facts or their numbers, for interfaces that ask for no
// others. Found out by looking: one is compared with what it was at the look before, whoever that was for, so that
// torrents of which nobody asks cost nothing.
import type { Library } from './library.js';
import type { ListedTorrent } from './shares.js';

/** Transmission's own. */
const LATELY_MS = 60_000;

interface Seen {
  sequence: number;
  changedAtMs: number;
}

export interface RecentTorrentsDeps {
  readonly library: Pick<Library, 'stats'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

export class RecentTorrents {
  /** Changed facts are another object. */
  readonly #seen = new WeakMap<ListedTorrent, Seen>();

  constructor(private readonly deps: RecentTorrentsDeps) {}

  /** One that was never looked at counts as changed. */
  has(torrent: ListedTorrent): boolean {
    const now = this.deps.now();
    const sequence = this.deps.library.stats.sequence(torrent.row);
    const seen = this.#seen.get(torrent);
    if (!seen) {
      this.#seen.set(torrent, { sequence, changedAtMs: now });
      return true;
    }
    if (seen.sequence !== sequence) {
      seen.sequence = sequence;
      seen.changedAtMs = now;
    }
    return now - seen.changedAtMs <= LATELY_MS;
  }
}
