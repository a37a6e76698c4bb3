// The time of a look at torrents: others have their turn in between, and it has an end. Asked after each piece of work that
// an account may make long.
import { Slices } from '../../../shared-protocol/slices.js';

/** Requests are answered in between; one piece of work more may take 5 ms. */
const SLICE_MS = 5;

export class TimeBudget {
  readonly #begunMs: number;
  readonly #slices: Slices;

  constructor(
    /** Monotonic milliseconds. */
    private readonly nowMs: () => number,
    private readonly budgetMs = Infinity,
  ) {
    this.#begunMs = nowMs();
    this.#slices = new Slices(SLICE_MS, { nowMs });
  }

  /** Whether to {@link pass}: cheaper than to do so each time. */
  isDue(): boolean {
    return this.#slices.isOver || !this.#isInTime;
  }

  /** Lets others run; false: the time is up. */
  async pass(): Promise<boolean> {
    const isInTime = this.#isInTime;
    await this.#slices.pass();
    return isInTime;
  }

  get #isInTime(): boolean {
    return this.nowMs() - this.#begunMs <= this.budgetMs;
  }
}
