// Token buckets by key: 5 attempts at once and one more every 12 s, as docs/api.md has it for signing in. Owns the
// buckets; the shell calls `sweep` every 5 minutes.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const BURST = 5;
const REFILL_MS = 12 * SECOND_MS;
const IDLE_EVICTION_MS = 10 * MINUTE_MS;
/** No spec value; bounds memory when attempts come from very many addresses. The longest unused go first. */
const MAX_BUCKETS = 10_000;

interface Bucket {
  tokens: number;
  updatedAtMs: number;
}

export class AttemptLimit {
  /** In the order of last use. */
  readonly #buckets = new Map<string, Bucket>();

  /** `now` in milliseconds, monotonic. */
  constructor(private readonly now: () => number) {}

  get size(): number {
    return this.#buckets.size;
  }

  /** Takes one attempt; false when none is left. */
  take(key: string): boolean {
    const bucket = this.#filled(key);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  /** An attempt that is not to count after all. */
  giveBack(key: string): void {
    const bucket = this.#filled(key);
    bucket.tokens = Math.min(BURST, bucket.tokens + 1);
  }

  /** Whether nothing was taken lately but the one attempt that is being made. */
  isFresh(key: string): boolean {
    return this.#filled(key).tokens >= BURST - 1;
  }

  /** Forgets buckets that have been idle for 10 minutes; they are full again anyway. */
  sweep(): void {
    for (const [key, bucket] of this.#buckets) {
      if (this.now() - bucket.updatedAtMs < IDLE_EVICTION_MS) return;
      this.#buckets.delete(key);
    }
  }

  #filled(key: string): Bucket {
    const now = this.now();
    const bucket = this.#buckets.get(key) ?? { tokens: BURST, updatedAtMs: now };
    bucket.tokens = Math.min(BURST, bucket.tokens + (now - bucket.updatedAtMs) / REFILL_MS);
    bucket.updatedAtMs = now;
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > MAX_BUCKETS) this.#evictOldest();
    return bucket;
  }

  #evictOldest(): void {
    const oldest = this.#buckets.keys().next();
    if (!oldest.done) this.#buckets.delete(oldest.value);
  }
}
