// How many torrents each choice of the side bar would show, and how large they are: in all, and with what the list is
// narrowed down to otherwise, which is what holds of the other kinds of choices, the search, and what is about to go.
// Kept up to date by what changes: most changes are of numbers that nothing here depends on.
//
// Invariant: every torrent is tallied once in each of the keys that it was tallied by last, and in `shown` of those whose
// kind is in its `kinds`.
import type { Torrent } from '../live/messages.js';
import { FACET_KINDS, type FacetKey, type FacetKind, type Passes } from './filter.js';
import { STATE_FILTERS, statesOf } from './state-filter.js';

/** A filter and what else hides torrents, compiled. */
export interface Narrowing {
  /** By kind of choice; kinds of which nothing is chosen are not in it. */
  readonly kinds: ReadonlyMap<FacetKind, Passes>;
  readonly rest: Passes;
}

export interface Amount {
  readonly count: number;
  /** The size of the torrents in whole, whatever is there of them. */
  readonly bytes: number;
}

interface Tally {
  all: number;
  shown: { count: number; bytes: number };
}

/** The facts that a torrent was tallied by. */
interface Counted {
  /** A bit for each of STATE_FILTERS. */
  readonly states: number;
  readonly labels: Pick<Torrent, 'category_id' | 'tags' | 'trackerHosts' | 'server_id'>;
  readonly bytes: number;
  /** A bit for each kind whose choices would show it: all of them, or the only one that hides it now. */
  readonly kinds: number;
}

const STATE_KEYS = STATE_FILTERS.map((filter): FacetKey => `state:${filter}`);
const bitOf = (kind: FacetKind) => 1 << FACET_KINDS.indexOf(kind);
const [STATE, CATEGORY, TAG, TRACKER] = [bitOf('state'), bitOf('category'), bitOf('tag'), bitOf('tracker')];
const SERVER = bitOf('server');
const EVERY_KIND = STATE | CATEGORY | TAG | TRACKER | SERVER;
const NOTHING: Amount = { count: 0, bytes: 0 };

export class Facets {
  readonly #tallies = new Map<FacetKey, Tally>();
  readonly #counted = new Map<string, Counted>();
  #narrowing: readonly (readonly [bit: number, passes: Passes])[] = [];
  #rest: Passes = () => true;
  #hosts: readonly string[] | null = null;

  set(torrent: Torrent): void {
    const before = this.#counted.get(torrent.id);
    const states = statesOf(torrent);
    const kinds = this.#kindsOf(torrent);
    const { category_id, tags, trackerHosts, server_id, total_bytes: bytes } = torrent;
    const isSame = before?.kinds === kinds && before.bytes === bytes && haveSameLabels(before.labels, torrent);
    if (isSame && before.states === states) return;
    const now = { states, labels: { category_id, tags, trackerHosts, server_id }, bytes, kinds };
    if (isSame) {
      this.#tallyStates(before, before.states & ~states, -1);
      this.#tallyStates(now, states & ~before.states, 1);
    } else {
      if (before) this.#tally(before, -1);
      this.#tally(now, 1);
    }
    this.#counted.set(torrent.id, now);
  }

  delete(id: string): void {
    const before = this.#counted.get(id);
    if (!before) return;
    this.#tally(before, -1);
    this.#counted.delete(id);
  }

  /** `torrents`: all that are counted. */
  narrow({ kinds, rest }: Narrowing, torrents: ReadonlyMap<string, Torrent>): void {
    this.#narrowing = [...kinds].map(([kind, passes]) => [bitOf(kind), passes]);
    this.#rest = rest;
    for (const [id, before] of this.#counted) {
      const now = { ...before, kinds: this.#kindsOf(torrents.get(id)!) };
      if (now.kinds === before.kinds) continue;
      this.#tally(before, -1);
      this.#tally(now, 1);
      this.#counted.set(id, now);
    }
  }

  /** Whether it is among what the list is narrowed down to. */
  passes(id: string): boolean {
    return this.#counted.get(id)?.kinds === EVERY_KIND;
  }

  /** The number of all torrents that it is true of. */
  count(key: FacetKey): number {
    return this.#tallies.get(key)?.all ?? 0;
  }

  /** The torrents that the list would show if, of its kind, this alone were chosen. */
  shown(key: FacetKey): Amount {
    return this.#tallies.get(key)?.shown ?? NOTHING;
  }

  /** The hosts that torrents have, without the empty one, in alphabetical order; the same array while they are. */
  get trackerHosts(): readonly string[] {
    if (this.#hosts) return this.#hosts;
    const hosts = [...this.#tallies.keys()].filter((key) => key.startsWith('tracker:') && key !== 'tracker:');
    return (this.#hosts = hosts.map((key) => key.slice('tracker:'.length)).sort());
  }

  #kindsOf(torrent: Torrent): number {
    if (!this.#rest(torrent)) return 0;
    let failed = 0;
    for (const [bit, passes] of this.#narrowing) {
      if (passes(torrent)) continue;
      if (failed !== 0) return 0;
      failed = bit;
    }
    return failed === 0 ? EVERY_KIND : failed;
  }

  #tally(counted: Counted, change: 1 | -1): void {
    this.#tallyStates(counted, counted.states, change);
    const { category_id, tags, trackerHosts, server_id } = counted.labels;
    this.#add(`server:${server_id ?? 0}`, SERVER, counted, change);
    this.#add(`category:${category_id ?? 0}`, CATEGORY, counted, change);
    if (tags.length === 0) this.#add('tag:0', TAG, counted, change);
    for (const { id } of tags) this.#add(`tag:${id}`, TAG, counted, change);
    if (trackerHosts.length === 0) this.#add('tracker:', TRACKER, counted, change);
    for (const host of trackerHosts) this.#add(`tracker:${host}`, TRACKER, counted, change);
  }

  #tallyStates(counted: Counted, states: number, change: 1 | -1): void {
    for (let left = states; left !== 0; left &= left - 1) {
      this.#add(STATE_KEYS[31 - Math.clz32(left & -left)]!, STATE, counted, change);
    }
  }

  #add(key: FacetKey, kind: number, { kinds, bytes }: Counted, change: 1 | -1): void {
    let tally = this.#tallies.get(key);
    if (!tally) {
      this.#tallies.set(key, (tally = { all: 0, shown: { count: 0, bytes: 0 } }));
      this.#hosts = null;
    }
    tally.all += change;
    if ((kinds & kind) !== 0) {
      tally.shown.count += change;
      tally.shown.bytes += change * bytes;
    }
    if (tally.all > 0) return;
    this.#tallies.delete(key);
    this.#hosts = null;
  }
}

/** A patch that does not name them leaves them what they are. */
function haveSameLabels(a: Counted['labels'], b: Counted['labels']): boolean {
  return a.category_id === b.category_id && a.tags === b.tags && a.trackerHosts === b.trackerHosts;
}
