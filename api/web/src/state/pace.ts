// How often something may happen that people feel, as rows that change their places under the mouse. Pure.

export class Pace {
  #lastMs = -Infinity;

  /** `everyMs`: at least, from one time to the next. */
  constructor(private readonly everyMs: number) {}

  /** How long it has to wait still; 0: not at all, and that is counted as the last time. Milliseconds. */
  waitMs(nowMs: number): number {
    const waitMs = Math.max(0, this.#lastMs + this.everyMs - nowMs);
    if (waitMs === 0) this.#lastMs = nowMs;
    return waitMs;
  }
}
