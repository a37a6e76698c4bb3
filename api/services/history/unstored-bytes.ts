// What was counted and is not stored yet: bytes by torrent and by whoever counts them, and how far each torrent's counters
// were read. Trackers are known only when it is stored (recorder.ts asks the engine then). Pure.
import type { TorrentId } from '../../../shared-protocol/ids.js';
import type { Moved, TrafficBatch } from '../../../storage/traffic-history.js';
import type { ListedTorrent } from '../library/shares.js';
import { countedFor, trackerOf, type Counting } from './attribution.js';
import { isTotalSeries, memberSeries, torrentSeries, totalSeries } from './series-name.js';

interface OfTorrent {
  down: number;
  up: number;
  /** Lifetime counters as far as they are counted. */
  reading: Moved;
  /** The torrent as it was last. */
  trackers: string;
  counting: readonly Counting[];
}

export class UnstoredBytes {
  readonly #torrents = new Map<TorrentId, OfTorrent>();
  /** Removed: their bytes are part of what their accounts have moved, and of no series of their own. */
  readonly #gone: OfTorrent[] = [];
  readonly #moved = new Map<string, { down: number; up: number }>();
  readonly #forgotten = new Set<string>();

  /** @param at unix seconds, of its first moment */
  constructor(readonly at: number) {}

  get isEmpty(): boolean {
    return this.#torrents.size === 0 && this.#moved.size === 0 && this.#forgotten.size === 0;
  }

  /** Torrents whose trackers are to be asked for. */
  get torrents(): TorrentId[] {
    return [...this.#torrents.keys()];
  }

  /** How far it is counted with this; undefined: this says nothing of it. */
  readingOf(id: TorrentId): Moved | undefined {
    return this.#torrents.get(id)?.reading;
  }

  count(torrent: ListedTorrent, { down, up }: Moved, reading: Moved): void {
    const counting = countedFor(torrent);
    const { trackers } = torrent;
    const known = this.#torrents.get(torrent.id);
    if (known) {
      known.down += down;
      known.up += up;
      Object.assign(known, { reading, trackers, counting });
    } else this.#torrents.set(torrent.id, { down, up, reading, trackers, counting });
    this.#add(totalSeries('all'), { down, up });
    const categories = new Set(counting.map(({ category }) => category));
    for (const category of categories) this.#add(memberSeries('all', 'category', category), { down, up });
    for (const { accountId, category } of counting) {
      this.#add(totalSeries(accountId), { down, up });
      this.#add(memberSeries(accountId, 'category', category), { down, up });
    }
  }

  /** The torrent is gone, and its own series with it. */
  forget(id: TorrentId): void {
    const known = this.#torrents.get(id);
    if (known) this.#gone.push(known);
    this.#torrents.delete(id);
    this.#forgotten.add(torrentSeries(id));
  }

  /** Ends the series of a torrent of which this process has never heard. */
  forgetSeries(series: string): void {
    this.#forgotten.add(series);
  }

  /** Takes in what was counted before this and could not be stored. */
  takeIn(before: UnstoredBytes): void {
    for (const [id, old] of before.#torrents) {
      const now = this.#torrents.get(id);
      if (this.#forgotten.has(torrentSeries(id))) this.#gone.push(old);
      else if (now) {
        now.down += old.down;
        now.up += old.up;
      } else this.#torrents.set(id, old);
    }
    this.#gone.push(...before.#gone);
    for (const [series, moved] of before.#moved) this.#add(series, moved);
    for (const series of before.#forgotten) this.#forgotten.add(series);
  }

  /** The form in which it is stored. `working`: hosts of the trackers that work, by torrent. */
  toBatch(working: ReadonlyMap<TorrentId, readonly string[]>): TrafficBatch {
    const moved = new Map<string, { down: number; up: number }>();
    const counters = new Map<string, Moved>();
    for (const [series, bytes] of this.#moved) addTo(moved, series, bytes);
    const byTracker = (of: OfTorrent, hosts: readonly string[]): void => {
      addTo(moved, memberSeries('all', 'tracker', trackerOf(of.trackers, hosts)), of);
      for (const { accountId, trackers } of of.counting) {
        addTo(moved, memberSeries(accountId, 'tracker', trackerOf(trackers, hosts)), of);
      }
    };
    for (const [id, of] of this.#torrents) {
      addTo(moved, torrentSeries(id), of);
      counters.set(torrentSeries(id), of.reading);
      byTracker(of, working.get(id) ?? []);
    }
    for (const of of this.#gone) byTracker(of, []);
    const lasting = [...moved.keys()].filter(isTotalSeries);
    return { at: this.at, forgotten: this.#forgotten, moved, counters, lasting };
  }

  #add(series: string, bytes: Moved): void {
    addTo(this.#moved, series, bytes);
  }
}

function addTo(sums: Map<string, { down: number; up: number }>, series: string, { down, up }: Moved): void {
  const known = sums.get(series);
  if (known) {
    known.down += down;
    known.up += up;
  } else sums.set(series, { down, up });
}
