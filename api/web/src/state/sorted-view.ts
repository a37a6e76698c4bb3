// The ids that the list shows, in order, kept by moving what has to move: with some hundred changes a second among ten
// thousand torrents, sorting everything anew is what would be felt, and most changes are of what is not sorted by.
//
// Invariant: `ids` are exactly those of the torrents that pass the filter, by their values in the order, and those with
// the same value by their ids.
import type { Torrent } from '../live/messages.js';
import type { Order, SortValue } from './sort.js';

/** A torrent in its place: one object for as long as it is shown, so that a tick leaves little to be collected. */
interface Placed {
  readonly id: string;
  /** By which it has its place. */
  value: SortValue;
  /** By which it will have one. */
  next: SortValue;
  /** Whether it is on its way to its place, from none or from another, or out of the list. */
  isMoving: boolean;
}

export class SortedView {
  /** null: what is in order has changed since they were asked for. */
  #ids: readonly string[] | null = null;
  readonly #inOrder: Placed[] = [];
  /** The ids of `#inOrder`: to read each of them from there costs more than all that is done here with a tick. */
  readonly #idsInOrder: string[];
  readonly #placed = new Map<string, Placed>();

  constructor(
    private readonly torrents: ReadonlyMap<string, Torrent>,
    private readonly passes: (torrent: Torrent) => boolean,
    private readonly order: Order,
  ) {
    for (const torrent of torrents.values()) {
      if (passes(torrent)) this.#inOrder.push(this.#place(torrent.id, order.value(torrent)));
    }
    this.#idsInOrder = this.#inOrder.sort(this.#compare).map(({ id }) => id);
  }

  /** The same array as before when nothing has moved. */
  get ids(): readonly string[] {
    return (this.#ids ??= this.#idsInOrder.slice());
  }

  has(id: string): boolean {
    return this.#placed.has(id);
  }

  /** After the map has changed for these ids, and for no others. */
  update(changed: Iterable<string>): void {
    const left: number[] = [];
    const coming: Placed[] = [];
    for (const id of changed) {
      const before = this.#placed.get(id);
      if (before?.isMoving) continue;
      const torrent = this.torrents.get(id);
      const isShown = torrent !== undefined && this.passes(torrent);
      if (!before && !isShown) continue;
      const value = isShown ? this.order.value(torrent) : null;
      if (before && isShown && this.order.compare(before.value, value) === 0) continue;
      if (before) left.push(this.#indexOf(before, this.#inOrder.length));
      const placed = before ?? this.#place(id, value);
      placed.next = value;
      placed.isMoving = true;
      if (isShown) coming.push(placed);
      else this.#placed.delete(id);
    }
    if (left.length === 0 && coming.length === 0) return;
    for (const placed of coming) placed.value = placed.next;
    const stayed = this.#close(left.sort((a, b) => a - b));
    this.#merge(coming.sort(this.#compare), stayed);
    this.#ids = null;
  }

  #place(id: string, value: SortValue): Placed {
    const placed = { id, value, next: value, isMoving: false };
    this.#placed.set(id, placed);
    return placed;
  }

  /** Closes the gaps at these indices, which ascend. Returns how many are left, at the beginning of what is there. */
  #close(left: readonly number[]): number {
    const [inOrder, ids] = [this.#inOrder, this.#idsInOrder];
    let to = left[0] ?? inOrder.length;
    left.forEach((gap, at) => {
      const end = left[at + 1] ?? inOrder.length;
      for (let from = gap + 1; from < end; from++, to++) {
        inOrder[to] = inOrder[from]!;
        ids[to] = ids[from]!;
      }
    });
    return to;
  }

  /** Merges into the first `count` that are in order. From the end on, so that each is moved once. */
  #merge(coming: readonly Placed[], count: number): void {
    const [inOrder, ids] = [this.#inOrder, this.#idsInOrder];
    let from = count;
    let to = (inOrder.length = ids.length = count + coming.length);
    for (let next = coming.length - 1; next >= 0; next--) {
      const placed = coming[next]!;
      const index = this.#indexOf(placed, from);
      while (from > index) {
        inOrder[--to] = inOrder[--from]!;
        ids[to] = ids[from]!;
      }
      inOrder[--to] = placed;
      ids[to] = placed.id;
      placed.isMoving = false;
    }
  }

  /** Where it is, or belongs, among those before `end`, by halves. */
  #indexOf(placed: Placed, end: number): number {
    let [low, high] = [0, end];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(this.#inOrder[middle]!, placed) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  readonly #compare = (a: Placed, b: Placed): number =>
    this.order.compare(a.value, b.value) || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);
}
