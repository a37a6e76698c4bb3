// How much a peer may be asked for under the download limits. A block is paid for when it is asked for, and asked for no
// earlier, so nothing piles up in the socket for other messages to wait behind. What arrives unpaid (asked for before
// there was a limit, or never) is paid then, and reading waits for it; but what a peer was sending when a limit came is
// let in, or the peer would not be heard for as long as that takes.
import type { RateClient } from '../../net/rate-limiter.js';
import { BLOCK_SIZE_BYTES, SECOND_MS } from '../../environment.js';

/** For what is on its way when requests are taken back: a round trip and what senders have buffered. No spec value. */
const GRACE_MS = 2 * SECOND_MS;

export interface RequestAllowanceOptions {
  /** False for web seeds: those are better asked for much at once, and have nothing else to say. */
  readonly paysAhead: boolean;
}

export class RequestAllowance {
  /** Paid for blocks that are awaited: requested, and not arriving yet. `settle` tells when some are not any more. */
  #paidBytes = 0;
  /** Monotonic; null while all requests were made under a limit, or none were taken back. */
  #graceEndMs: number | null = null;

  constructor(
    private readonly client: RateClient,
    private readonly options: RequestAllowanceOptions,
  ) {}

  /** How many of the wanted blocks may be asked for at once; 0: none until the limiter calls. */
  blocks(wanted: number): number {
    if (!this.client.mayGo()) return 0;
    if (!this.options.paysAhead) return wanted;
    return Math.min(wanted, Math.max(1, Math.floor(this.client.quantum() / BLOCK_SIZE_BYTES)));
  }

  onAsked(blocks: number): void {
    if (!this.client.isLimited) this.#graceEndMs = null;
    else if (this.options.paysAhead) {
      const bytes = blocks * BLOCK_SIZE_BYTES;
      this.#paidBytes += bytes;
      this.client.charge(bytes);
    }
  }

  onArrival(bytes: number, nowMs: number): void {
    const paid = Math.min(this.#paidBytes, bytes);
    this.#paidBytes -= paid;
    if (paid < bytes && this.client.isLimited && !this.#isGrace(nowMs)) this.client.charge(bytes - paid);
  }

  /** Once in a while: what was paid for requests that were lost or taken back goes to others. */
  settle(awaited: number): void {
    const excess = this.#paidBytes - awaited * BLOCK_SIZE_BYTES;
    if (excess <= 0) return;
    this.#paidBytes -= excess;
    this.client.refund(excess);
  }

  /** Whether blocks are awaited that should be taken back, as they were requested without a limit. Says so once. */
  beginGrace(awaited: number, nowMs: number): boolean {
    if (!this.options.paysAhead || this.#graceEndMs !== null || !this.#owes(awaited)) return false;
    this.#graceEndMs = nowMs + GRACE_MS;
    return true;
  }

  /** Whether reading has to wait: more is on its way than was paid for, and it may not come yet. */
  mustWait(awaited: number, nowMs: number): boolean {
    return this.#owes(awaited) && !this.#isGrace(nowMs) && !this.client.mayGo();
  }

  #owes(awaited: number): boolean {
    return this.#paidBytes < awaited * BLOCK_SIZE_BYTES;
  }

  #isGrace(nowMs: number): boolean {
    return this.#graceEndMs !== null && nowMs < this.#graceEndMs;
  }
}
