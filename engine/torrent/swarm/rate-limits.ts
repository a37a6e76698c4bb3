// The rate limits of one torrent's connections, both ways.
import type { RateLimits } from '../../../shared-protocol/commands/limits.js';
import type { Limiters, TorrentLimiter } from '../../net/rate-limiter.js';
import type { GroupLimiters } from '../session-interface.js';
import type { Peer, PeerRates } from '../peer/peer.js';

export class SwarmRateLimits {
  readonly #down: TorrentLimiter;
  readonly #up: TorrentLimiter;

  constructor(limiters: Limiters, own: RateLimits, groups: GroupLimiters) {
    this.#down = limiters.down.torrent();
    this.#up = limiters.up.torrent();
    this.set(own);
    this.joinGroups(groups);
  }

  /** The accounts whose limits it has a part of; in place of those before. */
  joinGroups({ down, up }: GroupLimiters): void {
    this.#down.join(down);
    this.#up.join(up);
  }

  /** The torrent's own; takes effect at once. */
  set({ downBytesPerSec, upBytesPerSec }: RateLimits): void {
    this.#down.setLimit(downBytesPerSec);
    this.#up.setLimit(upBytesPerSec);
  }

  /** A new peer's part of the limits; the peer is called when it had to wait and may go on. */
  join(calls: { readonly onDownReady: () => void; readonly onUpReady: () => void }): PeerRates {
    return { down: this.#down.client(calls.onDownReady), up: this.#up.client(calls.onUpReady) };
  }

  leave({ rates }: Peer): void {
    rates.down.close();
    rates.up.close();
  }

  close(): void {
    this.#down.close();
    this.#up.close();
  }
}
