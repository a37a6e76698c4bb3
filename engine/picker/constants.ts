// Every number the picker is tuned by (safety.md, "Picker and end-game"). No BEP gives a value for any of them.

/** Pieces taken at random before the rarest come first: something to trade is needed soon. libtorrent uses 4. */
export const RANDOM_FIRST_PIECES = 4;

/** Outstanding copies of one block in end-game (safety.md 2.15). */
export const MAX_BLOCK_COPIES = 3;

/** A peer with this many requests gets no copies in end-game: it bounds what may arrive twice. */
export const END_GAME_PIPELINE = 16;

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
