// The login limit: a token bucket per source address, 5 attempts at once and one more every 12 s (interface.md). An IPv6
// customer has a /64 at the least, so that is one source. Owns the buckets; the shell calls `sweep` every 5 minutes.
import ipaddr from 'ipaddr.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const BURST = 5;
const REFILL_MS = 12 * SECOND_MS;
const IDLE_EVICTION_MS = 10 * MINUTE_MS;
export const LOGIN_LIMIT_JANITOR_MS = 5 * MINUTE_MS;
/** No spec value; bounds memory when attempts come from very many addresses. The longest unused go first. */
const MAX_BUCKETS = 10_000;

interface Bucket {
  tokens: number;
  updatedAtMs: number;
}

export class LoginLimit {
  /** In the order of last use. */
  readonly #buckets = new Map<string, Bucket>();

  /** `now` in milliseconds, monotonic. */
  constructor(private readonly now: () => number) {}

  get size(): number {
    return this.#buckets.size;
  }

  /** Takes one attempt; false when none is left. */
  take(address: string): boolean {
    const source = sourceOf(address);
    const now = this.now();
    const bucket = this.#buckets.get(source) ?? { tokens: BURST, updatedAtMs: now };
    bucket.tokens = Math.min(BURST, bucket.tokens + (now - bucket.updatedAtMs) / REFILL_MS);
    bucket.updatedAtMs = now;
    this.#buckets.delete(source);
    this.#buckets.set(source, bucket);
    if (this.#buckets.size > MAX_BUCKETS) this.#evictOldest();
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  /** Forgets buckets that have been idle for 10 minutes; they are full again anyway. */
  sweep(): void {
    for (const [source, bucket] of this.#buckets) {
      if (this.now() - bucket.updatedAtMs < IDLE_EVICTION_MS) return;
      this.#buckets.delete(source);
    }
  }

  #evictOldest(): void {
    const oldest = this.#buckets.keys().next();
    if (!oldest.done) this.#buckets.delete(oldest.value);
  }
}

/** What counts as one source: an IPv4 address (mapped ones too), the /64 of an IPv6 one. */
export function sourceOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${Buffer.from(parsed.toByteArray().slice(0, 8)).toString('hex')}/64`;
}
