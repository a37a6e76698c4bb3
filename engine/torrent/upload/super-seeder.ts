// Super-seeding (BEP 16): which piece a seed shows to which peer next, so that a new torrent costs it little more than one
// copy. A peer is shown one piece, which it alone may fetch here, and another one when others have that piece too: it has
// passed it on. Pieces that nobody has come first, then those that nobody was shown: a peer that claims to have what it
// does not keeps none from the others. Pure: it hears what peers have, and says what to show.
//
// BEP 16 waits for ever for a peer that passes nothing on. Here patience ends that, since peers may not reach each other;
// and it ends at once where no other peer lacks the piece.
import { SECOND_MS, type Random } from '../../environment.js';
import type { PeerKey } from '../../picker/types.js';
import { Bitfield } from '../pieces/bitfield.js';

/** No spec value: an optimistic turn of BEP 3, within which a peer that wants a piece of another has had a chance. */
export const PATIENCE_MS = 30 * SECOND_MS;
/** No spec value: a peer that lacks what it is shown and does not say that it wants it has no use for it. */
export const UNWANTED_MS = 5 * SECOND_MS;

/** The rank of pieces that peers say they have, and were not shown: after those that nobody has. */
const NEVER_SHOWN = 1;

/** A peer to which pieces are shown. */
interface Viewer {
  /** null: it has not been shown any yet. */
  piece: number | null;
  /** When it was shown the piece, or got it; without one, since when it is here. */
  sinceMs: number;
}

export interface SuperSeederDeps {
  readonly pieceCount: number;
  readonly random: Random;
  /** Whether the peer wants to be served. */
  wants(key: PeerKey): boolean;
  /** The peer may have this piece from now on. */
  show(key: PeerKey, piece: number): void;
}

export class SuperSeeder {
  /** Pieces of each connected peer, as they were last heard of. */
  readonly #pieces = new Map<PeerKey, Bitfield>();
  readonly #viewers = new Map<PeerKey, Viewer>();
  /** How many peers have each piece, and are shown it. */
  readonly #copies: Uint32Array;
  /** Pieces without any. */
  #unseen: number;
  /** Pieces that some peer was shown. */
  readonly #everShown: Bitfield;

  constructor(private readonly deps: SuperSeederDeps) {
    this.#copies = new Uint32Array(deps.pieceCount);
    this.#unseen = deps.pieceCount;
    this.#everShown = new Bitfield(deps.pieceCount);
  }

  /** Whether anything was heard of what the peer has. */
  knows(key: PeerKey): boolean {
    return this.#pieces.has(key);
  }

  /** Follows what a peer says it has, all of it; it need not be known before. */
  onPieces(key: PeerKey, have: Bitfield): void {
    this.#forgetPieces(key);
    const pieces = new Bitfield(this.deps.pieceCount, have.bytes);
    this.#pieces.set(key, pieces);
    this.#countAll(pieces, 1);
  }

  onHave(key: PeerKey, piece: number, nowMs: number): void {
    const pieces = this.#pieces.get(key);
    if (!pieces || pieces.has(piece)) return;
    pieces.set(piece);
    this.#count(piece, 1);
    const viewer = this.#viewers.get(key);
    if (viewer?.piece === piece) viewer.sinceMs = nowMs;
    for (const [other, { piece: shown }] of this.#viewers) if (shown === piece) this.#goOn(other, nowMs);
  }

  /** Shows it pieces from now on; what it has has been heard. */
  join(key: PeerKey, nowMs: number): void {
    if (this.#viewers.has(key)) return;
    this.#viewers.set(key, { piece: null, sinceMs: nowMs });
    this.#goOn(key, nowMs);
  }

  leave(key: PeerKey): void {
    const piece = this.#viewers.get(key)?.piece ?? null;
    if (piece !== null) this.#count(piece, -1);
    this.#viewers.delete(key);
    this.#forgetPieces(key);
  }

  /** Once a second: patience may have ended, peers may have gone. */
  tick(nowMs: number): void {
    for (const key of this.#viewers.keys()) this.#goOn(key, nowMs);
  }

  #goOn(key: PeerKey, nowMs: number): void {
    const viewer = this.#viewers.get(key);
    const pieces = this.#pieces.get(key);
    if (!viewer || !pieces) return;
    const { piece, sinceMs } = viewer;
    const waitedMs = nowMs - sinceMs;
    if (piece !== null && !pieces.has(piece) && (waitedMs < UNWANTED_MS || this.deps.wants(key))) return;
    const isOutOfPatience = waitedMs >= PATIENCE_MS;
    if (piece !== null && pieces.has(piece) && !isOutOfPatience && !this.#isPassedOn(piece)) return;
    const next = this.#rarestFor(pieces, isOutOfPatience);
    if (next === null) return;
    if (piece !== null) this.#count(piece, -1);
    this.#count(next, 1);
    this.#everShown.set(next);
    viewer.piece = next;
    viewer.sinceMs = nowMs;
    this.deps.show(key, next);
  }

  /** Another peer has it as well, or none is left that lacks it. */
  #isPassedOn(piece: number): boolean {
    let having = 0;
    for (const pieces of this.#pieces.values()) if (pieces.has(piece)) having++;
    return having > 1 || having === this.#pieces.size;
  }

  /** A piece that it lacks and nobody has or was shown; `orAny`: else one that the fewest have. From a random one on. */
  #rarestFor(pieces: Bitfield, orAny: boolean): number | null {
    const { pieceCount, random } = this.deps;
    const isNoneNew = this.#unseen === 0 && this.#everShown.isFull;
    if (pieces.isFull || (isNoneNew && !orAny)) return null;
    const first = random.below(pieceCount);
    let rarest: number | null = null;
    let fewest = orAny ? Infinity : NEVER_SHOWN + 1;
    for (let step = 0; step < pieceCount && fewest > 0; step++) {
      const piece = (first + step) % pieceCount;
      const copies = this.#copies[piece]!;
      const rank = copies === 0 ? 0 : this.#everShown.has(piece) ? NEVER_SHOWN + copies : NEVER_SHOWN;
      if (rank >= fewest || pieces.has(piece)) continue;
      rarest = piece;
      fewest = rank;
    }
    return rarest;
  }

  #forgetPieces(key: PeerKey): void {
    const pieces = this.#pieces.get(key);
    if (!pieces) return;
    this.#pieces.delete(key);
    this.#countAll(pieces, -1);
  }

  #countAll(pieces: Bitfield, change: 1 | -1): void {
    for (let piece = 0; piece < pieces.length; piece++) if (pieces.has(piece)) this.#count(piece, change);
  }

  #count(piece: number, change: 1 | -1): void {
    const before = this.#copies[piece]!;
    this.#copies[piece] = before + change;
    if (before === 0) this.#unseen--;
    else if (before + change === 0) this.#unseen++;
  }
}
