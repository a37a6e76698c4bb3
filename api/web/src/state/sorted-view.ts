// The ids that the list shows, in order, kept by moving what has to move: with some hundred changes a second among ten
// thousand torrents, sorting everything anew is what would be felt, and most changes are of what is not sorted by. All
// torrents are in order, and those that are shown are picked from them: another filter sorts nothing.
//
// Invariant: the order has all torrents of the map as of the last update, by their values in it, and those with the same
// value by their ids; `ids` are those of them that pass.
import type { Torrent } from '../live/messages.js';
import type { Passes } from './filter.js';
import type { Order, SortValue } from './sort.js';

/** A torrent in its place: one object for as long as it is there, so that a tick leaves little to be collected. */
interface Placed {
  readonly id: string;
  /** By which it has its place. */
  value: SortValue;
  /** By which it will have one. */
  next: SortValue;
  /** Whether it is on its way to its place, from none or from another, or away. */
  isMoving: boolean;
  isShown: boolean;
}

export class SortedView {
  /** null: what is shown, or in which order, has changed since they were asked for. */
  #ids: readonly string[] | null = null;
  readonly #inOrder: Placed[] = [];
  /** The ids of `#inOrder`: to read each of them from there costs more than all that is done here with a tick. */
  readonly #idsInOrder: string[];
  readonly #placed = new Map<string, Placed>();
  /** How many are shown. */
  #shown = 0;

  constructor(
    private readonly torrents: ReadonlyMap<string, Torrent>,
    private passes: Passes,
    private readonly order: Order,
  ) {
    for (const torrent of torrents.values()) {
      const placed = this.#place(torrent.id, order.value(torrent));
      this.#show(placed, passes(torrent));
      this.#inOrder.push(placed);
    }
    this.#idsInOrder = this.#inOrder.sort(this.#compare).map(({ id }) => id);
  }

  /** The same array as before when nothing that is shown has moved. */
  get ids(): readonly string[] {
    return (this.#ids ??= this.#shown === this.#inOrder.length ? this.#idsInOrder.slice() : this.#pick());
  }

  has(id: string): boolean {
    return this.#placed.get(id)?.isShown ?? false;
  }

  /** Shows those that pass, from now on. */
  narrow(passes: Passes): void {
    if (passes === this.passes) return;
    this.passes = passes;
    for (const placed of this.#inOrder) this.#show(placed, passes(this.torrents.get(placed.id)!));
  }

  /** After the map has changed for these ids, and for no others. */
  update(changed: Iterable<string>): void {
    const left: number[] = [];
    const coming: Placed[] = [];
    for (const id of changed) {
      const before = this.#placed.get(id);
      if (before?.isMoving) continue;
      const torrent = this.torrents.get(id);
      if (torrent) this.#bring(torrent, before, left, coming);
      else if (before) this.#remove(before, left);
    }
    if (left.length === 0 && coming.length === 0) return;
    for (const placed of coming) placed.value = placed.next;
    const stayed = this.#close(left.sort((a, b) => a - b));
    this.#merge(coming.sort(this.#compare), stayed);
  }

  /** Shows it or not, and notes where it goes from and that it comes, if it has to move. */
  #bring(torrent: Torrent, before: Placed | undefined, left: number[], coming: Placed[]): void {
    const value = this.order.value(torrent);
    const placed = before ?? this.#place(torrent.id, value);
    this.#show(placed, this.passes(torrent));
    if (before && this.order.compare(before.value, value) === 0) return;
    if (before) left.push(this.#indexOf(before, this.#inOrder.length));
    placed.next = value;
    placed.isMoving = true;
    if (placed.isShown) this.#ids = null;
    coming.push(placed);
  }

  #remove(placed: Placed, left: number[]): void {
    left.push(this.#indexOf(placed, this.#inOrder.length));
    this.#show(placed, false);
    this.#placed.delete(placed.id);
  }

  #place(id: string, value: SortValue): Placed {
    const placed = { id, value, next: value, isMoving: false, isShown: false };
    this.#placed.set(id, placed);
    return placed;
  }

  #show(placed: Placed, isShown: boolean): void {
    if (placed.isShown === isShown) return;
    placed.isShown = isShown;
    this.#shown += isShown ? 1 : -1;
    this.#ids = null;
  }

  #pick(): string[] {
    const shown: string[] = [];
    this.#inOrder.forEach((placed, at) => {
      if (placed.isShown) shown.push(this.#idsInOrder[at]!);
    });
    return shown;
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
