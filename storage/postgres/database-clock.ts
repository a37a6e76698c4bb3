// The wall clock of a database, as it was when it was last asked, carried on since: one for all fronts, whatever theirs say.
import { sinceBootMs } from '../../shared-protocol/clock.js';

export class DatabaseClock {
  #offsetMs = 0;

  constructor(private readonly nowMs: () => number = sinceBootMs) {}

  set(unixMs: number): void {
    this.#offsetMs = unixMs - this.nowMs();
  }

  /** Asks nobody; of a database that is there. */
  unixMs(): number {
    return this.nowMs() + this.#offsetMs;
  }
}
