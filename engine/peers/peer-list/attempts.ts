// Which known peer is connected to next, and when. Peers wait by time, then stand in order of worth; known seeds stand
// aside while we are one ourselves. Invariant: a peer inside is in exactly one of the three.
import { IndexedHeap } from './peer-heap.js';
import { isTriedBefore, type KnownEntry } from './known-peer.js';

export class AttemptQueue {
  readonly #ready = new IndexedHeap<KnownEntry>(isTriedBefore);
  readonly #waiting = new IndexedHeap<KnownEntry>((a, b) => a.notBeforeMs < b.notBeforeMs);
  readonly #aside = new Set<KnownEntry>();
  #seeding = false;

  get steps(): number {
    return this.#ready.steps + this.#waiting.steps;
  }

  insert(entry: KnownEntry): void {
    if (this.#seeding && entry.isSeed) this.#aside.add(entry);
    else if (entry.notBeforeMs > 0) this.#waiting.push(entry);
    else this.#ready.push(entry);
  }

  remove(entry: KnownEntry): void {
    this.#ready.remove(entry);
    this.#waiting.remove(entry);
    this.#aside.delete(entry);
  }

  /** Takes the next one out; null when none is due. */
  take(nowMs: number): KnownEntry | null {
    for (let due = this.#waiting.peek(); due && due.notBeforeMs <= nowMs; due = this.#waiting.peek()) {
      this.#waiting.remove(due);
      this.#ready.push(due);
    }
    return this.#ready.pop();
  }

  /** When the next one is due, perhaps in the past; null when there is none. */
  nextMs(): number | null {
    return (this.#ready.peek() ?? this.#waiting.peek())?.notBeforeMs ?? null;
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
    return this.#ready.has(entry) || this.#waiting.has(entry) || this.#aside.has(entry);
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
