// Which blocks to ask which peer for: what somebody waits for (`urgent-pieces.ts`), then pieces in progress
// (`partial-pieces.ts`), then new ones (`next-piece.ts`), and at the very end copies of what is outstanding
// (`end-game.ts`). Never asks twice for a block that is not urgent outside end-game. Keeps no time: who is too slow is
// decided by the caller.
//
// What a piece is to us the board knows, what peers have the connected peers, who is suspected `parole.ts`. All of the
// interface is here nevertheless, most of it in a line or two: a block concerns its piece, its peer and the suspects, and
// they have to hear of it together.
import { AppError } from '../../shared-protocol/errors.js';
import { BLOCK_SIZE_BYTES } from '../environment.js';
import { END_GAME_PIPELINE, SNUBBED_PIPELINE } from './constants.js';
import { askForCopies, type EndGameWorld } from './end-game.js';
import { nextPieceFor } from './next-piece.js';
import type { OpenPiece } from './open-piece.js';
import { isKeptFrom, lastResort, PiecesToProve } from './parole.js';
import { mayWorkOn } from './partial-pieces.js';
import type { PeerPieces } from './peer-pieces.js';
import { PieceBoard } from './piece-board.js';
import { askForLate, UrgentPieces } from './urgent-pieces.js';
import type {
  BlockOutcome,
  BlockRequest,
  PeerKey,
  PickerWorld,
  PiecePicker,
  PiecePriority,
  Restored,
} from './types.js';

// Shared, because nearly every block ends in one of them.
const ACCEPTED: BlockOutcome = Object.freeze({
  kind: 'accepted',
  pieceComplete: false,
  cancel: Object.freeze([]) as readonly PeerKey[],
});
const COMPLETED: BlockOutcome = Object.freeze({ ...ACCEPTED, pieceComplete: true });
const DUPLICATE: BlockOutcome = Object.freeze({ kind: 'duplicate' });
const NO_SENDERS = new Int32Array(0);
const UNREQUESTED: BlockOutcome = Object.freeze({ kind: 'unrequested' });

export function createPicker(world: PickerWorld): RarestFirstPicker {
  return new RarestFirstPicker(world);
}

export class RarestFirstPicker implements PiecePicker {
  readonly #board: PieceBoard;
  readonly #toProve: PiecesToProve;
  readonly #urgent: UrgentPieces;
  #acceptedCount = 0;

  constructor(private readonly world: PickerWorld) {
    this.#board = new PieceBoard(world.pieceCount, world.random);
    this.#toProve = new PiecesToProve(this.#board);
    this.#urgent = new UrgentPieces(this.#board);
  }

  get haveCount(): number {
    return this.#board.haveCount;
  }

  get missingCount(): number {
    return this.#board.missingCount;
  }

  get inEndGame(): boolean {
    const board = this.#board;
    return board.missingCount > 0 && board.order.size === 0 && board.partial.size === 0;
  }

  /** Pieces and words looked at to choose pieces so far: a gauge of work. */
  get steps(): number {
    return this.#board.order.steps;
  }

  setPriorities(priorities: readonly PiecePriority[]): void {
    this.#board.setPriorities(priorities);
  }

  setSequential(sequential: boolean): void {
    this.#board.sequential = sequential;
  }

  setUrgent(pieces: readonly number[]): void {
    this.#urgent.set(pieces);
  }

  setHave(bits: Uint8Array): void {
    this.#board.setHave(bits);
  }

  onPeerJoined(key: PeerKey): void {
    this.#board.peers.join(key);
  }

  onPeerBitfield(key: PeerKey, bits: Uint8Array): void {
    this.#board.peers.hasBitfield(this.#board.peers.get(key), bits);
  }

  onPeerHaveAll(key: PeerKey): void {
    this.#board.peers.hasAll(this.#board.peers.get(key));
  }

