// What the clients of one account that take deltas (`?frames=delta`) are sent: one full list first and every 30 s, in between
// what has changed since the frame before. Owns: a delta is only for who has had the frame before it.
import type { ListSnapshot } from '../snapshot/list-snapshot.js';
import type { Frame, Frames } from './frames.js';

/** Ticks from one full list to the next: 30 s (semantics.md section 7). */
const FULL_EVERY = 30;

export class DeltaFeed {
  #ticks = 0;

  /** `base`: what a client that starts now is to be sent in full, and what the next delta is made against. */
  constructor(
    private readonly frames: Frames,
    public base: ListSnapshot,
  ) {}

  /** The frame for those who have had the one before: a delta, or the full list when it is due or no longer than that. */
  next(snapshot: ListSnapshot): Frame {
    const before = this.base;
    this.base = snapshot;
    const full = this.frames.list(snapshot);
    if (++this.#ticks >= FULL_EVERY) {
      this.#ticks = 0;
      return full;
    }
    const delta = this.frames.delta(before, snapshot);
    return delta.length < full.length ? delta : full;
  }
}
