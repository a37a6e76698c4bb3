// Limits on web seeds (BEP 19 leaves all of them to the client); the starting values are libtorrent's.
import { BLOCK_SIZE_BYTES, MINUTE_MS, SECOND_MS } from '../environment.js';

/** Asked for at once (`urlseed_max_request_bytes`). */
export const MAX_RANGE_BYTES = 16 * 1024 * 1024;
export const MAX_RANGE_BLOCKS = MAX_RANGE_BYTES / BLOCK_SIZE_BYTES;
/** Without a byte for this long a seed counts as gone (`urlseed_timeout`). */
export const SILENCE_TIMEOUT_MS = 20 * SECOND_MS;
export const MAX_REDIRECTS = 5;
/** A response's status line and headers together. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** How long an idle connection is kept for the next request; servers mostly close theirs after 5 to 75 s. */
export const KEEP_CONNECTION_MS = 15 * SECOND_MS;
/** Read of the body of a redirect, so that its connection can be used again. */
export const MAX_REDIRECT_BODY_BYTES = 16 * 1024;

/** At the same time, for one torrent (`max_web_seed_connections`). */
export const MAX_CONNECTED = 3;
/** After a failure (`urlseed_wait_retry`), doubled with each further one. */
export const RETRY_MS = 30 * SECOND_MS;
export const MAX_RETRY_MS = 30 * MINUTE_MS;
/** The longest `Retry-After` that is waited for. */
export const MAX_RETRY_AFTER_MS = 60 * MINUTE_MS;
/** A connection that lasted this long makes the failures before it forgotten. */
export const LASTING_MS = 5 * MINUTE_MS;

/** Our query to an HTTP seed (BEP 17) whose URL has none: nothing in it is of a torrent author's choice. */
export const PIECE_QUERY = /^\?info_hash=(?:%[0-9a-f]{2}){20}&piece=\d{1,10}&ranges=\d{1,10}-\d{1,10}$/;
