// A piece in progress. `torrent-piece` keeps which blocks are reserved, received and from which peer; this keeps which
// peers each outstanding block was asked of, in typed arrays, so that a block costs no allocation and no search. Each
// block is exactly one of: free (reserved by no peer), outstanding (1 to MAX_BLOCK_COPIES copies), received.
import Piece from 'torrent-piece';
import { AppError } from '../../shared-protocol/errors.js';
import { BLOCK_SIZE_BYTES } from '../environment.js';
import { MAX_BLOCK_COPIES } from './constants.js';
import type { PeerKey } from './types.js';

const NOBODY = -1;

export type BlockArrival = 'accepted' | 'duplicate' | 'unrequested';

export class OpenPiece {
  readonly blockCount: number;
  /** All blocks are here. */
  verifying = false;
  /** Index in the list of pieces with blocks to hand out; -1 when it is not there. */
  partialIndex = -1;
  /** The peer that fetches it alone; null: any peer may. */
  owner: PeerKey | null = null;
  /** The peer that sent each block; -1 where it is not here. */
  readonly senders: Int32Array;
  readonly #blocks: Piece<PeerKey>;
  /**
   * Peers asked for each block, MAX_BLOCK_COPIES places a block. Once the block is here, those who were slower stay
   * until theirs arrives too.
   */
  readonly #askers: Int32Array;
  /** Outstanding copies of each block. */
  readonly #copies: Uint8Array;
  #freeCount: number;
  #receivedCount = 0;
  #outstanding = 0;

  constructor(
    readonly piece: number,
    length: number,
  ) {
    this.#blocks = new Piece<PeerKey>(length);
    this.blockCount = Math.ceil(length / BLOCK_SIZE_BYTES);
    this.senders = new Int32Array(this.blockCount).fill(NOBODY);
    this.#askers = new Int32Array(this.blockCount * MAX_BLOCK_COPIES).fill(NOBODY);
    this.#copies = new Uint8Array(this.blockCount);
    this.#freeCount = this.blockCount;
  }

  /** Blocks that no peer was asked for. */
  get freeCount(): number {
    return this.#freeCount;
  }

  get receivedCount(): number {
    return this.#receivedCount;
  }

  /** Outstanding requests, copies included. */
  get outstanding(): number {
    return this.#outstanding;
  }

  get missingBytes(): number {
    return this.#blocks.missing;
  }

  /** Peers whose blocks are in it. */
  get sources(): readonly PeerKey[] {
    return (this.#blocks.sources ?? []).filter((source) => source !== NOBODY);
  }

  /** The blocks that are here, one bit each, most significant first. */
  get received(): Uint8Array {
    const bits = new Uint8Array(Math.ceil(this.blockCount / 8));
    for (let block = 0; block < this.blockCount; block++) {
      if (this.#blocks.get(block) instanceof Uint8Array) bits[block >> 3]! |= 0x80 >> (block & 7);
    }
    return bits;
  }

  blockLength(block: number): number {
    return this.#blocks.chunkLength(block);
  }

  copies(block: number): number {
    return this.#copies[block]!;
  }

  /** Whether the block is expected from the peer. */
  isAsked(peer: PeerKey, block: number): boolean {
    return block < this.blockCount && this.#copies[block]! > 0 && this.#placeOf(peer, block) !== -1;
  }

  /** Takes a free block for the peer; only while there are any. */
  askFree(peer: PeerKey): number {
    const block = this.#blocks.reserve();
    if (block === -1) throw new AppError('BUG', `bug: piece ${this.piece} has no free block`);
    this.#freeCount--;
    this.askAgain(peer, block);
    return block;
  }

  /** One more copy of an outstanding block (end-game). */
  askAgain(peer: PeerKey, block: number): void {
    this.#askers[this.#placeOf(NOBODY, block)] = peer;
    this.#copies[block]!++;
    this.#outstanding++;
  }

  /** Stops expecting the block from the peer; false when it was not. */
  giveUp(peer: PeerKey, block: number): boolean {
    if (block >= this.blockCount) return false;
    const place = this.#placeOf(peer, block);
    if (place === -1) return false;
    this.#askers[place] = NOBODY;
    if (this.#copies[block] === 0) return false;
    this.#copies[block]!--;
    this.#outstanding--;
    if (this.#copies[block] === 0) {
      this.#blocks.cancel(block);
      this.#freeCount++;
    }
    return true;
  }

  receive(peer: PeerKey, block: number, bytes: Uint8Array): BlockArrival {
    if (block >= this.blockCount || bytes.length !== this.#blocks.chunkLength(block)) return 'unrequested';
    const place = this.#placeOf(peer, block);
    if (place === -1) return 'unrequested';
    this.#askers[place] = NOBODY;
    const copies = this.#copies[block]!;
    if (copies === 0) return 'duplicate';
    this.#copies[block] = 0;
    this.#outstanding -= copies;
    this.#receivedCount++;
    this.senders[block] = peer;
    this.verifying = this.#blocks.set(block, bytes, peer);
    return 'accepted';
  }

  /** Blocks that were received by an earlier download, one bit each; only before any other is asked for. */
  restore(bits: Uint8Array, bytesOf: (block: number) => Uint8Array): void {
    for (let block = 0; block < this.blockCount; block++) this.#blocks.reserve();
    for (let block = this.blockCount - 1; block >= 0; block--) {
      if (((bits[block >> 3] ?? 0) & (0x80 >> (block & 7))) === 0) {
        this.#blocks.cancel(block);
        continue;
      }
      this.#freeCount--;
      this.#receivedCount++;
      this.verifying = this.#blocks.set(block, bytesOf(block), NOBODY);
    }
  }

  /** The peer in one of the block's MAX_BLOCK_COPIES places; null: none is. */
  askerAt(block: number, place: number): PeerKey | null {
    const asker = this.#askers[block * MAX_BLOCK_COPIES + place]!;
    return asker === NOBODY ? null : asker;
  }

  /** The peers that were asked for the block and have not delivered it. */
  askersOf(block: number): PeerKey[] {
    const first = block * MAX_BLOCK_COPIES;
    return Array.from(this.#askers.subarray(first, first + MAX_BLOCK_COPIES)).filter((asker) => asker !== NOBODY);
  }

  /** @throws AppError `BUG` */
  checkInvariant(): void {
    let free = 0;
    let received = 0;
    let outstanding = 0;
    for (let block = 0; block < this.blockCount; block++) {
      const isHere = this.#blocks.get(block) instanceof Uint8Array;
      const askers = this.askersOf(block);
      if (isHere) received++;
      else if (askers.length === 0) free++;
      if (this.#copies[block] !== (isHere ? 0 : askers.length) || new Set(askers).size !== askers.length)
        throw new AppError('BUG', `bug: block ${block} of piece ${this.piece} asked of [${askers.join()}]`);
      outstanding += this.#copies[block]!;
    }
    if (
      free !== this.#freeCount ||
      received !== this.#receivedCount ||
      outstanding !== this.#outstanding ||
      this.verifying !== (received === this.blockCount)
    )
      throw new AppError('BUG', `bug: piece ${this.piece} is ${free} free, ${received} received, ${outstanding} asked`);
  }

  #placeOf(peer: PeerKey, block: number): number {
    const first = block * MAX_BLOCK_COPIES;
    for (let place = first; place < first + MAX_BLOCK_COPIES; place++) if (this.#askers[place] === peer) return place;
    return -1;
  }
}
