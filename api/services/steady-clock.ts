// Whether the wall clock can be believed for what cannot be undone. A machine without a battery begins in 1970, and a
// clock may be set to any year for a moment: what is recorded for the past is not forgotten because of it. Pure.
const MINUTE_MS = 60_000;
/** A clock that is set is set within minutes of the start, and set back within minutes of the mistake. */
export const STEADY_MS = 60 * MINUTE_MS;
/** Measured drifts of bad clocks are seconds a day. */
const JUMP_MS = MINUTE_MS;

export class SteadyClock {
  #offsetMs: number | null = null;
  #sinceMs = 0;

  /** `isSteadyAtFirst`: until it jumps the clock is believed, also right after the start. */
  constructor(private readonly isSteadyAtFirst = false) {}

  /** Takes both clocks as they are now; true once the wall clock has gone on evenly for long. */
  isSteady(monotonicMs: number, unixMs: number): boolean {
    const offsetMs = unixMs - monotonicMs;
    if (this.#offsetMs === null || Math.abs(offsetMs - this.#offsetMs) > JUMP_MS) {
      this.#sinceMs = this.#offsetMs === null && this.isSteadyAtFirst ? -Infinity : monotonicMs;
      this.#offsetMs = offsetMs;
    }
    return monotonicMs - this.#sinceMs >= STEADY_MS;
  }
}
