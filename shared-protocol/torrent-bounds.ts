// What one torrent may bring along or be given, wherever it is from. All of it is in the memory of both threads, and
// much of it in each list that clients are sent: what has no bound here is a bound on how many torrents the service can
// show.

const KIB = 1024;

/** Trackers of a torrent over all tiers. Public lists have about twenty; each is a door that is knocked at. */
export const MAX_TRACKERS = 30;
/** Characters of them in all: 500 for each, five times what a URL with a passkey takes. */
export const MAX_TRACKER_CHARS = 16 * KIB;

/** Web seeds (BEP 17, BEP 19), by the same measure. */
export const MAX_WEB_SEEDS = MAX_TRACKERS;
export const MAX_WEB_SEED_CHARS = MAX_TRACKER_CHARS;

/** Tags on a torrent; more than a user reads. */
export const MAX_TAGS = 100;
/** All tags of a torrent as JSON in UTF-8: a hundred short ones, a dozen of the longest. */
export const MAX_TAGS_BYTES = 5 * KIB;

/** A torrent in a list, as JSON in UTF-8 (TorrentDTO). */
export const MAX_TORRENT_DTO_BYTES = 16 * KIB;
/** Trackers in a torrent's magnet, encoded: half of the whole. */
export const MAX_MAGNET_TRACKER_CHARS = 8 * KIB;
