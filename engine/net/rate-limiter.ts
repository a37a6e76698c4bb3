// Rate limits of one direction: global bucket -> buckets of accounts -> torrent buckets -> clients (a peer's socket). Torrents share the global
// limit and clients their torrent's, fairly by bytes, and what one does not use the others may. Where nothing is limited
// a client asks one boolean and no more. How it is shared: rate-shares.ts.
//
// Both ways: `mayGo()`, then at most `quantum()` bytes, and `charge` what was taken: of blocks that are requested, and of
// blocks that are read to be sent. What arrives unasked is charged as well; the socket may be paused until `onReady`.
import type { Clock } from '../environment.js';
import { ClientShare, RateGroup, RateShares, TorrentShare } from './rate-shares.js';

export class RateLimiter {
  readonly #shares: RateShares;

  constructor(clock: Pick<Clock, 'nowMs' | 'after'>) {
    this.#shares = new RateShares(clock);
  }

  /** Takes effect at once; clients that may go now are called before this returns. @param bytesPerSec 0 for none */
  setLimit(bytesPerSec: number): void {
    this.#shares.setLimit(null, bytesPerSec);
  }

  /** For torrents that are to have a limit in common; without one at first. */
  group(): GroupLimiter {
    return new GroupLimiter(this.#shares);
  }

  torrent(): TorrentLimiter {
    return new TorrentLimiter(this.#shares);
  }
}

export class GroupLimiter {
  readonly group = new RateGroup();

  /** Made by {@link RateLimiter.group}. */
  constructor(private readonly shares: RateShares) {}

  /** Works as {@link RateLimiter.setLimit} does. @param bytesPerSec 0 for none */
  setLimit(bytesPerSec: number): void {
    this.shares.setLimit(this.group, bytesPerSec);
  }
}

/** Over all torrents. */
export interface Limiters {
  readonly down: RateLimiter;
  readonly up: RateLimiter;
}

/** Bytes that one torrent may move; the lower of its own limit and its share of the global one. */
export class TorrentLimiter {
  readonly #torrent = new TorrentShare();

  /** Made by {@link RateLimiter.torrent}. */
  constructor(private readonly shares: RateShares) {}

  /** Works as {@link RateLimiter.setLimit} does. @param bytesPerSec 0 for none */
  setLimit(bytesPerSec: number): void {
    this.shares.setLimit(this.#torrent, bytesPerSec);
  }

  /** The bytes of the torrent count for the group, of the same limiter, and for no other; null: for none. */
  join(limiter: GroupLimiter | null): void {
    this.shares.join(this.#torrent, limiter && limiter.group);
  }

  /** `onReady` is called once for each `mayGo` that was refused, and never from within `mayGo` or `charge`. */
  client(onReady: () => void): RateClient {
    return new RateClient(this.shares, new ClientShare(this.#torrent, onReady));
  }

  /** Ends the torrent's clients: they are not called any more, and `mayGo` refuses them. */
  close(): void {
    this.shares.closeTorrent(this.#torrent);
  }
}

export class RateClient {
  /** Made by {@link TorrentLimiter.client}. */
  constructor(
    private readonly shares: RateShares,
    private readonly share: ClientShare,
  ) {}

  /** False: nothing need be asked or charged. */
  get isLimited(): boolean {
    return this.shares.isLimited(this.share.torrent);
  }

  /** True: move up to `quantum()` bytes, or what one read brings. False: wait for `onReady`, which means the same. */
  mayGo(): boolean {
    return !this.isLimited || this.shares.ask(this.share);
  }

  /** Bytes that have moved or are about to. More than `quantum()` is paid back by waiting longer. */
  charge(bytes: number): void {
    this.shares.charge(this.share, bytes);
  }

  /** Bytes that were charged and will not move after all. */
  refund(bytes: number): void {
    this.shares.refund(this.share, bytes);
  }

  /** How many bytes to move before asking again; Infinity without a limit. Meaningful once `mayGo` or `onReady` said yes. */
  quantum(): number {
    return this.isLimited ? this.share.credit : Infinity;
  }

  /** Forgets it, also while it waits. */
  close(): void {
    this.shares.closeClient(this.share);
  }
}
