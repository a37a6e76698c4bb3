// Torrents in the order in which clients see them: newest first by `addedAt`, then ascending by id. Kept in order, so
// that a list costs nothing, and a change of one torrent no sorting of the others.
import type { TorrentFacts } from '../../../shared-protocol/events.js';

export class TorrentOrder {
  /** Sorted unless `#isSorted` says otherwise. */
  readonly #list: TorrentFacts[] = [];
  #isSorted = true;

  /** Always the same array, changed in place: a reader that waits copies it first. */
  get list(): readonly TorrentFacts[] {
    if (!this.#isSorted) {
      this.#list.sort(compare);
      this.#isSorted = true;
    }
    return this.#list;
  }

  /** Sorted in when somebody looks: while a store loads nobody does. */
  add(facts: TorrentFacts): void {
    this.#list.push(facts);
    this.#isSorted = false;
  }

  /** `before` is in it; `after` is the same torrent. */
  replace(before: TorrentFacts, after: TorrentFacts): void {
    if (before.addedAt === after.addedAt) {
      const place = this.#indexOf(before);
      if (place >= 0) this.#list[place] = after;
      return;
    }
    this.remove(before);
    this.add(after);
  }

  remove(facts: TorrentFacts): void {
    const place = this.#indexOf(facts);
    if (place >= 0) this.#list.splice(place, 1);
  }

  #indexOf(facts: TorrentFacts): number {
    const { list } = this;
    const place = this.#placeOf(facts);
    return list[place] === facts ? place : -1;
  }

  /** Where it is, or belongs, in the sorted list. */
  #placeOf(facts: TorrentFacts): number {
    let [low, high] = [0, this.#list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.#list[middle]!, facts) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function compare(a: TorrentFacts, b: TorrentFacts): number {
  if (a.addedAt !== b.addedAt) return b.addedAt - a.addedAt;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
