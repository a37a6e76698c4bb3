// Rates, connections and places in the queue: of all torrents, of an account, of one torrent.
import type { AccountId } from '../ids.js';

/** Payload in bytes per second; 0: no limit. */
export interface RateLimits {
  readonly downBytesPerSec: number;
  readonly upBytesPerSec: number;
}

/** Connections and upload slots of one torrent; 0: as many as it would have. Never more than that. */
export interface TorrentPeerLimits {
  readonly maxPeers: number;
  readonly uploadSlots: number;
}

/** Limits of all torrents that an account runs together. */
export interface AccountLimit extends RateLimits {
  readonly accountId: AccountId;
  /** Nothing is uploaded to peers, whatever the rates. Absent: not so. */
  readonly isUploadStopped?: true;
}

/** Where in the queue torrents are moved to together: `up` and `down` by one place, a number to a place from 0. */
export type QueueTarget = 'top' | 'bottom' | 'up' | 'down' | number;

/** How many torrents run at a time without being forced; 0: no limit, and nothing is held back. */
export interface QueueLimits {
  readonly maxActiveDownloads: number;
  readonly maxActiveSeeds: number;
  /** A torrent that has moved no payload for so long runs on and is not counted; 0: it is. @default 0 */
  readonly stalledMinutes?: number;
}
