// Torrents in the order in which clients see them: newest first by `addedAt`, then ascending by id. Kept in runs of two
// dozen that are never changed, only replaced: whoever makes something of the torrents keeps it by run, and a change of
// one torrent costs the work of one run, however many torrents there are.
import type { ListedTorrent } from './shares.js';

/** Never empty, never changed. */
export type TorrentChunk = readonly ListedTorrent[];

/**
 * With larger ones more is made anew for each change; with smaller ones there are more of them, and deflated by themselves
 * they become longer: 10,000 torrents 0.68 MB with 24, 0.90 with 12, which costs each socket more than is saved.
 */
const MAX_RUN = 24;
/** As many are sorted in one by one; more than that are sorted with all the others. */
const ONE_BY_ONE = 256;

export class TorrentOrder {
  /** Every torrent but those in `#added`. */
  #runs: TorrentChunk[] = [];
  /** Sorted in when somebody looks: while a store loads nobody does. */
  #added: ListedTorrent[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Changed in place: a reader that waits copies it first. */
  get runs(): readonly TorrentChunk[] {
    if (this.#added.length > 0) this.#sortIn();
    return this.#runs;
  }

  *[Symbol.iterator](): Iterator<ListedTorrent> {
    for (const run of this.runs) yield* run;
  }

  add(facts: ListedTorrent): void {
    this.#added.push(facts);
    this.#size++;
  }

  /** `before` is in it; `after` is the same torrent. */
  replace(before: ListedTorrent, after: ListedTorrent): void {
    const { runs } = this;
    const place = this.#runOf(before);
    const run = runs[place];
    const index = run?.indexOf(before) ?? -1;
    if (run && index >= 0 && before.addedAt === after.addedAt) {
      this.#runs[place] = run.with(index, after);
      return;
    }
    this.remove(before);
    this.add(after);
  }

  remove(facts: ListedTorrent): void {
    const { runs } = this;
    const place = this.#runOf(facts);
    const run = runs[place];
    const index = run?.indexOf(facts) ?? -1;
    if (!run || index < 0) return;
    this.#size--;
    const rest = run.toSpliced(index, 1);
    if (rest.length === 0) this.#runs.splice(place, 1);
    else this.#runs[place] = rest;
    // Else removals would leave many short ones.
    this.#join(place - 1);
    this.#join(place);
  }

  /** With the one that follows, where both are short. */
  #join(place: number): void {
    const [run, next] = [this.#runs[place], this.#runs[place + 1]];
    if (run && next && run.length + next.length <= MAX_RUN / 2) this.#runs.splice(place, 2, [...run, ...next]);
  }

  #sortIn(): void {
    const added = this.#added.sort(compare);
    this.#added = [];
    if (added.length <= ONE_BY_ONE && this.#runs.length > 0) return added.forEach((facts) => this.#insert(facts));
    const all = [...this.#runs.flat(), ...added].sort(compare);
    this.#runs = Array.from({ length: Math.ceil(all.length / MAX_RUN) }, (_, i) =>
      all.slice(i * MAX_RUN, (i + 1) * MAX_RUN),
    );
  }

  #insert(facts: ListedTorrent): void {
    const place = this.#runOf(facts);
    const run = this.#runs[place] ?? [];
    const index = run.findIndex((each) => compare(each, facts) > 0);
    const at = index < 0 ? run.length : index;
    const longer = run.toSpliced(at, 0, facts);
    if (longer.length <= MAX_RUN) this.#runs.splice(place, 1, longer);
    // The newest come first: a full run is left as it is, and they begin another.
    else if (at === 0) this.#runs.splice(place, 0, [facts]);
    else this.#runs.splice(place, 1, longer.slice(0, MAX_RUN >> 1), longer.slice(MAX_RUN >> 1));
  }

  /** Where it is, or belongs: the first run that does not end before it, else the last one. */
  #runOf(facts: ListedTorrent): number {
    let [low, high] = [0, this.#runs.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.#runs[middle]!.at(-1)!, facts) < 0) low = middle + 1;
      else high = middle;
    }
    return Math.max(low, 0);
  }
}

function compare(a: ListedTorrent, b: ListedTorrent): number {
  if (a.addedAt !== b.addedAt) return b.addedAt - a.addedAt;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
