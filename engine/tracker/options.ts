// How much announcing may go on at once; plain data, with the defaults of docs/limits.md 2.23.
import { MAX_TRACKERS } from '../../shared-protocol/torrent-bounds.js';
import {
  CLOSING_MAX_CONCURRENT,
  CLOSING_MAX_PER_HOST,
  MAX_CONCURRENT,
  MAX_CONCURRENT_PER_ACCOUNT,
  MAX_PER_HOST,
  STARTS_PER_WINDOW,
  WINDOW_MS,
} from './constants.js';
import type { DueLimits } from './due-queue.js';

export interface AnnounceQueueOptions {
  readonly limits: DueLimits;
  /** In force from `close` on. */
  readonly closingLimits: DueLimits;
  readonly maxTrackersPerTorrent: number;
}

export const DEFAULT_ANNOUNCE_QUEUE_OPTIONS: AnnounceQueueOptions = {
  limits: {
    startsPerWindow: STARTS_PER_WINDOW,
    windowMs: WINDOW_MS,
    maxConcurrent: MAX_CONCURRENT,
    maxPerHost: MAX_PER_HOST,
    maxPerAccount: MAX_CONCURRENT_PER_ACCOUNT,
  },
  closingLimits: {
    startsPerWindow: Infinity,
    windowMs: WINDOW_MS,
    maxConcurrent: CLOSING_MAX_CONCURRENT,
    maxPerHost: CLOSING_MAX_PER_HOST,
    maxPerAccount: CLOSING_MAX_CONCURRENT,
  },
  maxTrackersPerTorrent: MAX_TRACKERS,
};
