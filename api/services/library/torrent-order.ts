// Torrents in the order in which clients see them: newest first by `addedAt`, then ascending by id. Kept in chunks of two
// dozen that are never changed, only replaced: what is made of the torrents (torrent-list/) is kept by chunk, and a change
// of one torrent costs the work of one chunk, however many torrents there are.
import type { ListedTorrent } from './shares.js';

/** Consecutive torrents of an order. Never empty, never changed. */
export type TorrentChunk = readonly ListedTorrent[];

/**
 * With larger ones more is made anew for each change; with smaller ones there are more of them, and deflated by themselves
 * they become longer: 10,000 torrents 0.68 MB with 24, 0.90 with 12, which costs each socket more than is saved.
 */
const MAX_CHUNK = 24;
/** Up to so many new ones are sorted in one by one; more are sorted with all the others. */
const ONE_BY_ONE = 256;

/** The torrents of one account's list, or of all. */
export class TorrentOrder {
  /** Every torrent but those in `#added`. */
  #chunks: TorrentChunk[] = [];
  /** Torrents that are sorted in with the next look: while a store loads there is none. */
  #added: ListedTorrent[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The torrents in order. Changed in place: a reader that waits copies it first. */
  get chunks(): readonly TorrentChunk[] {
    if (this.#added.length > 0) this.#sortIn();
    return this.#chunks;
  }

  *[Symbol.iterator](): Iterator<ListedTorrent> {
    for (const chunk of this.chunks) yield* chunk;
  }

  add(facts: ListedTorrent): void {
    this.#added.push(facts);
    this.#size++;
  }

  /** `before` is in it; `after` is the same torrent. */
  replace(before: ListedTorrent, after: ListedTorrent): void {
    const { chunks } = this;
    const place = this.#chunkOf(before);
    const chunk = chunks[place];
    const index = chunk?.indexOf(before) ?? -1;
    if (chunk && index >= 0 && before.addedAt === after.addedAt) {
      this.#chunks[place] = chunk.with(index, after);
      return;
    }
    this.remove(before);
    this.add(after);
  }

  remove(facts: ListedTorrent): void {
    const { chunks } = this;
    const place = this.#chunkOf(facts);
    const chunk = chunks[place];
    const index = chunk?.indexOf(facts) ?? -1;
    if (!chunk || index < 0) return;
    this.#size--;
    const rest = chunk.toSpliced(index, 1);
    if (rest.length === 0) this.#chunks.splice(place, 1);
    else this.#chunks[place] = rest;
    // Else removals would leave many short ones.
    this.#join(place - 1);
    this.#join(place);
  }

  /** Joins a chunk with the one that follows, where both are short. */
  #join(place: number): void {
    const [chunk, next] = [this.#chunks[place], this.#chunks[place + 1]];
    if (chunk && next && chunk.length + next.length <= MAX_CHUNK / 2)
      this.#chunks.splice(place, 2, [...chunk, ...next]);
  }

  #sortIn(): void {
    const added = this.#added.sort(compare);
    this.#added = [];
    if (added.length <= ONE_BY_ONE && this.#chunks.length > 0) return added.forEach((facts) => this.#insert(facts));
    const all = [...this.#chunks.flat(), ...added].sort(compare);
    this.#chunks = Array.from({ length: Math.ceil(all.length / MAX_CHUNK) }, (_, i) =>
      all.slice(i * MAX_CHUNK, (i + 1) * MAX_CHUNK),
    );
  }

  #insert(facts: ListedTorrent): void {
    const place = this.#chunkOf(facts);
    const chunk = this.#chunks[place] ?? [];
    const index = chunk.findIndex((each) => compare(each, facts) > 0);
    const at = index < 0 ? chunk.length : index;
    const longer = chunk.toSpliced(at, 0, facts);
    if (longer.length <= MAX_CHUNK) this.#chunks.splice(place, 1, longer);
    // The newest come first: a full chunk is left as it is, and they begin another.
    else if (at === 0) this.#chunks.splice(place, 0, [facts]);
    else this.#chunks.splice(place, 1, longer.slice(0, MAX_CHUNK >> 1), longer.slice(MAX_CHUNK >> 1));
  }

  /** Where it is, or belongs: the first chunk that does not end before it, else the last one. */
  #chunkOf(facts: ListedTorrent): number {
    let [low, high] = [0, this.#chunks.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.#chunks[middle]!.at(-1)!, facts) < 0) low = middle + 1;
      else high = middle;
    }
    return Math.max(low, 0);
  }
}

function compare(a: ListedTorrent, b: ListedTorrent): number {
  if (a.addedAt !== b.addedAt) return b.addedAt - a.addedAt;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
