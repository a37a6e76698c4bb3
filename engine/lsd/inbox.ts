// Which datagrams to the group of BEP 14 are worth reading (docs/limits.md 2.20), and how many were not. Owns no
// socket.
import type { Clock } from '../environment.js';
import { LSD_DATAGRAMS_PER_WINDOW, LSD_MAX_BYTES, LSD_WINDOW_MS } from './constants.js';
import { parseLsdSearch, type LsdSearch } from './codec.js';
import type { NetworkWatch } from './network-watch.js';
import { WindowLimiter } from './window-limiter.js';

export interface LsdInboxCounters {
  readonly received: number;
  /** Our own announcements come back to us. */
  readonly ownIgnored: number;
  readonly offNetIgnored: number;
  /** More than 50 in 5 s. */
  readonly rateIgnored: number;
  readonly malformedIgnored: number;
}

export class LsdInbox {
  readonly #limiter = new WindowLimiter(LSD_WINDOW_MS, LSD_DATAGRAMS_PER_WINDOW);
  readonly #counters = { received: 0, ownIgnored: 0, offNetIgnored: 0, rateIgnored: 0, malformedIgnored: 0 };
  readonly #ownMark: Buffer;

  constructor(
    private readonly deps: { readonly clock: Clock; readonly networks: NetworkWatch },
    ownCookie: string,
  ) {
    this.#ownMark = Buffer.from(`\r\ncookie: ${ownCookie}\r\n`, 'latin1');
  }

  get counters(): LsdInboxCounters {
    return { ...this.#counters };
  }

  /** A neighbour's announcement, or null. */
  read(bytes: Uint8Array, from: string): LsdSearch | null {
    this.#counters.received++;
    const why = this.#reasonToIgnore(bytes, from);
    const search = why ? null : parseLsdSearch(bytes);
    if (!search) this.#counters[why ?? 'malformedIgnored']++;
    return search;
  }

  /** Strangers and our own do not use up what neighbours may send, so the limiter comes last. */
  #reasonToIgnore(bytes: Uint8Array, from: string): keyof LsdInboxCounters | null {
    if (bytes.length > LSD_MAX_BYTES) return 'malformedIgnored';
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (view.includes(this.#ownMark)) return 'ownIgnored';
    if (!this.deps.networks.isNeighbour(from)) return 'offNetIgnored';
    return this.#limiter.take(this.deps.clock.nowMs()) ? null : 'rateIgnored';
  }
}
