// The pieces we let a new peer have while it is choked (BEP 6), so that it has something to trade soon. Each block of
// them is served three times at most (docs/limits.md 2.11), for no peer needs it more often.
import type { InfoHash } from '../../../shared-protocol/ids.js';
import { BLOCK_SIZE_BYTES } from '../../environment.js';
import { allowedFastSet } from '../../wire/allowed-fast.js';
import type { Bitfield } from '../pieces/bitfield.js';
import { pieceLengthAt, type PieceGeometry } from '../pieces/geometry.js';

/** libtorrent `allowed_fast_set_size`. */
const SET_SIZE = 5;
/** BEP 6's reasoning: a peer that has this many pieces can trade. */
const POOR_PEER_PIECES = 5;
const SERVINGS_PER_BLOCK = 3;

export class AllowedFastSet {
  /** Blocks that may still be served of each piece. */
  readonly #left = new Map<number, number>();

  constructor(private readonly geometry: PieceGeometry) {}

  /** The set for a peer; peers that have pieces share an empty one. */
  static for(geometry: PieceGeometry, theirs: Bitfield): AllowedFastSet {
    return theirs.count >= POOR_PEER_PIECES ? NONE : new AllowedFastSet(geometry);
  }

  /** The pieces to offer to a peer at this address that has so many pieces; to be called once. */
  offer(host: string, infoHash: InfoHash, ours: Bitfield, theirs: Bitfield): readonly number[] {
    if (theirs.count >= POOR_PEER_PIECES) return [];
    const pieces = allowedFastSet(host, infoHash, this.geometry.pieceCount, SET_SIZE);
    const offered = pieces.filter((piece) => ours.has(piece) && !theirs.has(piece));
    for (const piece of offered) {
      const blocks = Math.ceil(pieceLengthAt(this.geometry, piece) / BLOCK_SIZE_BYTES);
      this.#left.set(piece, blocks * SERVINGS_PER_BLOCK);
    }
    return offered;
  }

  has(piece: number): boolean {
    return this.#left.has(piece);
  }

  /** Whether a block of the piece may be served to a choked peer; counts as served. */
  take(piece: number): boolean {
    const left = this.#left.get(piece) ?? 0;
    if (left > 0) this.#left.set(piece, left - 1);
    return left > 0;
  }
}

const NONE = new AllowedFastSet({ pieceCount: 0, pieceLength: 0, totalBytes: 0 });
