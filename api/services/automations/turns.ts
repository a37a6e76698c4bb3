// The time of a look at torrents: others have their turn in between, and it has an end. Asked after each piece of work that
// an account may make long.
import { setImmediate as othersRan } from 'node:timers/promises';

/** Requests are answered in between; one piece of work more may take 5 ms. */
const SLICE_MS = 5;

export class Turns {
  readonly #begunMs: number;
  #sliceMs: number;

  constructor(
    /** Monotonic milliseconds. */
    private readonly nowMs: () => number,
    private readonly budgetMs = Infinity,
  ) {
    this.#begunMs = this.#sliceMs = nowMs();
  }

  /** Whether to {@link pass}: cheaper than to do so each time. */
  isDue(): boolean {
    const nowMs = this.nowMs();
    return nowMs - this.#sliceMs > SLICE_MS || nowMs - this.#begunMs > this.budgetMs;
  }

  /** Lets others run; false: the time is up. */
  async pass(): Promise<boolean> {
    const isInTime = this.nowMs() - this.#begunMs <= this.budgetMs;
    await othersRan();
    this.#sliceMs = this.nowMs();
    return isInTime;
  }
}
