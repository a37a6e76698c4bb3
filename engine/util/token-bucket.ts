// A rate with a burst: so much a second, saved up to a limit while unused. Reads the clock, sets no timers.
import { SECOND_MS, type Clock } from '../environment.js';

export interface TokenBucketOptions {
  readonly perSecond: number;
  /** Tokens that an unused bucket holds, and holds at first. */
  readonly burst: number;
}

export class TokenBucket {
  #level: number;
  #atMs: number;

  constructor(
    private readonly clock: Clock,
    private readonly options: TokenBucketOptions,
  ) {
    this.#level = options.burst;
    this.#atMs = clock.nowMs();
  }

  /** Tokens there are now. */
  get level(): number {
    const nowMs = this.clock.nowMs();
    const gained = ((nowMs - this.#atMs) / SECOND_MS) * this.options.perSecond;
    this.#level = Math.min(this.options.burst, this.#level + gained);
    this.#atMs = nowMs;
    return this.#level;
  }

  get isBelowHalf(): boolean {
    return this.level < this.options.burst / 2;
  }

  /** All of them or none. */
  take(tokens: number): boolean {
    // A timer that was asked to wait for a whole token may find a rounding error less.
    if (this.level + 1e-6 < tokens) return false;
    this.#level -= tokens;
    return true;
  }

  /** Milliseconds until `take` would succeed. */
  waitMs(tokens: number): number {
    return Math.max(0, ((tokens - this.level) / this.options.perSecond) * SECOND_MS);
  }
}
