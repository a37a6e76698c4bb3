// Which blocks to ask which peer for. Pure: no clock, no sockets; time and chance are arguments.
import type { Random } from '../environment.js';
import type { FilePriority } from '../disk/types.js';

/** A connected peer, by a number its torrent gave it; never reused while the torrent is active. */
export type PeerKey = number;

export interface BlockRequest {
  readonly piece: number;
  /** Offset in the piece, a multiple of 16 KiB. */
  readonly begin: number;
  readonly length: number;
}

/** The picker's whole world. */
export interface PickerWorld {
  readonly pieceCount: number;
  readonly pieceLength: number;
  readonly totalBytes: number;
  readonly random: Random;
  /** Makes room for a piece's bytes. False: no room now, do not start it. Called once for each piece opened. */
  openPiece(piece: number, length: number): boolean;
}

/** The fate of a block that arrived. */
export type BlockOutcome =
  | {
      readonly kind: 'accepted';
      /** All blocks of the piece are here: verify it, then call onPieceVerified or onPieceFailed. */
      readonly pieceComplete: boolean;
      /** Other peers that were asked for the same block (end-game): send them a cancel. */
      readonly cancel: readonly PeerKey[];
    }
  /** Another peer was faster; the bytes are to be ignored. */
  | { readonly kind: 'duplicate' }
  /** We never asked this peer for it (or it had been cancelled or timed out); the bytes are to be ignored. */
  | { readonly kind: 'unrequested' };

/** A file's, or that of the most wanted one in a piece; `edge` is the beginning or end of one, where those come before all else. */
export type PiecePriority = FilePriority | 'edge';

/** The fate of a piece whose blocks were there before; `complete`: all of them, verify it. */
export type Restored = 'open' | 'complete' | 'no-room' | 'not-needed';

export interface PiecePicker {
  /** Verified pieces; each is `have` and needs nothing more. */
  readonly haveCount: number;
  /** Wanted pieces (priority not `skip`) that are not verified yet. */
  readonly missingCount: number;
  readonly inEndGame: boolean;

  /**
   * One for each piece. A piece in progress that becomes `skip` stays open: what is outstanding is accepted, its free
   * blocks are not handed out; see `closeIdlePieces`.
   */
  setPriorities(priorities: readonly PiecePriority[]): void;
  setSequential(sequential: boolean): void;
  /**
   * Pieces that somebody waits for, the most urgent first, in place of those before: of those that are wanted and not
   * here blocks come before all others, and what is late of the first ones is asked for of a second peer.
   */
  setUrgent(pieces: readonly number[]): void;
  /**
   * Pieces that are on disk and verified already, one bit each, most significant bit first (BEP 3). Replaces what was
   * known, except of pieces in progress, which stay in progress.
   */
  setHave(bits: Uint8Array): void;

  onPeerJoined(peer: PeerKey): void;
  onPeerBitfield(peer: PeerKey, bits: Uint8Array): void;
  onPeerHaveAll(peer: PeerKey): void;
  onPeerHave(peer: PeerKey, piece: number): void;
  /** Frees the peer's requests. */
  onPeerGone(peer: PeerKey): void;
  /** Without the fast extension a choke drops all requests (BEP 3); they become free again. */
  onPeerChoked(peer: PeerKey): void;
  /** BEP 6 reject, or a request given up by timeout. False when it was not outstanding. */
  onRequestLost(peer: PeerKey, piece: number, begin: number): boolean;
  /** A snubbing peer gets one request at a time, from the end of the order, so as not to hold up fast peers. */
  setSnubbed(peer: PeerKey, snubbed: boolean): void;
  /**
   * On parole a peer gets whole pieces, each alone, so that it is known whose fault a failure is (docs/limits.md 2.13).
   */
  setParole(peer: PeerKey, onParole: boolean): void;
  isOnParole(peer: PeerKey): boolean;

  /** Whether the peer has a wanted piece that we have not verified: are we interested? O(1). */
  isInteresting(peer: PeerKey): boolean;
  /** Pieces the peer has. */
  peerPieceCount(peer: PeerKey): number;
  peerHas(peer: PeerKey, piece: number): boolean;
  outstanding(peer: PeerKey): number;
  /** Whether exactly this block is expected from this peer now. */
  isRequested(peer: PeerKey, piece: number, begin: number): boolean;

  /**
   * Up to `count` blocks to request from the peer now; they count as outstanding from here on.
   * `allowed` limits it to some pieces (BEP 6 allowed-fast while choked).
   */
  pick(peer: PeerKey, count: number, allowed?: ReadonlySet<number>): BlockRequest[];
  /** The bytes must stay valid until the piece is verified or failed. */
  onBlockReceived(peer: PeerKey, piece: number, begin: number, bytes: Uint8Array): BlockOutcome;
  /** The piece was hashed and is on disk. Returns who sent blocks of it. */
  onPieceVerified(piece: number): readonly PeerKey[];
  /**
   * The hash did not match, or the write failed: every block is needed again, from an `openPiece` anew; what is still
   * outstanding is not expected any more. Returns who sent blocks of it.
   */
  onPieceFailed(piece: number): readonly PeerKey[];
  /** The peer that sent each block of a piece in progress; -1: it is not here. */
  sendersOf(piece: number): Int32Array;
  /** From now on one peer gets the piece alone, and soon: what becomes of it tells who spoilt it before. */
  fetchAlone(piece: number): void;
  /**
   * Opens a piece with blocks that an earlier download received, one bit each; no peer is their source. `bytesOf` gives
   * what `onBlockReceived` is given.
   */
  restorePiece(piece: number, blocks: Uint8Array, bytesOf: (begin: number, length: number) => Uint8Array): Restored;
  /** The blocks that are here of a piece in progress, one bit each; null: none. */
  receivedBlocks(piece: number): Uint8Array | null;
  /** A recheck found that a piece we had is not there. */
  onPieceLost(piece: number): void;
  /**
   * Gives up pieces in progress without outstanding requests that hold no received block or are not wanted any more;
   * returns them: their room is free again.
   */
  closeIdlePieces(): readonly number[];
  /**
   * Gives up pieces in progress without outstanding requests that hold received blocks, but that no connected peer
   * has; returns them. Their bytes are lost, so only for when there is no room for a piece that could go on.
   */
  closeStrandedPieces(): readonly number[];
  /** Pieces in progress, open or waiting for verification. */
  openPieces(): readonly number[];

  /** Availability over connected peers, one number for each piece. */
  availability(): Uint16Array;
  /** Thousandths of a copy of the whole among connected peers and us (distributed-copies.ts). O(1) in pieces. */
  copiesPerMille(): number;
  /** Throws `bug: …` when an invariant does not hold; tests call it after each step. O(pieces). */
  checkInvariant(): void;
}
