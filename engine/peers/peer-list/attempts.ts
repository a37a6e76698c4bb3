// Which known peer is connected to next, and when. Peers wait by time, then stand in order of worth; known seeds stand
// aside while we are one ourselves. Invariant: a peer inside is in exactly one of the three.
import { BinaryHeap } from '../../util/binary-heap.js';
import { isTriedBefore, type KnownEntry, type PlaceInLine } from './known-peer.js';

export class AttemptQueue {
  readonly #ready: BinaryHeap<PlaceInLine>;
  readonly #waiting: BinaryHeap<PlaceInLine>;
  readonly #aside = new Set<KnownEntry>();
  #seeding = false;
  #steps = 0;

  constructor() {
    this.#ready = new BinaryHeap((a, b) => {
      this.#steps++;
      return isTriedBefore(a.entry, b.entry);
    });
    this.#waiting = new BinaryHeap((a, b) => {
      this.#steps++;
      return a.entry.notBeforeMs < b.entry.notBeforeMs;
    });
  }

  /** Comparisons made so far: what the order has cost. */
  get steps(): number {
    return this.#steps;
  }

  insert(entry: KnownEntry): void {
    if (this.#seeding && entry.isSeed) this.#aside.add(entry);
    else if (entry.notBeforeMs > 0) this.#waiting.push(entry.attempt);
    else this.#ready.push(entry.attempt);
  }

  remove(entry: KnownEntry): void {
    if (!this.#ready.remove(entry.attempt)) this.#waiting.remove(entry.attempt);
    this.#aside.delete(entry);
  }

  /** Takes the next one out; null when none is due. */
  take(nowMs: number): KnownEntry | null {
    for (let due = this.#waiting.peek(); due && due.entry.notBeforeMs <= nowMs; due = this.#waiting.peek()) {
      this.#waiting.remove(due);
      this.#ready.push(due);
    }
    return this.#ready.pop()?.entry ?? null;
  }

  /** When the next one is due, perhaps in the past; null when there is none. */
  nextMs(): number | null {
    return (this.#ready.peek() ?? this.#waiting.peek())?.entry.notBeforeMs ?? null;
  }

  /** `entries`: all that are inside. Looks at each of them, once for each change. */
  setSeeding(seeding: boolean, entries: Iterable<KnownEntry>): void {
    if (this.#seeding === seeding) return;
    this.#seeding = seeding;
    for (const entry of entries) {
      if (!entry.isSeed) continue;
      this.remove(entry);
      this.insert(entry);
    }
  }

  has(entry: KnownEntry): boolean {
    return this.#ready.has(entry.attempt) || this.#waiting.has(entry.attempt) || this.#aside.has(entry);
  }

  /** Throws `bug: …`; for tests. `entries`: all that should be inside. */
  checkInvariant(entries: readonly KnownEntry[]): void {
    this.#ready.checkInvariant();
    this.#waiting.checkInvariant();
    const size = this.#ready.size + this.#waiting.size + this.#aside.size;
    if (size !== entries.length) throw new Error(`bug: ${size} peers queued of ${entries.length}`);
    for (const entry of entries) {
      if (!this.has(entry)) throw new Error(`bug: ${entry.key} is not queued`);
      if (this.#aside.has(entry) !== (this.#seeding && entry.isSeed)) throw new Error(`bug: ${entry.key} stands wrong`);
    }
  }
}
