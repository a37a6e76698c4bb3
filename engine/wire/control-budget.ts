// How many messages a peer may send that are neither requests nor blocks: each takes microseconds of the one thread that
// serves everybody, and a peer with a fast line can send millions of them a second. A bucket that leaks; no clock.
import { SECOND_MS } from '../environment.js';
import { CONTROL_BURST, CONTROL_PER_SEC } from './constants.js';

export class ControlBudget {
  #level = 0;

  /** A message came that costs as much as so many ordinary ones; false when it is one too many. */
  spend(cost = 1): boolean {
    this.#level += cost;
    return this.#level <= CONTROL_BURST;
  }

  tick(elapsedMs: number): void {
    this.#level = Math.max(0, this.#level - (CONTROL_PER_SEC * elapsedMs) / SECOND_MS);
  }
}
