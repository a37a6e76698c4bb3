// The ids that the list shows, in order, kept by merging in what has changed: with some hundred changes a second among
// ten thousand torrents, sorting everything anew is what would be felt.
//
// Invariant: `ids` are exactly those of the torrents that pass the filter, in the order of the comparator.
import type { Torrent } from '../live/messages.js';
import type { Compare } from './sort.js';

export class SortedView {
  #ids: readonly string[] = [];
  #shown = new Set<string>();

  constructor(
    private readonly torrents: ReadonlyMap<string, Torrent>,
    private readonly passes: (torrent: Torrent) => boolean,
    private readonly compare: Compare,
  ) {
    const all = [...torrents.values()].filter(passes).sort(compare);
    this.#ids = all.map(({ id }) => id);
    this.#shown = new Set(this.#ids);
  }

  get ids(): readonly string[] {
    return this.#ids;
  }

  /** After the map has changed for these ids, and for no others. */
  update(changed: Iterable<string>): void {
    const moved = new Set<string>();
    for (const id of changed) if (this.#shown.has(id) || this.#passesNow(id)) moved.add(id);
    if (moved.size === 0) return;
    const kept = this.#ids.filter((id) => !moved.has(id));
    const incoming = [...moved].filter((id) => this.#passesNow(id)).sort((a, b) => this.#compareIds(a, b));
    this.#ids = this.#merge(kept, incoming);
    for (const id of moved) {
      if (this.#passesNow(id)) this.#shown.add(id);
      else this.#shown.delete(id);
    }
  }

  #passesNow(id: string): boolean {
    const torrent = this.torrents.get(id);
    return torrent !== undefined && this.passes(torrent);
  }

  #merge(kept: readonly string[], incoming: readonly string[]): string[] {
    const merged: string[] = [];
    let next = 0;
    for (const id of kept) {
      while (next < incoming.length && this.#compareIds(incoming[next]!, id) < 0) merged.push(incoming[next++]!);
      merged.push(id);
    }
    return [...merged, ...incoming.slice(next)];
  }

  #compareIds(a: string, b: string): number {
    return this.compare(this.torrents.get(a)!, this.torrents.get(b)!);
  }
}
