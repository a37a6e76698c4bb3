// How a check gives way to transfers: alone it has the hashing threads and the disk for itself; while much payload moves
// it takes small bites and rests after each, so that it hashes a tenth of the time and pieces that were just received
// never wait long behind it. One for all checks.
import { SECOND_MS, type Clock } from '../../environment.js';

/** No spec value: payload at this rate takes a twentieth of a core, and what a check takes of it is felt. */
const BUSY_BYTES_PER_SEC = 32 * 1024 * 1024;
/** The rate is that of at least so long. */
const LOOK_MS = 100;
/** Rest for each time of work. */
const REST_FACTOR = 9;
/** Also how long a check that is stopped may go on resting. */
const MAX_REST_MS = 500;

export class CheckThrottle {
  #bytes = 0;
  #sinceMs: number;
  #isBusy = false;

  constructor(private readonly clock: Pick<Clock, 'nowMs' | 'after'>) {
    this.#sinceMs = clock.nowMs();
  }

  /** Payload went one way or the other, of any torrent. */
  onPayload(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Much has moved since it was asked before. */
  get isBusy(): boolean {
    const elapsedMs = this.clock.nowMs() - this.#sinceMs;
    if (elapsedMs < LOOK_MS) return this.#isBusy;
    this.#isBusy = (this.#bytes * SECOND_MS) / elapsedMs > BUSY_BYTES_PER_SEC;
    this.#bytes = 0;
    this.#sinceMs += elapsedMs;
    return this.#isBusy;
  }

  /** After work that took so long; resolves at once while nothing much moves. */
  rest(workedMs: number): Promise<void> {
    if (!this.isBusy) return Promise.resolve();
    const restMs = Math.min(MAX_REST_MS, REST_FACTOR * workedMs);
    return new Promise((resolve) => void this.clock.after(restMs, resolve));
  }
}
