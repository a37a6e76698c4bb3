// Numbers of the tracker protocols and our limits on them; the starting values are those of libtorrent and
// Transmission, the same for every torrent.
import { MINUTE_MS, SECOND_MS } from '../environment.js';

const HOUR_MS = 60 * MINUTE_MS;

/** BEP 3 leaves the interval to the tracker; these bound what a wrong or hostile one may ask of us. */
export const INTERVAL_MIN_MS = 60 * SECOND_MS;
export const INTERVAL_MAX_MS = 24 * HOUR_MS;
/** No spec value; libtorrent uses 1800 s where a reply names no usable interval. */
export const INTERVAL_DEFAULT_MS = 1800 * SECOND_MS;
/** Between two announces that nothing but a wish for peers calls for. No spec value; libtorrent uses 300 s. */
export const MIN_INTERVAL_DEFAULT_MS = 300 * SECOND_MS;
/** Part of a delay that chance adds or takes, so that torrents added together drift apart. */
export const JITTER = 0.1;

/** Back-off after failures: min(60 min, 5 s + 5 s * fails^2 * 2.5), as libtorrent (`tracker_backoff` 250). */
export const BACKOFF_BASE_MS = 5 * SECOND_MS;
export const BACKOFF_FACTOR = 2.5;
export const BACKOFF_MAX_MS = 60 * MINUTE_MS;
/** How long one torrent's failure to reach a tracker may spare the others the attempt. */
export const UNREACHABLE_MAX_MS = 5 * MINUTE_MS;

/** Announces begun per window, as Transmission: a restart with 10,000 torrents must not look like an attack. */
export const STARTS_PER_WINDOW = 20;
export const WINDOW_MS = 500;
/** The places of one account, as many as libtorrent has in all, and some for others. */
export const MAX_CONCURRENT_PER_ACCOUNT = 50;
export const MAX_CONCURRENT = 66;
export const MAX_PER_HOST = 8;
/** While closing, `stopped` must reach 1,000 torrents' trackers within 5 s; so there is no window then. */
export const CLOSING_MAX_CONCURRENT = 256;
export const CLOSING_MAX_PER_HOST = 64;

/** Hashes in one scrape (BEP 15 allows about 74; Transmission uses 60). */
export const SCRAPE_MAX_HASHES = 60;
/** How long a scrape waits for other torrents of the same tracker to join it. */
export const SCRAPE_GATHER_MS = 5 * SECOND_MS;
/** Pause after a scrape failed. No spec value; libtorrent scrapes every 1800 s. */
export const SCRAPE_RETRY_MS = 1800 * SECOND_MS;

/** Pause after a failed announce before a person's wish makes the next. No spec value. */
export const RETRY_BY_HAND_MS = 30 * SECOND_MS;

/**
 * The same after a refusal in the tracker's own words: a torrent that has just been put there may be "unregistered" for
 * some seconds, and programs that race ask again. No spec value.
 */
export const RETRY_REFUSED_BY_HAND_MS = 5 * SECOND_MS;

/** HTTP reply, compressed or not. */
export const REPLY_MAX_BYTES = 1024 * 1024;
/** Safety limits for a tracker's bencoding. */
export const REPLY_BENCODE_LIMITS = { maxDepth: 8, maxTokens: 100_000 } as const;
/** Peers taken from one reply: ten times what is asked for, far below the 170,000 that fit in 1 MiB. */
export const REPLY_MAX_PEERS = 1000;
/** Longest text of a tracker that is kept for display. */
export const REPLY_MAX_TEXT = 200;

/** Port of `udp://` URLs that name none; no spec value, others do the same. */
export const UDP_DEFAULT_PORT = 80;

/** Longest tracker URL that is used (semantics). */
export const URL_MAX_LENGTH = 2048;
