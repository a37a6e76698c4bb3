// Every number the picker is tuned by (docs/limits.md, "Picker and end-game"). No BEP gives a value for any of them.

/** Pieces taken at random before the rarest come first: something to trade is needed soon. libtorrent uses 4. */
export const RANDOM_FIRST_PIECES = 4;

/** Outstanding copies of one block in end-game (docs/limits.md 2.15). */
export const MAX_BLOCK_COPIES = 3;

/** A peer with this many requests gets no copies in end-game: it bounds what may arrive twice. */
export const END_GAME_PIPELINE = 16;

/**
 * A copy must be expected this many times sooner than the block itself. Expectations are rough: at 2, fifty peers of mixed
 * speeds send a quarter more for nothing, and the end comes no sooner.
 */
export const COPY_ADVANTAGE = 4;

/** Part of a block's time that counts for the first of a queue: it is on its way, so a copy is nearly always waste. */
export const HEAD_OF_QUEUE = 1 / 16;

/** Outstanding blocks looked at for copies: bounds the cost of a question when the last seconds of a fast download are many. */
export const MAX_END_GAME_BLOCKS = 4_096;

/** Blocks over which a peer's pace is averaged: some seconds of a download from many, so that slow peers have a pace. */
export const PACE_WINDOW_BLOCKS = 1_024;

/** A peer with nothing to do that finds nothing new this many times (it is asked each second) stops to wait for others. */
export const END_GAME_PATIENCE = 4;

/** Urgent pieces, from the first, that slow peers keep out of and that are asked for again where they are late. */
export const NEAR_PIECES = 4;

/** How much faster than a peer another one must be for the peer to keep out of the pieces that are needed next. */
export const NEAR_ADVANTAGE = 4;

/** Copies of late blocks asked for at a time, and blocks looked at for it: bounds what comes twice, and the cost of a question. */
export const MAX_LATE_COPIES = 8;
export const MAX_LATE_BLOCKS = 1_024;

/** How much faster than its owner a peer must be to join in a piece that the owner was to fetch alone. */
export const OWNER_ADVANTAGE = 4;

/** Requests a snubbing peer may have. libtorrent uses 1. */
export const SNUBBED_PIPELINE = 1;

/** Steps along the order before the pieces of a peer are intersected with the candidates instead. */
export const WALK_LIMIT = 128;

/** Candidates kept of one intersection, so that its cost is shared by as many pieces. */
export const SHORTLIST_LENGTH = 64;

/** Ranks told apart; a piece that more peers have than this is as common as any other such piece. */
export const AVAILABILITY_RANKS = 512;

/** Part of the pieces (1 / this) from which a change of availability sorts anew instead of moving each piece. */
export const RESORT_DIVISOR = 16;
