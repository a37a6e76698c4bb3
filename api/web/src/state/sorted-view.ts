// The ids that the list shows, in order, kept by moving what has to move: with some hundred changes a second among ten
// thousand torrents, sorting everything anew is what would be felt, and most changes are of what is not sorted by.
//
// Invariant: `ids` are exactly those of the torrents that pass the filter, by their values in the order, and those with
// the same value by their ids.
import type { Torrent } from '../live/messages.js';
import type { Order, SortValue } from './sort.js';

/** A torrent in its place. */
interface Placed {
  readonly id: string;
  readonly value: SortValue;
  /** Whether the torrent is about to be taken out. */
  isLeaving: boolean;
}

export class SortedView {
  #ids: readonly string[];
  #inOrder: readonly Placed[];
  readonly #placed: Map<string, Placed>;

  constructor(
    private readonly torrents: ReadonlyMap<string, Torrent>,
    private readonly passes: (torrent: Torrent) => boolean,
    private readonly order: Order,
  ) {
    const all: Placed[] = [];
    for (const torrent of torrents.values()) {
      if (passes(torrent)) all.push({ id: torrent.id, value: order.value(torrent), isLeaving: false });
    }
    this.#inOrder = all.sort((a, b) => this.#compare(a, b));
    this.#ids = all.map(({ id }) => id);
    this.#placed = new Map(all.map((placed) => [placed.id, placed]));
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
      const isShown = torrent !== undefined && this.passes(torrent);
      const value = isShown ? this.order.value(torrent) : null;
      if (placed && isShown && this.order.compare(placed.value, value) === 0) continue;
      if (placed) isAnyLeaving = placed.isLeaving = true;
      if (isShown) incoming.push(this.#place(id, value));
      else this.#placed.delete(id);
    }
    if (isAnyLeaving || incoming.length > 0) this.#merge(incoming.sort((a, b) => this.#compare(a, b)));
  }

  #place(id: string, value: SortValue): Placed {
    const placed = { id, value, isLeaving: false };
    this.#placed.set(id, placed);
    return placed;
  }

  /** An id that is named twice among the changes comes in once: what was placed first leaves again. */
  #merge(incoming: readonly Placed[]): void {
    const before = this.#inOrder;
    const merged: Placed[] = [];
    const ids: string[] = [];
    let from = 0;
    const take = (placed: Placed) => {
      if (placed.isLeaving) return;
      merged.push(placed);
      ids.push(placed.id);
    };
    for (const placed of incoming) {
      const to = this.#placeOf(placed, from);
      for (; from < to; from++) take(before[from]!);
      take(placed);
    }
    for (; from < before.length; from++) take(before[from]!);
    this.#inOrder = merged;
    this.#ids = ids;
  }

  /** Where it belongs among those that were there, from `from` on, by halves. */
  #placeOf(placed: Placed, from: number): number {
    let [low, high] = [from, this.#inOrder.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(this.#inOrder[middle]!, placed) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(a: Placed, b: Placed): number {
    return this.order.compare(a.value, b.value) || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);
  }
}
