// What each piece is to us. Every piece is exactly one of: have (verified), verifying (all blocks here), open (in
// progress), free (wanted, may be opened), unwanted. The order of candidates holds the free ones, `missing` those that
// are wanted and not verified; the peers' counts follow both.
import { AppError } from '../../shared-protocol/errors.js';
import type { Random } from '../environment.js';
import { bitsFromBitfield, clearBit, countBits, createBits, hasBit, setBit, type Bits } from './bits.js';
import { CandidateOrder } from './candidate-order.js';
import { ConnectedPeers } from './connected-peers.js';
import { DistributedCopies } from './distributed-copies.js';
import { OpenPiece } from './open-piece.js';
import { PartialPieces } from './partial-pieces.js';
import { NORMAL_CLASS, PRIORITY_CLASSES, SKIP_CLASS } from './piece-priorities.js';
import type { PiecePriority } from './types.js';

export class PieceBoard {
  readonly order: CandidateOrder;
  readonly peers: ConnectedPeers;
  readonly partial: PartialPieces;
  sequential = false;
  readonly #classes: Uint8Array;
  readonly #missing: Bits;
  readonly #have: Bits;
  readonly #copies: DistributedCopies;
  readonly #open = new Map<number, OpenPiece>();
  #haveCount = 0;
  #missingCount = 0;

