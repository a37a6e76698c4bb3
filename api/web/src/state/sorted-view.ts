// The ids that the list shows, in order, kept by moving what has to move: with some hundred changes a second among ten
// thousand torrents, sorting everything anew is what would be felt, and most changes are of what is not sorted by.
//
// Invariant: `ids` are exactly those of the torrents that pass the filter, in the order of the comparator.
import type { Torrent } from '../live/messages.js';
import type { Compare } from './sort.js';

export class SortedView {
  #ids: readonly string[] = [];
  /** As they were when they were put in their places, or have not moved since. */
  readonly #shown: Map<string, Torrent>;

  constructor(
    private readonly torrents: ReadonlyMap<string, Torrent>,
    private readonly passes: (torrent: Torrent) => boolean,
    private readonly compare: Compare,
  ) {
    const all = [...torrents.values()].filter(passes).sort(compare);
    this.#ids = all.map(({ id }) => id);
    this.#shown = new Map(all.map((torrent) => [torrent.id, torrent]));
  }

  /** The same array as before when nothing has moved. */
  get ids(): readonly string[] {
    return this.#ids;
  }

  /** After the map has changed for these ids, and for no others. */
  update(changed: Iterable<string>): void {
    const moved = new Set<string>();
    const incoming: Torrent[] = [];
    for (const id of changed) {
      const before = this.#shown.get(id);
      const torrent = this.torrents.get(id);
      const now = torrent && this.passes(torrent) ? torrent : undefined;
      if (now) this.#shown.set(id, now);
      else this.#shown.delete(id);
      if (before && now && this.compare(before, now) === 0) continue;
      if (before) moved.add(id);
      if (now) incoming.push(now);
    }
    if (moved.size === 0 && incoming.length === 0) return;
    const kept = moved.size === 0 ? this.#ids : this.#ids.filter((id) => !moved.has(id));
    this.#ids = this.#merge(kept, incoming.sort(this.compare));
  }

  #merge(kept: readonly string[], incoming: readonly Torrent[]): string[] {
    const merged: string[] = [];
    let from = 0;
    for (const torrent of incoming) {
      const to = this.#placeOf(torrent, kept, from);
      for (; from < to; from++) merged.push(kept[from]!);
      merged.push(torrent.id);
    }
    for (; from < kept.length; from++) merged.push(kept[from]!);
    return merged;
  }

  /** Where it belongs among those from `from` on, by halves. */
  #placeOf(torrent: Torrent, ids: readonly string[], from: number): number {
    let [low, high] = [from, ids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.compare(this.#shown.get(ids[middle]!)!, torrent) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
