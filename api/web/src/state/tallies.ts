// The sums behind the choices of the side bar, by their keys. Who counts towards one holds on to it, so that nothing is
// looked up when ten thousand torrents are counted anew.
import { COLLATOR } from './collator.js';
import type { FacetKey } from './filter.js';
import { STATE_FILTERS } from './state-filter.js';

export interface Amount {
  readonly count: number;
  /** The size of the torrents in whole, whatever is there of them. */
  readonly bytes: number;
}

export interface Tally {
  readonly key: FacetKey;
  /** The bit of its kind of choices. */
  readonly kind: number;
  all: number;
  readonly shown: { count: number; bytes: number };
}

const NOTHING: Amount = { count: 0, bytes: 0 };

export class Tallies {
  /** One for each of STATE_FILTERS, in their order, whether there are such torrents or not. */
  readonly ofStates: readonly Tally[];
  readonly #byKey = new Map<FacetKey, Tally>();
  #hosts: readonly string[] | null = null;

  constructor(stateKind: number) {
    this.ofStates = STATE_FILTERS.map((filter) => this.of(`state:${filter}`, stateKind));
  }

  /** Makes it when there is none. */
  of(key: FacetKey, kind: number): Tally {
    const before = this.#byKey.get(key);
    if (before) return before;
    const tally: Tally = { key, kind, all: 0, shown: { count: 0, bytes: 0 } };
    this.#byKey.set(key, tally);
    this.#hosts = null;
    return tally;
  }

  /** Once nobody counts towards it. */
  drop({ key }: Tally): void {
    this.#byKey.delete(key);
    this.#hosts = null;
  }

  /** Begins to count anew what is shown. */
  showNothing(): void {
    for (const { shown } of this.#byKey.values()) shown.count = shown.bytes = 0;
  }

  count(key: FacetKey): number {
    return this.#byKey.get(key)?.all ?? 0;
  }

  shown(key: FacetKey): Amount {
    return this.#byKey.get(key)?.shown ?? NOTHING;
  }

  get trackerHosts(): readonly string[] {
    if (this.#hosts) return this.#hosts;
    const hosts = [...this.#byKey.keys()].filter((key) => key.startsWith('tracker:') && key !== 'tracker:');
    return (this.#hosts = hosts.map((key) => key.slice('tracker:'.length)).sort(COLLATOR.compare));
  }
}
