// Who makes room in a full list of known peers. Those that failed too often go first, then the least worth; but no
// newcomer displaces a peer of a better source than its own, and a sound one only of a worse: what any peer may claim
// (PEX) never pushes out what the tracker said (docs/limits.md 2.17).
import { BinaryHeap } from '../../util/binary-heap.js';
import { isTriedBefore, MAX_FAILURES, type KnownEntry, type PlaceInLine } from './known-peer.js';

export class EvictionQueue {
  readonly #failed: BinaryHeap<PlaceInLine>;
  readonly #sound: BinaryHeap<PlaceInLine>;
  #steps = 0;

  constructor() {
    const before = (a: PlaceInLine, b: PlaceInLine): boolean => {
      this.#steps++;
      return goesBefore(a.entry, b.entry);
    };
    this.#failed = new BinaryHeap(before);
    this.#sound = new BinaryHeap(before);
  }

  /** Comparisons made so far: what the order has cost. */
  get steps(): number {
    return this.#steps;
  }

  insert(entry: KnownEntry): void {
    (entry.failures >= MAX_FAILURES ? this.#failed : this.#sound).push(entry.eviction);
  }

  remove(entry: KnownEntry): void {
    if (!this.#failed.remove(entry.eviction)) this.#sound.remove(entry.eviction);
  }

  /** The peer that yields to a newcomer whose source has this rank; null: none. */
  victimFor(rank: number): KnownEntry | null {
    // The worst source is on top of both, so that none below would yield when the top does not.
    const failed = this.#failed.peek()?.entry;
    if (failed && failed.rank >= rank) return failed;
    const sound = this.#sound.peek()?.entry;
    return sound && sound.rank > rank ? sound : null;
  }

  /** The peer that is the smallest loss when the list has to shrink. */
  worst(): KnownEntry | null {
    return (this.#failed.peek() ?? this.#sound.peek())?.entry ?? null;
  }

  /** Throws `bug: …`; for tests. `entries`: all that should be inside. */
  checkInvariant(entries: readonly KnownEntry[]): void {
    this.#failed.checkInvariant();
    this.#sound.checkInvariant();
    const size = this.#failed.size + this.#sound.size;
    if (size !== entries.length) throw new Error(`bug: ${size} peers could yield, of ${entries.length}`);
    for (const entry of entries) {
      const heap = entry.failures >= MAX_FAILURES ? this.#failed : this.#sound;
      if (!heap.has(entry.eviction)) throw new Error(`bug: ${entry.key} cannot yield`);
    }
  }
}

/** The worse source; then who never answered; then who would be tried last. */
function goesBefore(a: KnownEntry, b: KnownEntry): boolean {
  if (a.rank !== b.rank) return a.rank > b.rank;
  const [aAnswered, bAnswered] = [a.lastConnectedMs !== null, b.lastConnectedMs !== null];
  if (aAnswered !== bAnswered) return bAnswered;
  return isTriedBefore(b, a);
}
