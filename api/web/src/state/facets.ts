// How many torrents each choice of the side bar would show, kept up to date by what changes: most changes are of numbers
// that nothing here depends on. Invariant: every torrent is counted once in each of the keys that it was counted by last.
import type { Torrent } from '../live/messages.js';
import type { FacetKey } from './filter.js';
import { STATE_FILTERS, statesOf } from './state-filter.js';

/** The states and labels that a torrent is counted by. */
interface Counted {
  /** A bit for each of STATE_FILTERS. */
  readonly states: number;
  readonly labels: Pick<Torrent, 'category_id' | 'tags' | 'trackerHosts'>;
}

const STATE_KEYS = STATE_FILTERS.map((filter): FacetKey => `state:${filter}`);

export class Facets {
  readonly #counts = new Map<FacetKey, number>();
  readonly #counted = new Map<string, Counted>();
  #hosts: readonly string[] | null = null;

  set(torrent: Torrent): void {
    const before = this.#counted.get(torrent.id);
    const states = statesOf(torrent);
    const isSame = before !== undefined && haveSameLabels(before.labels, torrent);
    if (isSame && before.states === states) return;
    this.#countStates(before?.states ?? 0, states);
    if (!isSame) {
      if (before) this.#countLabels(before.labels, -1);
      this.#countLabels(torrent, 1);
    }
    const { category_id, tags, trackerHosts } = torrent;
    this.#counted.set(torrent.id, { states, labels: { category_id, tags, trackerHosts } });
  }

  delete(id: string): void {
    const before = this.#counted.get(id);
    if (!before) return;
    this.#countStates(before.states, 0);
    this.#countLabels(before.labels, -1);
    this.#counted.delete(id);
  }

  count(key: FacetKey): number {
    return this.#counts.get(key) ?? 0;
  }

  /** The hosts that torrents have, without the empty one, in alphabetical order; the same array while they are. */
  get trackerHosts(): readonly string[] {
    if (this.#hosts) return this.#hosts;
    const hosts = [...this.#counts.keys()].filter((key) => key.startsWith('tracker:') && key !== 'tracker:');
    return (this.#hosts = hosts.map((key) => key.slice('tracker:'.length)).sort());
  }

  #countStates(before: number, now: number): void {
    for (const [bit, key] of STATE_KEYS.entries()) {
      const change = ((now >> bit) & 1) - ((before >> bit) & 1);
      if (change !== 0) this.#add(key, change);
    }
  }

  #countLabels({ category_id, tags, trackerHosts }: Counted['labels'], change: number): void {
    this.#add(`category:${category_id ?? 0}`, change);
    if (tags.length === 0) this.#add('tag:0', change);
    for (const { id } of tags) this.#add(`tag:${id}`, change);
    if (trackerHosts.length === 0) this.#add('tracker:', change);
    for (const host of trackerHosts) this.#add(`tracker:${host}`, change);
  }

  #add(key: FacetKey, change: number): void {
    const before = this.#counts.get(key) ?? 0;
    if (before + change === 0) this.#counts.delete(key);
    else this.#counts.set(key, before + change);
    if (before === 0 || before + change === 0) this.#hosts = null;
  }
}

/** A patch that does not name them leaves them what they are. */
function haveSameLabels(a: Counted['labels'], b: Counted['labels']): boolean {
  return a.category_id === b.category_id && a.tags === b.tags && a.trackerHosts === b.trackerHosts;
}
