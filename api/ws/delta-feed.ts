// What the clients of one account that take deltas (`?frames=delta`) are sent: one full list first and every 30 s, in between
// what has changed since the frame before. Owns: a delta is only for who has had the frame before it.
import type { ListSnapshot } from '../torrent-list/list-snapshot.js';
import type { Frame, Frames } from './frames.js';

/** Frames from one full list to the next: 30 s (semantics.md section 7), less where others of the account join meanwhile. */
const FULL_EVERY = 30;

export class DeltaFeed {
  #sinceFull = 0;

  /** `base`: what its followers have been sent in full. */
  constructor(
    private readonly frames: Frames,
    private base: ListSnapshot,
  ) {}

  /** The frame for those who have had the one before: a delta, or the full list when it is due or no longer than that. */
  next(snapshot: ListSnapshot): Frame {
    const before = this.base;
    this.base = snapshot;
    const full = this.frames.list(snapshot);
    if (++this.#sinceFull >= FULL_EVERY) {
      this.#sinceFull = 0;
      return full;
    }
    const delta = this.frames.delta(before, snapshot);
    return delta.length < full.length ? delta : full;
  }
}