  onPeerHave(key: PeerKey, piece: number): void {
    if (!this.#board.isPiece(piece)) return;
    this.#board.peers.has(this.#board.peers.get(key), piece);
  }

  onPeerGone(key: PeerKey): void {
    const peer = this.#board.peers.find(key);
    if (!peer) return;
    this.#giveUpAll(peer);
    this.#board.peers.leave(peer);
  }

  onPeerChoked(key: PeerKey): void {
    const peer = this.#board.peers.find(key);
    if (peer) this.#giveUpAll(peer);
  }

  onRequestLost(key: PeerKey, piece: number, begin: number): boolean {
    const peer = this.#board.peers.find(key);
    const open = this.#board.findOpen(piece);
    if (!peer || !open || !isBlockOffset(begin)) return false;
    if (!open.giveUp(key, begin / BLOCK_SIZE_BYTES)) return false;
    peer.settled(piece);
    this.#board.refresh(open);
    return true;
  }

  setSnubbed(key: PeerKey, snubbed: boolean): void {
    const peer = this.#board.peers.find(key);
    if (peer) peer.snubbed = snubbed;
  }

  setParole(key: PeerKey, onParole: boolean): void {
    const peer = this.#board.peers.find(key);
    if (peer) peer.onParole = onParole;
  }

  isOnParole(key: PeerKey): boolean {
    return this.#board.peers.find(key)?.onParole ?? false;
  }

  isInteresting(key: PeerKey): boolean {
    const peer = this.#board.peers.find(key);
    if (!peer) return false;
    return peer.hasAll ? this.#board.missingCount > 0 : peer.missingCount > 0;
  }

  peerPieceCount(key: PeerKey): number {
    const peer = this.#board.peers.find(key);
    return peer?.hasAll ? this.world.pieceCount : (peer?.count ?? 0);
  }

  peerHas(key: PeerKey, piece: number): boolean {
    return this.#board.isPiece(piece) && (this.#board.peers.find(key)?.has(piece) ?? false);
  }

  outstanding(key: PeerKey): number {
    return this.#board.peers.find(key)?.outstanding ?? 0;
  }

  isRequested(key: PeerKey, piece: number, begin: number): boolean {
    const open = this.#board.findOpen(piece);
    return open !== undefined && isBlockOffset(begin) && open.isAsked(key, begin / BLOCK_SIZE_BYTES);
  }

  pick(key: PeerKey, count: number, allowed?: ReadonlySet<number>): BlockRequest[] {
    const peer = this.#board.peers.get(key);
    const room = peer.snubbed ? Math.min(count, SNUBBED_PIPELINE - peer.outstanding) : count;
    const requests: BlockRequest[] = [];
    if (this.#urgent.size > 0) {
      const scope = { board: this.#board, acceptedCount: this.#acceptedCount, allowed };
      if (!this.#urgent.hasNearFor(peer, allowed)) askForLate(peer, this.#urgent.near, scope, room, requests);
      this.#urgent.beginPick(peer, this.#acceptedCount);
    }
    while (requests.length < room) {
      const open = this.#pieceFor(peer, allowed);
      if (!open) break;
      this.#askFor(peer, open, room, requests);
    }
    if (requests.length < room && peer.outstanding < END_GAME_PIPELINE && this.inEndGame)
      askForCopies(peer, this.#endGameFor(peer, allowed), room, requests);
    return requests;
  }

  onBlockReceived(key: PeerKey, piece: number, begin: number, bytes: Uint8Array): BlockOutcome {
    const peer = this.#board.peers.find(key);
    const open = this.#board.findOpen(piece);
    if (!peer || !open || !isBlockOffset(begin)) return UNREQUESTED;
    const block = begin / BLOCK_SIZE_BYTES;
    const outstanding = open.outstanding;
    const arrival = open.receive(key, block, bytes);
    if (arrival === 'unrequested') return UNREQUESTED;
    if (arrival === 'duplicate') return DUPLICATE;
    peer.settled(piece);
    peer.delivered(++this.#acceptedCount);
    if (outstanding - open.outstanding === 1) return open.verifying ? COMPLETED : ACCEPTED;
    const cancel = open.askersOf(block);
    for (const slower of cancel) this.#board.peers.get(slower).settled(piece);
    return { kind: 'accepted', pieceComplete: open.verifying, cancel };
  }

  onPieceVerified(piece: number): readonly PeerKey[] {
    const open = this.#board.findOpen(piece);
    if (!open?.verifying) throw new AppError('BUG', `bug: piece ${piece} verified, but not all here`, { piece });
    this.#board.verified(open);
    this.#toProve.delete(piece);
    return open.sources;
  }

  onPieceFailed(piece: number): readonly PeerKey[] {
    const open = this.#board.findOpen(piece);
    if (!open) throw new AppError('BUG', `bug: piece ${piece} failed, but is not in progress`, { piece });
    this.#board.close(open);
    return open.sources;
  }

  sendersOf(piece: number): Int32Array {
    return this.#board.findOpen(piece)?.senders ?? NO_SENDERS;
  }

  fetchAlone(piece: number): void {
    this.#toProve.add(piece);
  }

  restorePiece(piece: number, blocks: Uint8Array, bytesOf: (begin: number, length: number) => Uint8Array): Restored {
    if (!this.#board.isPiece(piece) || !this.#board.order.has(piece)) return 'not-needed';
    const length = Math.min(this.world.pieceLength, this.world.totalBytes - piece * this.world.pieceLength);
    if (!this.world.openPiece(piece, length)) return 'no-room';
    const open = this.#board.open(piece, length);
    open.restore(blocks, (block) => bytesOf(block * BLOCK_SIZE_BYTES, open.blockLength(block)));
    this.#board.refresh(open);
    return open.verifying ? 'complete' : 'open';
  }

  receivedBlocks(piece: number): Uint8Array | null {
    const open = this.#board.findOpen(piece);
    return open && open.receivedCount > 0 ? open.received : null;
  }

  onPieceLost(piece: number): void {
    this.#board.lost(piece);
  }

  closeIdlePieces(): readonly number[] {
    return this.#closeWhere((open) => open.receivedCount === 0 || !this.#board.isWanted(open.piece));
  }

  closeStrandedPieces(): readonly number[] {
    return this.#closeWhere((open) => open.receivedCount > 0 && !this.#board.peers.anyHas(open.piece));
  }

  openPieces(): readonly number[] {
    return Array.from(this.#board.openPieces(), (open) => open.piece);
  }

  availability(): Uint16Array {
    return this.#board.peers.totals();
  }

  copiesPerMille(): number {
    return this.#board.peers.copiesPerMille();
  }

  checkInvariant(): void {
    this.#board.checkInvariant();
  }

  /** The piece to ask the peer for blocks of next. */
  #pieceFor(peer: PeerPieces, allowed: ReadonlySet<number> | undefined): OpenPiece | undefined {
    const urgent = this.#urgent.size > 0 ? this.#urgent.nextFor(peer, allowed) : -1;
    const next = urgent === -1 ? undefined : (this.#board.findOpen(urgent) ?? this.#open(urgent, peer));
    if (next) return next;
    const toProve = this.#toProve.size > 0 ? this.#toProve.nextFor(peer, allowed) : -1;
    return (
      (toProve === -1 ? undefined : this.#open(toProve, peer)) ??
      this.#partialFor(peer, allowed) ??
      this.#openFor(peer, allowed) ??
      lastResort(peer, this.#board, this.#acceptedCount, allowed)
    );
  }

  #partialFor(peer: PeerPieces, allowed: ReadonlySet<number> | undefined): OpenPiece | undefined {
    const { partial } = this.#board;
    if (partial.size === 0) return undefined;
    // The common case: there is more to take where the last request came from.
    const last = this.#board.findOpen(peer.lastPiece);
    const isOpenToIt = last && partial.has(last) && mayWorkOn(peer, last);
    if (isOpenToIt && peer.has(last.piece) && (allowed?.has(last.piece) ?? true)) return last;
    return partial.bestFor(peer, allowed);
  }

  #openFor(peer: PeerPieces, allowed: ReadonlySet<number> | undefined): OpenPiece | undefined {
    const piece = nextPieceFor(peer, this.#board, allowed);
    return piece === -1 ? undefined : this.#open(piece, peer);
  }

  /** undefined: there is no room for it. */
  #open(piece: number, peer: PeerPieces): OpenPiece | undefined {
    const length = Math.min(this.world.pieceLength, this.world.totalBytes - piece * this.world.pieceLength);
    if (!this.world.openPiece(piece, length)) return undefined;
    const open = this.#board.open(piece, length);
    if (peer.onParole || this.#toProve.has(piece)) open.owner = peer.key;
    return open;
  }

  #askFor(peer: PeerPieces, open: OpenPiece, room: number, requests: BlockRequest[]): void {
    while (requests.length < room && open.freeCount > 0) {
      const block = open.askFree(peer.key);
      peer.requested(open.piece, this.#acceptedCount);
      requests.push({ piece: open.piece, begin: block * BLOCK_SIZE_BYTES, length: open.blockLength(block) });
    }
    this.#board.refresh(open);
  }

  #endGameFor(peer: PeerPieces, allowed: ReadonlySet<number> | undefined): EndGameWorld {
    const board = this.#board;
    return {
      pieces: board.openPieces(),
      acceptedCount: this.#acceptedCount,
      peer: (key) => board.peers.get(key),
      peers: () => board.peers.all(),
      mayAskFor: (open) =>
        peer.has(open.piece) &&
        board.isWanted(open.piece) &&
        (allowed?.has(open.piece) ?? true) &&
        !isKeptFrom(peer, open, board, this.#acceptedCount),
    };
  }

  #giveUpAll(peer: PeerPieces): void {
    for (const piece of peer.requests.keys()) {
      const open = this.#board.findOpen(piece)!;
      for (let block = 0; block < open.blockCount; block++) if (open.giveUp(peer.key, block)) peer.settled(piece);
      if (open.owner === peer.key) open.owner = null;
      this.#board.refresh(open);
    }
  }

  /** Closes pieces that no peer was asked for and that are not complete. */
  #closeWhere(isUseless: (open: OpenPiece) => boolean): number[] {
    const closed: number[] = [];
    for (const open of this.#board.openPieces()) {
      if (open.verifying || open.outstanding > 0 || !isUseless(open)) continue;
      this.#board.close(open);
      closed.push(open.piece);
    }
    return closed;
  }
}

function isBlockOffset(begin: number): boolean {
  return begin >= 0 && begin % BLOCK_SIZE_BYTES === 0;
}
