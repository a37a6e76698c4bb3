// Who makes room in a full list of known peers. Those that failed too often go first, then the least worth; but no
// newcomer displaces a peer of a better source than its own, and a sound one only of a worse: what anybody may claim
// (PEX) never pushes out what the tracker said (safety.md 2.17).
import { IndexedHeap } from './peer-heap.js';
import { isTriedBefore, MAX_FAILURES, type KnownEntry } from './known-peer.js';

export class EvictionQueue {
  readonly #failed = new IndexedHeap<KnownEntry>(goesBefore);
  readonly #sound = new IndexedHeap<KnownEntry>(goesBefore);

  get steps(): number {
    return this.#failed.steps + this.#sound.steps;
  }

  insert(entry: KnownEntry): void {
    (entry.failures >= MAX_FAILURES ? this.#failed : this.#sound).push(entry);
  }

  remove(entry: KnownEntry): void {
    this.#failed.remove(entry);
    this.#sound.remove(entry);
  }

  /** Who yields to a newcomer whose source has this rank; null: nobody. */
  victimFor(rank: number): KnownEntry | null {
    // The worst source is on top of both, so that nobody below would yield when the top does not.
    const failed = this.#failed.peek();
    if (failed && failed.rank >= rank) return failed;
    const sound = this.#sound.peek();
    return sound && sound.rank > rank ? sound : null;
  }

  /** Who is the smallest loss when the list has to shrink. */
  worst(): KnownEntry | null {
    return this.#failed.peek() ?? this.#sound.peek();
  }

  /** Throws `bug: …`; for tests. `entries`: all that should be inside. */
  checkInvariant(entries: readonly KnownEntry[]): void {
    this.#failed.checkInvariant();
    this.#sound.checkInvariant();
    const size = this.#failed.size + this.#sound.size;
    if (size !== entries.length) throw new Error(`bug: ${size} peers could yield, of ${entries.length}`);
    for (const entry of entries) {
      const heap = entry.failures >= MAX_FAILURES ? this.#failed : this.#sound;
      if (!heap.has(entry)) throw new Error(`bug: ${entry.key} cannot yield`);
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
