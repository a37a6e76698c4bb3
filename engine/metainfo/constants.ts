// Every cap on metadata that strangers hand us (docs/limits.md 2.1 to 2.7). "lt" marks the values of libtorrent's
// load_torrent_limits; the others have no reference and say what they protect.
import type { BencodeLimits } from '../../shared-protocol/bencode-scanner.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** A `.torrent` file (docs/api.md); one byte more is refused. */
export const MAX_TORRENT_BYTES = 10 * MIB;
/** An info dictionary, also one fetched from peers (BEP 9). lt */
export const MAX_INFO_BYTES = 30 * MIB;

/** The whole `.torrent` file. lt */
export const TORRENT_LIMITS: BencodeLimits = { maxDepth: 100, maxTokens: 3_000_000 };
/** The info dictionary alone, the same whether it came in a file or from peers, so what was added loads again. lt */
export const INFO_LIMITS: BencodeLimits = { maxDepth: 100, maxTokens: 2_500_000 };
/** Replies of trackers. */
export const TRACKER_REPLY_LIMITS: BencodeLimits = { maxDepth: 8, maxTokens: 100_000 };
/** Extension handshake, `ut_metadata` and `ut_pex` messages (BEP 10). */
export const EXTENSION_LIMITS: BencodeLimits = { maxDepth: 8, maxTokens: 10_000 };

/** lt */
export const MAX_PIECE_COUNT = 2_097_152;
export const MAX_PIECE_LENGTH_BYTES = 512 * MIB;
/**
 * Least piece length of a torrent of several pieces: a block, the least that peers ask for. With pieces of a few bytes
 * a peer that guesses what a file holds is told byte by byte where the guess was right.
 */
export const MIN_PIECE_LENGTH_BYTES = 16 * KIB;
/** lt: a file has fewer than 2^30 blocks of 16 KiB. */
export const MAX_FILE_BYTES = (2 ** 30 - 1) * 16 * KIB;
/** lt: offsets in a torrent fit 48 bits. */
export const MAX_TOTAL_BYTES = 2 ** 48 - 1;
export const PIECE_HASH_BYTES = 20;

/** Elements of a file's path below the torrent's folder. lt */
export const MAX_PATH_ELEMENTS = 100;
/** Files of one torrent that may be renamed because their path was taken. lt */
export const MAX_DUPLICATE_PATHS = 500;
/** The longest name of ext4, xfs, btrfs, ZFS and NTFS, in bytes of UTF-8: NAME_MAX. */
export const MAX_NAME_BYTES = 255;
/** The same of names for all systems: room for `.part` and the like. lt */
export const MAX_PORTABLE_NAME_BYTES = 240;
/** Longer names no file system has, so no web seed either. */
export const MAX_RAW_ELEMENT_CHARS = 255;

/** Longest URL: as long as the API lets a tracker be (docs/semantics.md section 5). */
export const MAX_URL_CHARS = 2048;
/** URLs looked at before giving up, so that a list of rubbish costs no time. */
export const MAX_TRACKER_CANDIDATES = 2_000;

/** Longest magnet; as many trackers, web seeds and peers as are kept take less than half of it. */
export const MAX_MAGNET_CHARS = 64 * KIB;
/** DHT nodes of a torrent file (BEP 5). */
export const MAX_NODES = 50;
/** Characters that are kept of a comment, and of other texts for people. */
export const MAX_COMMENT_CHARS = 2_000;
export const MAX_ORIGIN_CHARS = 200;
export const MAX_MAGNET_PEERS = 200;
/** Ranges of a magnet's selection (BEP 53); they stay with the torrent until the metadata is there. */
export const MAX_SELECTED_RANGES = 1_000;
