// How much peer exchange (BEP 11) one peer may do. The values are libtorrent's (docs/limits.md 2.17), which sends a
// message a minute, but not to the second, and one soon after connecting.
import { MINUTE_MS } from '../environment.js';

/** libtorrent: `pex_message_too_large`. */
export const MAX_PEX_MESSAGE_BYTES = 500 * 1024;
/** BEP 11: no more than 50 added and 50 dropped in a message, IPv4 and IPv6 together. */
export const MAX_PEX_PEERS = 50;
/** BEP 11: no more than one message a minute to the same peer. */
export const PEX_INTERVAL_MS = MINUTE_MS;
/** Messages that may come within a minute. */
const MAX_MESSAGES = 6;

/** The times of the last messages of one peer. */
export class PexRate {
  readonly #lastMs: number[] = new Array<number>(MAX_MESSAGES).fill(-Infinity);
  #oldest = 0;

  /** False for a message too many, which is not counted. `nowMs` is monotonic. */
  accept(nowMs: number): boolean {
    if (nowMs - this.#lastMs[this.#oldest]! < PEX_INTERVAL_MS) return false;
    this.#lastMs[this.#oldest] = nowMs;
    this.#oldest = (this.#oldest + 1) % MAX_MESSAGES;
    return true;
  }
}
