// Addresses to ping, which is how nodes are found outside of lookups. What strangers name is asked once in a while and
// slowly, so that no stranger can use us to knock at another's door (BEP 5 `port` messages, queriers).
import type { Clock, PeerAddress, Timer } from '../environment.js';
import { formatAddress } from '../net/address.js';
import { PING_HOST_GAP_MS, PING_MAX_REMEMBERED, PING_MAX_WAITING, PINGS_PER_SECOND } from './constants.js';
import { kindOf } from './node-address.js';
import { TokenBucket } from '../util/token-bucket.js';

interface PingQueueDeps {
  readonly clock: Clock;
  readonly ping: (address: PeerAddress) => void;
}

export class PingQueue {
  /** By address, in order. */
  readonly #waiting = new Map<string, PeerAddress>();
  /** When a host was last accepted, oldest first. */
  readonly #acceptedMs = new Map<string, number>();
  readonly #rate: TokenBucket;
  #timer: Timer | null = null;
  #closed = false;

  constructor(private readonly deps: PingQueueDeps) {
    this.#rate = new TokenBucket(deps.clock, { perSecond: PINGS_PER_SECOND, burst: PINGS_PER_SECOND });
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** An address from strangers: each host once in ten minutes. */
  offer(address: PeerAddress): void {
    // Near by, several nodes share a host: those of a test, or behind one router of a provider.
    const host = kindOf(address.host) === 'public' ? address.host : formatAddress(address);
    const nowMs = this.deps.clock.nowMs();
    const acceptedMs = this.#acceptedMs.get(host) ?? -Infinity;
    if (nowMs - acceptedMs < PING_HOST_GAP_MS || this.#waiting.size >= PING_MAX_WAITING) return;
    this.#acceptedMs.delete(host);
    this.#acceptedMs.set(host, nowMs);
    const [oldest] = this.#acceptedMs.keys();
    if (this.#acceptedMs.size > PING_MAX_REMEMBERED && oldest !== undefined) this.#acceptedMs.delete(oldest);
    this.insist(address);
  }

  /** An address that we chose: only the rate holds it back. */
  insist(address: PeerAddress): void {
    if (this.#closed || this.#waiting.size >= PING_MAX_WAITING) return;
    this.#waiting.set(formatAddress(address), address);
    this.#pump();
  }

  close(): void {
    this.#closed = true;
    this.#waiting.clear();
    this.#timer?.cancel();
  }

  #pump(): void {
    if (this.#timer) return;
    for (const [key, address] of this.#waiting) {
      if (!this.#rate.take(1)) {
        this.#timer = this.deps.clock.after(Math.ceil(this.#rate.waitMs(1)), () => {
          this.#timer = null;
          this.#pump();
        });
        return;
      }
      this.#waiting.delete(key);
      this.deps.ping(address);
    }
  }
}
