// Message ids, lengths and limits of the peer wire protocol.
import { BLOCK_SIZE_BYTES, SECOND_MS } from '../environment.js';

/** BEP 3: length byte, "BitTorrent protocol", 8 reserved bytes, info hash, peer id. */
export const HANDSHAKE_BYTES = 68;
export const PROTOCOL_HEADER: Uint8Array = Buffer.from('\x13BitTorrent protocol', 'latin1');

/** BEP 3 and BEP 6; only those the framed path treats itself or checks. */
export const MESSAGE = {
  choke: 0,
  unchoke: 1,
  interested: 2,
  notInterested: 3,
  have: 4,
  bitfield: 5,
  request: 6,
  piece: 7,
  cancel: 8,
  port: 9,
  suggest: 13,
  haveAll: 14,
  haveNone: 15,
  reject: 16,
  allowedFast: 17,
  extended: 20,
} as const;

/** BEP 3: length prefix, id, piece, begin. */
export const PIECE_HEADER_BYTES = 13;
/** BEP 3: length prefix, id, piece, begin, length: request, cancel and reject alike. */
export const REQUEST_FRAME_BYTES = 17;

/** No spec value; libtorrent closes on messages above 1 MiB. */
export const MAX_FRAME_BYTES = 1024 * 1024;
/** BEP 9: 16 KiB of metadata and its dictionary; libtorrent closes above 17 KiB, PEX may be larger. */
export const MAX_EXTENDED_BYTES = 512 * 1024;
/** Requests we accept and serve are at most one block: BEP 3 says larger ones are to be refused. */
export const MAX_BLOCK_BYTES = BLOCK_SIZE_BYTES;

/** `reqq` that we advertise (BEP 10), and the hard cap on queued requests of a peer (libtorrent, qBittorrent). */
export const MAX_QUEUED_REQUESTS = 2000;
/** The queue that we assume of a peer that says nothing (Transmission). */
export const DEFAULT_PEER_REQUEST_QUEUE = 500;
/** Requests outstanding at a peer (libtorrent's high-performance preset). */
export const MAX_OUTSTANDING_REQUESTS = 1500;
export const MIN_OUTSTANDING_REQUESTS = 4;
/** The request queue holds this much of a peer's measured rate (libtorrent `request_queue_time`). */
export const REQUEST_QUEUE_TIME_MS = 3 * SECOND_MS;

/** Invalid requests before a peer is closed (libtorrent). */
export const MAX_INVALID_REQUESTS = 300;
/** How long requests may still come after we choked: they crossed the choke on the way (libtorrent). */
export const CHOKE_GRACE_MS = 2 * SECOND_MS;
/** Requests taken back or repeated for each block delivered (docs/limits.md 2.11), beyond a queue full a minute. */
export const WASTED_REQUESTS_PER_BLOCK = 2;
/** Messages but requests and blocks: at once, and each second. Haves of the fastest peers are a few thousand a second. */
export const CONTROL_BURST = 16_384;
export const CONTROL_PER_SEC = 10_000;
/** One that says something of all pieces, or makes them be counted anew, costs as one message for so many of them. */
export const PIECES_PER_MESSAGE_COST = 128;
/** A block shorter than this counts as such a message: only the last one of a torrent is. */
export const TINY_BLOCK_BYTES = 1024;
/** Bytes that were not asked for before a peer is closed; generous, for late answers to cancelled requests. */
export const MAX_UNREQUESTED_BYTES = 8 * 1024 * 1024;

/** One vectored read serves at most this many contiguous blocks: 512 KiB and two system calls. */
export const MAX_BLOCKS_PER_READ = 32;
/** Reads in flight for one peer. */
export const MAX_READS_PER_PEER = 2;
/**
 * Unsent bytes above which no more is read from disk for a peer. libtorrent's high-performance preset has 3 MiB; a third
 * of that costs 20 % less CPU, as what is sent is still in the cache.
 */
export const SEND_WATERMARK_BYTES = 1024 * 1024;
/** A slow peer's watermark is what it takes in half a second, but not less than this. */
export const MIN_SEND_WATERMARK_BYTES = 32 * 1024;

/** Unsent bytes of a peer after which it is closed: blocks stop at the watermark, so it is all the rest that piles up. */
export const MAX_UNSENT_BYTES = 4 * 1024 * 1024;
/** Metadata waits while so much is unsent (libtorrent: ten pieces of it). */
export const METADATA_WATERMARK_BYTES = 160 * 1024;
/** A peer that takes none of the blocks written for so long goes; sooner when others wait for the memory they lie in. */
export const SEND_STALL_MS = 300 * SECOND_MS;
export const SEND_STALL_WHEN_SHORT_MS = 30 * SECOND_MS;
/** One that takes none for so long has no use for an upload slot until it does: longer than TCP takes to recover from loss. */
export const SLOT_STALL_MS = 20 * SECOND_MS;

export const HANDSHAKE_TIMEOUT_MS = 10 * SECOND_MS;
export const CONNECT_TIMEOUT_MS = 15 * SECOND_MS;
/** BEP 3: keep-alives go out about every two minutes; Transmission sends after 100 s. */
export const KEEP_ALIVE_MS = 100 * SECOND_MS;
export const PEER_TIMEOUT_MS = 120 * SECOND_MS + 20 * SECOND_MS;
