// Numbers of the DHT (BEP 5) and our limits on it; "lt" marks libtorrent's values, "tr" Transmission's.
import { MINUTE_MS, SECOND_MS } from '../environment.js';
import type { BencodeLimits } from '../metainfo/index.js';

export const NODE_ID_BYTES = 20;
/** BEP 5 compact node info: id, IPv4 address, port. */
export const COMPACT_NODE_BYTES = 26;
export const COMPACT_PEER_BYTES = 6;

/** Safety limits of a datagram. lt */
export const DATAGRAM_BENCODE_LIMITS: BencodeLimits = { maxDepth: 10, maxTokens: 500 };
/** An Ethernet frame's worth; no message of BEP 5 needs more. */
export const DATAGRAM_MAX_BYTES = 1_500;
/** Our replies must pass any path without fragments. */
export const REPLY_MAX_BYTES = 1_400;
/** Our package answers with its whole table and all peers before we cut that down, so its own messages may be long. */
export const OWN_BENCODE_LIMITS: BencodeLimits = { maxDepth: 10, maxTokens: 20_000 };
/** BEP 5: "t" is usually two bytes; some clients use up to 16. */
export const TRANSACTION_MAX_BYTES = 32;
/** BEP 5 leaves the token to who hands it out: 4 bytes (lt) to 20 (most). */
export const TOKEN_MAX_BYTES = 64;

/** BEP 5: K, the nodes that a reply names. */
export const REPLY_MAX_NODES = 8;
/** lt `dht_max_peers_reply` */
export const REPLY_MAX_VALUES = 100;
/** lt `dht_upload_rate_limit`; for replies only, as our own queries are bounded by their concurrency. */
export const REPLY_RATE_BYTES_PER_SEC = 8_000;
export const REPLY_BURST_BYTES = 3 * REPLY_RATE_BYTES_PER_SEC;
/** Once half of the burst is used up, the node we answer must have sent a quarter of that (docs/limits.md 2.19). */
export const REPLY_MAX_AMPLIFICATION = 4;

/** lt `dht_block_ratelimit` 5 a second over 10 s, `dht_block_timeout`; but for many more sources than its 20. */
export const FLOOD_MESSAGES = 50;
export const FLOOD_WINDOW_MS = 10 * SECOND_MS;
export const FLOOD_BLOCK_MS = 300 * SECOND_MS;
export const FLOOD_MAX_SOURCES = 4_096;

/** lt `dht_max_torrents` and `dht_max_peers`: what others may store with us. */
export const STORE_MAX_TORRENTS = 2_000;
export const STORE_MAX_PEERS_PER_TORRENT = 500;
/** Peers of one address for one torrent: a few clients behind one router, not a port scan. */
export const STORE_MAX_PEERS_PER_HOST = 8;
/** Over all torrents: a million entries of the package would take 300 MB. */
export const STORE_MAX_PEERS = 50_000;
/** lt: one and a half announce intervals. */
export const STORE_PEER_LIFE_MS = 45 * MINUTE_MS;

/** The package's timeout of a query, and how long we remember it to tell its reply from a forged one. */
export const QUERY_TIMEOUT_MS = 2 * SECOND_MS;
export const QUERY_MEMORY_MS = 3 * SECOND_MS;
/** Queries under way. A lookup asks about 80 nodes, a third of them gone: this allows about one a second. */
export const QUERY_CONCURRENCY = 64;
/** To one public address: all lookups under way and a few pings, not what a reply full of one victim would make us send. */
export const QUERY_MAX_PER_HOST = 8;
/** Answers missed in a row before a node leaves the table. */
export const NODE_MAX_FAILURES = 2;
/** How often silence is noticed and stale nodes are asked. */
export const MAINTENANCE_INTERVAL_MS = MINUTE_MS;
/** BEP 5: a node is good when it has answered within the last 15 minutes. */
export const NODE_FRESH_MS = 15 * MINUTE_MS;
/** Nodes asked again each minute when they have been silent for longer: a table of 300 within 15 minutes. */
export const REFRESH_PER_MINUTE = 20;

/** lt `dht_announce_interval` */
export const LOOKUP_INTERVAL_MS = 900 * SECOND_MS;
/** Part of the interval that chance adds or takes. */
export const LOOKUP_JITTER = 0.1;
export const LOOKUP_MAX_CONCURRENT = 5;
/** tr, `active_dht_limit`: 600 torrents each interval. With more of them all have their turn, less often. */
export const LOOKUPS_PER_INTERVAL = 600;
export const LOOKUP_BURST = 5;
/** Between two lookups of a torrent, however much it wants peers. */
export const LOOKUP_MIN_GAP_MS = 60 * SECOND_MS;
/** A lookup that hostile nodes lead on and on is ended, and no longer waited for. */
export const LOOKUP_DEADLINE_MS = 20 * SECOND_MS;
export const LOOKUP_GIVE_UP_MS = 30 * SECOND_MS;
/** Peers handed on from one lookup. */
export const LOOKUP_MAX_PEERS = 2_000;

/** Pings of addresses that peers and strangers name (BEP 5 `port` messages): once in a while each, few over all. */
export const PING_HOST_GAP_MS = 10 * MINUTE_MS;
export const PINGS_PER_SECOND = 10;
export const PING_MAX_WAITING = 400;
export const PING_MAX_REMEMBERED = 4_096;

/** tr saves as many. */
export const SAVED_MAX_NODES = 300;
export const SAVE_INTERVAL_MS = 15 * MINUTE_MS;
/** BEP 5: buckets that have not changed for 15 minutes are refreshed; ours by a lookup of our own id. */
export const OWN_LOOKUP_INTERVAL_MS = 15 * MINUTE_MS;
/** ... and of so many ids in the buckets farthest from it. */
export const FAR_WALKS = 3;
/** With an empty table: asked again after so long, then twice that, and so on. */
export const JOIN_RETRY_MIN_MS = 5 * SECOND_MS;
export const JOIN_RETRY_MAX_MS = 5 * MINUTE_MS;
/** Between the first node in an empty table and the lookup of our own id: others may answer meanwhile. */
export const JOIN_SETTLE_MS = SECOND_MS;

/** Asked where no other node is known. */
export const PUBLIC_ROUTERS = [
  { host: 'router.bittorrent.com', port: 6881 },
  { host: 'router.utorrent.com', port: 6881 },
  { host: 'dht.transmissionbt.com', port: 6881 },
] as const;
