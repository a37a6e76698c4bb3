// Wall-clock time that goes on evenly: one that jumps is followed once it has been steady for long, and not before.
import { SteadyClock } from './steady-clock.js';

export class EvenClock {
  readonly #steady = new SteadyClock(true);
  #offsetMs = 0;

  /** The first time of `wallMs` is believed. `nowMs` goes on whatever that is set to. */
  constructor(
    private readonly wallMs: () => number,
    private readonly nowMs: () => number,
  ) {}

  unixMs(): number {
    const [now, wall] = [this.nowMs(), this.wallMs()];
    if (this.#steady.isSteady(now, wall)) this.#offsetMs = wall - now;
    return now + this.#offsetMs;
  }
}
