// A token bucket in bytes: what may still be moved under one limit. It may be overdrawn, because bytes are often counted
// after they have moved; the debt is paid back before anything else goes, so that the average is exact. Pure: the time
// is an argument.
import { BLOCK_SIZE_BYTES, SECOND_MS } from '../environment.js';

/** Time for which an unused limit saves up: enough that a late timer costs no throughput. */
const BURST_MS = 250;
/** ... but always a block, or slow limits would move in crumbs. */
const MIN_BURST_BYTES = BLOCK_SIZE_BYTES;

export class RateBucket {
  #bytesPerSec = 0;
  #tokens = 0;
  #filledAtMs = 0;
  #reserved = 0;

  get isLimited(): boolean {
    return this.#bytesPerSec > 0;
  }

  /** 0: no limit. */
  get bytesPerSec(): number {
    return this.#bytesPerSec;
  }

  /** Bytes that no client has moved or been promised, as of the last `refill`; negative after an overdraft. */
  get room(): number {
    return this.isLimited ? this.#tokens - this.#reserved : Infinity;
  }

  /** `bytesPerSec` above 0. The bucket begins empty; a debt never takes longer to pay back than under the old limit. */
  setRate(bytesPerSec: number, nowMs: number): void {
    this.refill(nowMs);
    if (this.#tokens < 0 && this.isLimited) this.#tokens *= Math.min(1, bytesPerSec / this.#bytesPerSec);
    this.#bytesPerSec = bytesPerSec;
    this.#filledAtMs = nowMs;
    this.#tokens = Math.min(this.#tokens, burstBytes(bytesPerSec));
  }

  /** No limit from now on; credit and debt are forgotten. */
  clearRate(): void {
    this.#bytesPerSec = 0;
    this.#tokens = 0;
  }

  refill(nowMs: number): void {
    const elapsedMs = nowMs - this.#filledAtMs;
    if (!this.isLimited || elapsedMs <= 0) return;
    this.#filledAtMs = nowMs;
    const earned = (this.#bytesPerSec * elapsedMs) / SECOND_MS;
    this.#tokens = Math.min(this.#tokens + earned, burstBytes(this.#bytesPerSec));
  }

  /** These bytes have moved, or are about to. Call `refill` first. */
  take(bytes: number): void {
    if (this.isLimited) this.#tokens -= bytes;
  }

  /** Promises bytes, or (negative) takes a promise back. Counted without a limit too, so that every promise ends. */
  reserve(bytes: number): void {
    this.#reserved += bytes;
  }
}

function burstBytes(bytesPerSec: number): number {
  return Math.max(MIN_BURST_BYTES, (bytesPerSec * BURST_MS) / SECOND_MS);
}
