// The ids that the list shows, in order, kept by moving what has to move: with some hundred changes a second among ten
// thousand torrents, sorting everything anew is what would be felt, and most changes are of what is not sorted by.
//
// Invariant: `ids` are exactly those of the torrents that pass the filter, in the order of the comparator.
import type { Torrent } from '../live/messages.js';
import type { Compare } from './sort.js';

/** A torrent in its place, as it was when it was put there, or has not moved since. */
interface Placed {
  torrent: Torrent;
  /** Whether the torrent, in order at the moment, is about to be taken out. */
  isLeaving: boolean;
}

export class SortedView {
  #ids: readonly string[];
  #order: readonly Placed[];
  readonly #placed: Map<string, Placed>;

  constructor(
    private readonly torrents: ReadonlyMap<string, Torrent>,
    private readonly passes: (torrent: Torrent) => boolean,
    private readonly compare: Compare,
  ) {
    const all = [...torrents.values()].filter(passes).sort(compare);
    this.#order = all.map((torrent) => ({ torrent, isLeaving: false }));
    this.#ids = all.map(({ id }) => id);
    this.#placed = new Map(this.#order.map((placed) => [placed.torrent.id, placed]));
  }

  /** The same array as before when nothing has moved. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  has(id: string): boolean {
    return this.#placed.has(id);
  }

  /** After the map has changed for these ids, and for no others. */
  update(changed: Iterable<string>): void {
    const incoming: Placed[] = [];
    let isAnyLeaving = false;
    for (const id of changed) {
      const placed = this.#placed.get(id);
      const torrent = this.torrents.get(id);
      const now = torrent && this.passes(torrent) ? torrent : undefined;
      if (placed && now && this.compare(placed.torrent, now) === 0) {
        placed.torrent = now;
        continue;
      }
      if (placed) isAnyLeaving = placed.isLeaving = true;
      if (now) incoming.push(this.#place(now));
      else this.#placed.delete(id);
    }
    if (!isAnyLeaving && incoming.length === 0) return;
    const kept = isAnyLeaving ? this.#order.filter(({ isLeaving }) => !isLeaving) : this.#order;
    this.#order = this.#merge(
      kept,
      incoming.sort((a, b) => this.compare(a.torrent, b.torrent)),
    );
    this.#ids = this.#order.map(({ torrent }) => torrent.id);
  }

  #place(torrent: Torrent): Placed {
    const placed = { torrent, isLeaving: false };
    this.#placed.set(torrent.id, placed);
    return placed;
  }

  #merge(kept: readonly Placed[], incoming: readonly Placed[]): Placed[] {
    const merged: Placed[] = [];
    let from = 0;
    for (const placed of incoming) {
      const to = this.#placeOf(placed.torrent, kept, from);
      for (; from < to; from++) merged.push(kept[from]!);
      merged.push(placed);
    }
    for (; from < kept.length; from++) merged.push(kept[from]!);
    return merged;
  }

  /** Where it belongs among those from `from` on, by halves. */
  #placeOf(torrent: Torrent, order: readonly Placed[], from: number): number {
    let [low, high] = [from, order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.compare(order[middle]!.torrent, torrent) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