  constructor(
    private readonly pieceCount: number,
    random: Random,
  ) {
    const availability = new Uint16Array(pieceCount);
    this.#classes = new Uint8Array(pieceCount).fill(NORMAL_CLASS);
    this.#have = createBits(pieceCount);
    this.#missing = createBits(pieceCount);
    this.order = new CandidateOrder(this.#classes, availability, random);
    this.#copies = new DistributedCopies(availability, this.#have);
    this.peers = new ConnectedPeers(availability, this.#missing, this.order, this.#copies);
    this.partial = new PartialPieces(this);
    this.#rebuild();
  }

  get haveCount(): number {
    return this.#haveCount;
  }

  get missingCount(): number {
    return this.#missingCount;
  }

  /** Pieces open or verifying. */
  get openCount(): number {
    return this.#open.size;
  }

  openPieces(): Iterable<OpenPiece> {
    return this.#open.values();
  }

  findOpen(piece: number): OpenPiece | undefined {
    return this.#open.get(piece);
  }

  /** Peers may speak of others. */
  isPiece(piece: number): boolean {
    return Number.isInteger(piece) && piece >= 0 && piece < this.pieceCount;
  }

  isWanted(piece: number): boolean {
    return this.#classes[piece] !== SKIP_CLASS;
  }

  rank(piece: number): number {
    return this.order.rank(piece);
  }

  priorityClass(piece: number): number {
    return this.#classes[piece]!;
  }

  /** @throws AppError `BUG` unless there is one for each piece */
  setPriorities(priorities: readonly PiecePriority[]): void {
    if (priorities.length !== this.pieceCount)
      throw new AppError('BUG', `bug: ${priorities.length} priorities for ${this.pieceCount} pieces`);
    for (let piece = 0; piece < this.pieceCount; piece++)
      this.#classes[piece] = PRIORITY_CLASSES.indexOf(priorities[piece]!);
    this.#rebuild();
  }

  /** Pieces in progress stay in progress, whatever the bits say of them. */
  setHave(bytes: Uint8Array): void {
    this.#have.set(bitsFromBitfield(bytes, this.pieceCount));
    for (const piece of this.#open.keys()) clearBit(this.#have, piece);
    this.#haveCount = countBits(this.#have);
    this.#copies.recount();
    this.#rebuild();
  }

  /** Free to open. */
  open(piece: number, length: number): OpenPiece {
    const open = new OpenPiece(piece, length);
    this.order.remove(piece);
    this.peers.candidateChanged(piece, -1);
    this.#open.set(piece, open);
    this.refresh(open);
    return open;
  }

  /** To be called when the free blocks of a piece have changed. */
  refresh(open: OpenPiece): void {
    this.partial.update(open, open.freeCount > 0 && this.isWanted(open.piece));
  }

  /** Open or verifying to free or unwanted; what is outstanding is not expected any more. */
  close(open: OpenPiece): void {
    this.#drop(open);
    if (!this.isWanted(open.piece)) return;
    this.order.add(open.piece);
    this.peers.candidateChanged(open.piece, 1);
  }

  /** Verifying to have. */
  verified(open: OpenPiece): void {
    const piece = open.piece;
    this.#drop(open);
    setBit(this.#have, piece);
    this.#copies.changed(piece, 1);
    this.#haveCount++;
    if (!this.isWanted(piece)) return;
    clearBit(this.#missing, piece);
    this.#missingCount--;
    this.peers.missingChanged(piece, -1);
  }

  /** Have to free or unwanted; nothing happens to a piece that we do not have. */
  lost(piece: number): void {
    if (piece < 0 || piece >= this.pieceCount || !hasBit(this.#have, piece)) return;
    clearBit(this.#have, piece);
    this.#copies.changed(piece, -1);
    this.#haveCount--;
    if (!this.isWanted(piece)) return;
    setBit(this.#missing, piece);
    this.#missingCount++;
    this.peers.missingChanged(piece, 1);
    this.order.add(piece);
    this.peers.candidateChanged(piece, 1);
  }

  /** @throws AppError `BUG` */
  checkInvariant(): void {
    let missing = 0;
    let partial = 0;
    for (let piece = 0; piece < this.pieceCount; piece++) {
      const open = this.#open.get(piece);
      const have = hasBit(this.#have, piece);
      const wanted = this.isWanted(piece);
      if (have && open) throw new AppError('BUG', `bug: piece ${piece} is verified and in progress`);
      if (this.order.has(piece) !== (wanted && !have && !open))
        throw new AppError('BUG', `bug: piece ${piece} is a candidate: ${this.order.has(piece)}`);
      if (hasBit(this.#missing, piece) !== (wanted && !have))
        throw new AppError('BUG', `bug: piece ${piece} is missing: ${hasBit(this.#missing, piece)}`);
      if (wanted && !have) missing++;
      if (open && wanted && open.freeCount > 0) partial++;
      if (open && this.partial.has(open) !== (wanted && open.freeCount > 0))
        throw new AppError('BUG', `bug: piece ${piece} with ${open.freeCount} free blocks is listed wrongly`);
    }
    if (missing !== this.#missingCount || partial !== this.partial.size || countBits(this.#have) !== this.#haveCount)
      throw new AppError('BUG', `bug: counted ${this.#haveCount} have, ${this.#missingCount} missing`);
    this.order.checkInvariant();
    this.peers.checkInvariant();
    this.#checkRequests();
  }

  /** Checks that what peers think is outstanding is what the pieces think. */
  #checkRequests(): void {
    for (const open of this.#open.values()) {
      open.checkInvariant();
      let outstanding = 0;
      for (const peer of this.peers.all()) {
        let asked = 0;
        for (let block = 0; block < open.blockCount; block++) if (open.isAsked(peer.key, block)) asked++;
        if (asked !== (peer.requests.get(open.piece) ?? 0))
          throw new AppError('BUG', `bug: piece ${open.piece} expects ${asked} blocks from peer ${peer.key}`);
        outstanding += asked;
      }
      if (outstanding !== open.outstanding)
        throw new AppError('BUG', `bug: piece ${open.piece} expects blocks of peers that are gone`);
    }
    for (const peer of this.peers.all()) {
      let sum = 0;
      for (const [piece, count] of peer.requests) {
        sum += count;
        if (!this.#open.has(piece)) throw new AppError('BUG', `bug: request outside the pieces in progress: ${piece}`);
      }
      if (sum !== peer.outstanding)
        throw new AppError('BUG', `bug: peer ${peer.key} counts ${peer.outstanding} outstanding, has ${sum}`);
    }
  }

  #drop(open: OpenPiece): void {
    this.#open.delete(open.piece);
    this.partial.update(open, false);
    for (let block = 0; open.outstanding > 0 && block < open.blockCount; block++) {
      if (open.copies(block) === 0) continue;
      for (const asker of open.askersOf(block)) {
        open.giveUp(asker, block);
        this.peers.get(asker).settled(open.piece);
      }
    }
  }

  #rebuild(): void {
    this.#missing.fill(0);
    this.#missingCount = 0;
    this.order.clear();
    for (let piece = 0; piece < this.pieceCount; piece++) {
      if (!this.isWanted(piece) || hasBit(this.#have, piece)) continue;
      setBit(this.#missing, piece);
      this.#missingCount++;
      if (!this.#open.has(piece)) this.order.add(piece);
    }
    for (const open of this.#open.values()) this.refresh(open);
    this.peers.recount();
  }
}
