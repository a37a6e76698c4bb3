// A clock that stands still until a test moves it. Timers run in order of due time, and of creation where due
// together, so the same test always runs the same way. Owns time only: it knows nothing of sockets or threads.
import type { Clock, Timer } from '../../engine/environment.js';

interface Pending {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
}

export class VirtualClock implements Clock {
  #nowMs: number;
  #order = 0;
  readonly #unixAtZeroMs: number;
  readonly #pending = new Set<Pending>();

  /** `unixMs` is the wall-clock time at which the test begins. @default 2025-01-01T00:00:00Z */
  constructor(unixMs = 1_735_689_600_000, nowMs = 0) {
    this.#nowMs = nowMs;
    this.#unixAtZeroMs = unixMs - nowMs;
  }

  /** Timers that have not run and were not cancelled; for leak checks. */
  get pendingTimers(): number {
    return this.#pending.size;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  unixMs(): number {
    return this.#unixAtZeroMs + this.#nowMs;
  }

  after(delayMs: number, callback: () => void): Timer {
    // NaN and negative delays are due at once, as with setTimeout.
    const timer = { dueMs: this.#nowMs + (delayMs > 0 ? delayMs : 0), order: this.#order++, callback };
    this.#pending.add(timer);
    return { cancel: () => void this.#pending.delete(timer) };
  }

  /** Moves time forward, running what falls due; promises settle before, between and after the timers. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await this.settle();
    for (let next = this.#next(untilMs); next; next = this.#next(untilMs)) {
      this.#pending.delete(next);
      this.#nowMs = next.dueMs;
      next.callback();
      await this.settle();
    }
    this.#nowMs = untilMs;
  }

  /** Lets everything that only waits for promises run to its end; time stands still. */
  async settle(): Promise<void> {
    // An immediate runs after all microtasks, however long their chain.
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }

  #next(untilMs: number): Pending | undefined {
    let first: Pending | undefined;
    for (const timer of this.#pending) {
      if (timer.dueMs > untilMs) continue;
      if (!first || timer.dueMs < first.dueMs || (timer.dueMs === first.dueMs && timer.order < first.order))
        first = timer;
    }
    return first;
  }
}
