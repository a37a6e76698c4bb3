// Work that many hands do side by side without waiting for anything, in slices, so that it does not keep the thread from others:
// at the end of a slice all of them wait for one and the same turn of the event loop.
import { setImmediate as othersRan } from 'node:timers/promises';

/** Requests are answered in between. */
const SLICE_MS = 5;

export class SharedPause {
  #begunMs: number;
  #pause: Promise<void> | null = null;

  constructor(
    /** Monotonic milliseconds. */
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.#begunMs = nowMs();
  }

  /** To be waited for before each piece of work; null: there is time left. */
  get due(): Promise<void> | null {
    if (this.#pause === null && this.nowMs() - this.#begunMs < SLICE_MS) return null;
    this.#pause ??= othersRan().then(() => {
      this.#pause = null;
      this.#begunMs = this.nowMs();
    });
    return this.#pause;
  }
}
