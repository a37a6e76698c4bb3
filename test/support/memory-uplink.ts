// What a host of the network in memory sends through: one rate for all its connections, which take turns, a few KiB
// each, as flows of equal weight do. Without one, bytes leave a host in no time.
import type { Clock } from '../../engine/environment.js';

/** The most that one connection sends in its turn: small, so that a choke does not wait behind others' blocks. */
export const TURN_BYTES = 8 * 1024;

const FRACTIONS = 1_024;

/** Puts up to {@link TURN_BYTES} of a connection on its way; returns how many there were. */
export type Turn = (departsInMs: (bytes: number) => number) => number;

export class MemoryUplink {
  readonly #waiting: Turn[] = [];
  #busy = false;

  constructor(
    private readonly clock: Clock,
    private readonly bytesPerSec: number,
  ) {}

  enqueue(turn: Turn): void {
    this.#waiting.push(turn);
    if (!this.#busy) this.#next();
  }

  #next(): void {
    const turn = this.#waiting.shift();
    this.#busy = turn !== undefined;
    if (!turn) return;
    // In a callback of the clock, never within the write that asked for the turn.
    this.clock.after(0, () => {
      const bytes = turn((length) => this.#durationMs(length));
      this.clock.after(this.#durationMs(bytes), () => this.#next());
    });
  }

  /** In binary fractions of a millisecond, so that sums of times are exact and what is due is due. */
  #durationMs(bytes: number): number {
    return Math.ceil((bytes * 1_000 * FRACTIONS) / this.bytesPerSec) / FRACTIONS;
  }
}
