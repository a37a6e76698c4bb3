// How many torrents each choice of the side bar would show, and how large they are: in all, and with what the list is
// narrowed down to otherwise, which is what holds of the other kinds of choices, the search, and what is about to go.
// Kept up to date by what changes: most changes are of numbers that nothing here depends on.
//
// Invariant: every torrent is tallied once in each of the keys that it was tallied by last, and in `shown` of those whose
// kind is in its `kinds`.
import type { Torrent } from '../live/messages.js';
import { FACET_KINDS, type FacetKey, type FacetKind, type Passes } from './filter.js';
import { statesOf } from './state-filter.js';
import { Tallies, type Amount, type Tally } from './tallies.js';

/** A filter and what else hides torrents, compiled. */
export interface Narrowing {
  /** By kind of choice; kinds of which nothing is chosen are not in it. */
  readonly kinds: ReadonlyMap<FacetKind, Passes>;
  readonly rest: Passes;
}

/** Whether the list shows a torrent. */
export function passesAll({ kinds, rest }: Narrowing): Passes {
  const each = [...kinds.values()];
  return (torrent) => rest(torrent) && each.every((passes) => passes(torrent));
}

/** The facts that a torrent was tallied by: one for each torrent, kept as long as it is there. */
interface Counted {
  /** The torrent as it is now. */
  torrent: Torrent;
  /** A bit for each of STATE_FILTERS. */
  states: number;
  labels: Pick<Torrent, 'category_id' | 'tags' | 'trackerHosts' | 'server_id'>;
  /** The tallies of its labels. */
  tallies: readonly Tally[];
  bytes: number;
  /** A bit for each kind whose choices would show it: all of them, or the only one that hides it now. */
  kinds: number;
}

const bitOf = (kind: FacetKind) => 1 << FACET_KINDS.indexOf(kind);
const [STATE, CATEGORY, TAG, TRACKER] = [bitOf('state'), bitOf('category'), bitOf('tag'), bitOf('tracker')];
const SERVER = bitOf('server');
const EVERY_KIND = STATE | CATEGORY | TAG | TRACKER | SERVER;

export class Facets {
  readonly #tallies = new Tallies(STATE);
  readonly #counted = new Map<string, Counted>();
  #narrowing: readonly (readonly [bit: number, passes: Passes])[] = [];
  #rest: Passes = () => true;

  set(torrent: Torrent): void {
    const counted = this.#counted.get(torrent.id);
    const states = statesOf(torrent);
    const kinds = this.#kindsOf(torrent);
    if (!counted) {
      const now = this.#countedOf(torrent, states, kinds);
      this.#counted.set(torrent.id, now);
      return this.#tally(now, 1);
    }
    counted.torrent = torrent;
    const isSame = counted.kinds === kinds && counted.bytes === torrent.total_bytes;
    if (!isSame || !haveSameLabels(counted.labels, torrent)) {
      this.#tally(counted, -1);
      this.#tally(Object.assign(counted, this.#countedOf(torrent, states, kinds)), 1);
    } else if (counted.states !== states) {
      this.#tallyStates(counted, counted.states & ~states, -1);
      this.#tallyStates(counted, states & ~counted.states, 1);
      counted.states = states;
    }
  }

  delete(id: string): void {
    const counted = this.#counted.get(id);
    if (!counted) return;
    this.#tally(counted, -1);
    this.#counted.delete(id);
  }

  /** Counts anew what is shown of all that are counted. */
  narrow({ kinds, rest }: Narrowing): void {
    this.#narrowing = [...kinds].map(([kind, passes]) => [bitOf(kind), passes]);
    this.#rest = rest;
    this.#tallies.showNothing();
    for (const counted of this.#counted.values()) {
      counted.kinds = this.#kindsOf(counted.torrent);
      if (counted.kinds === 0) continue;
      forEachState(counted.states, (bit) => show(this.#tallies.ofStates[bit]!, counted, 1));
      for (const tally of counted.tallies) show(tally, counted, 1);
    }
  }

  /** The number of all torrents that it is true of. */
  count(key: FacetKey): number {
    return this.#tallies.count(key);
  }

  /** The torrents that the list would show if, of its kind, this alone were chosen. */
  shown(key: FacetKey): Amount {
    return this.#tallies.shown(key);
  }

  /** The hosts that torrents have, without the empty one, in alphabetical order; the same array while they are. */
  get trackerHosts(): readonly string[] {
    return this.#tallies.trackerHosts;
  }

  #kindsOf(torrent: Torrent): number {
    if (!this.#rest(torrent)) return 0;
    if (this.#narrowing.length === 0) return EVERY_KIND;
    let failed = 0;
    for (const [bit, passes] of this.#narrowing) {
      if (passes(torrent)) continue;
      if (failed !== 0) return 0;
      failed = bit;
    }
    return failed === 0 ? EVERY_KIND : failed;
  }

  #countedOf(torrent: Torrent, states: number, kinds: number): Counted {
    const { category_id, tags, trackerHosts, server_id, total_bytes: bytes } = torrent;
    return {
      torrent,
      states,
      labels: { category_id, tags, trackerHosts, server_id },
      tallies: this.#talliesOf(torrent),
      bytes,
      kinds,
    };
  }

  #talliesOf({ category_id, tags, trackerHosts, server_id }: Torrent): readonly Tally[] {
    const of = (key: FacetKey, kind: number) => this.#tallies.of(key, kind);
    return [
      of(`server:${server_id ?? 0}`, SERVER),
      of(`category:${category_id ?? 0}`, CATEGORY),
      ...(tags.length === 0 ? [of('tag:0', TAG)] : tags.map(({ id }) => of(`tag:${id}`, TAG))),
      ...(trackerHosts.length === 0
        ? [of('tracker:', TRACKER)]
        : trackerHosts.map((host) => of(`tracker:${host}`, TRACKER))),
    ];
  }

  #tally(counted: Counted, change: 1 | -1): void {
    this.#tallyStates(counted, counted.states, change);
    for (const tally of counted.tallies) {
      count(tally, counted, change);
      if (tally.all === 0) this.#tallies.drop(tally);
    }
  }

  #tallyStates(counted: Counted, states: number, change: 1 | -1): void {
    forEachState(states, (bit) => count(this.#tallies.ofStates[bit]!, counted, change));
  }
}

function count(tally: Tally, counted: Counted, change: 1 | -1): void {
  tally.all += change;
  show(tally, counted, change);
}

function show({ kind, shown }: Tally, { kinds, bytes }: Counted, change: 1 | -1): void {
  if ((kinds & kind) === 0) return;
  shown.count += change;
  shown.bytes += change * bytes;
}

/** Calls it with the place of each bit that is set. */
function forEachState(states: number, each: (bit: number) => void): void {
  for (let left = states; left !== 0; left &= left - 1) each(31 - Math.clz32(left & -left));
}

/** A patch that does not name them leaves them what they are. */
function haveSameLabels(a: Counted['labels'], b: Counted['labels']): boolean {
  return a.category_id === b.category_id && a.tags === b.tags && a.trackerHosts === b.trackerHosts;
}
