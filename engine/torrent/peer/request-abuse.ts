// How one peer uses its right to ask for blocks (docs/limits.md 2.11): what it asked that cannot be served, and what it
// took back or repeated, measured by what it was sent. Each answer tells whether the peer is still borne. Pure.
import { BLOCK_SIZE_BYTES, MINUTE_MS } from '../../environment.js';
import {
  CHOKE_GRACE_MS,
  MAX_INVALID_REQUESTS,
  MAX_QUEUED_REQUESTS,
  WASTED_REQUESTS_PER_BLOCK,
} from '../../wire/constants.js';

export class RequestAbuse {
  #invalid = 0;
  /** When we choked it last; null: it never held a slot. */
  #chokedAtMs: number | null = null;
  /** The start of the minute under way, and the counts of it. */
  #sinceMs = -Infinity;
  #uploadedBefore = 0;
  #wasted = 0;

  onChoked(nowMs: number): void {
    this.#chokedAtMs = nowMs;
  }

  onInvalid(): boolean {
    return ++this.#invalid <= MAX_INVALID_REQUESTS;
  }

  /** A request while we choke. `isChokeSent` false: the choke itself still waits to be sent. */
  onChokedRequest(nowMs: number, isChokeSent: boolean): boolean {
    const crossed = this.#chokedAtMs !== null && (!isChokeSent || nowMs - this.#chokedAtMs <= CHOKE_GRACE_MS);
    return crossed || this.onInvalid();
  }

  /**
   * A queued request was taken back, or made again. In end games a whole queue is; beyond that, two for each block that
   * the peer was sent within the minute. `uploadedBytes`: to this peer, ever.
   */
  onWasted(nowMs: number, uploadedBytes: number): boolean {
    if (nowMs - this.#sinceMs >= MINUTE_MS) {
      this.#sinceMs = nowMs;
      this.#uploadedBefore = uploadedBytes;
      this.#wasted = 0;
    }
    const blocks = (uploadedBytes - this.#uploadedBefore) / BLOCK_SIZE_BYTES;
    return ++this.#wasted <= MAX_QUEUED_REQUESTS + WASTED_REQUESTS_PER_BLOCK * blocks || this.onInvalid();
  }
}
