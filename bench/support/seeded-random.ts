// Chance that is the same in every run (mulberry32), so that two runs measure the same work. Not for secrets.
import type { Random } from '../../engine/environment.js';

export class SeededRandom implements Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  below(bound: number): number {
    return Math.floor((this.#next() / 2 ** 32) * bound);
  }

  bytes(length: number): Uint8Array {
    const words = Uint32Array.from({ length: Math.ceil(length / 4) }, () => this.#next());
    return new Uint8Array(words.buffer, 0, length);
  }

  /** An integer in [0, 2^32). */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}
