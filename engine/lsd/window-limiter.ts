// How many events of one kind count in a window of time; the rest of a full window is ignored. Pure.
export class WindowLimiter {
  #startMs = Number.NEGATIVE_INFINITY;
  #taken = 0;

  constructor(
    private readonly windowMs: number,
    private readonly max: number,
  ) {}

  /** Whether an event at this time is within the limit. */
  take(nowMs: number): boolean {
    if (nowMs - this.#startMs >= this.windowMs) {
      this.#startMs = nowMs;
      this.#taken = 0;
    }
    if (this.#taken >= this.max) return false;
    this.#taken++;
    return true;
  }
}
