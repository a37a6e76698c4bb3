// One timer for many due times: set for the earliest that was asked for since it last went off.
import type { Clock, Timer } from '../environment.js';

export class WakeTimer {
  #timer: Timer | null = null;
  #dueMs = Infinity;
  #closed = false;

  constructor(
    private readonly clock: Pick<Clock, 'nowMs' | 'after'>,
    private readonly onWake: () => void,
  ) {}

  /** Also for "now": it never wakes from within this call. Later than what is set already changes nothing. */
  wakeAt(dueMs: number): void {
    if (this.#closed || dueMs >= this.#dueMs) return;
    this.#timer?.cancel();
    this.#dueMs = dueMs;
    this.#timer = this.clock.after(Math.max(0, dueMs - this.clock.nowMs()), () => {
      this.#timer = null;
      this.#dueMs = Infinity;
      this.onWake();
    });
  }

  /** For good. */
  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }
}
