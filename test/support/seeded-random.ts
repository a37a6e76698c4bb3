// Chance that repeats: mulberry32, a 32-bit generator of good enough quality for tests, from a seed that a failing
// test prints. Never for anything that an opponent may guess.
import type { Random } from '../../engine/environment.js';

export class SeededRandom implements Random {
  #state: number;

  constructor(readonly seed: number) {
    this.#state = seed >>> 0;
  }

  below(bound: number): number {
    return Math.floor((this.#next() / 2 ** 32) * bound);
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let i = 0; i < length; i++) bytes[i] = this.#next() >>> 24;
    return bytes;
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
