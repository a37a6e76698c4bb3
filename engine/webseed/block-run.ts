// Requests that continue each other in the torrent, and the bytes that answer them: puts together one `piece` frame
// (BEP 3) after another from whatever chunks the bytes come in. Blocks that are cancelled in time are passed over.
//
// Invariant: `position` lies in the block `#next` or at its start; blocks before it are answered.
import { BLOCK_SIZE_BYTES } from '../environment.js';
import { MESSAGE, PIECE_HEADER_BYTES } from '../wire/constants.js';

export interface RequestedBlock {
  readonly piece: number;
  readonly begin: number;
  readonly length: number;
}

export class BlockRun {
  /** Offset in the torrent behind the last block. */
  readonly end: number;
  readonly #frame = Buffer.allocUnsafeSlow(PIECE_HEADER_BYTES + BLOCK_SIZE_BYTES);
  readonly #cancelled = new Set<RequestedBlock>();
  #next = 0;
  #position: number;

  /** At least one block, each at most 16 KiB, and each where the one before it ends. */
  constructor(
    private readonly blocks: readonly RequestedBlock[],
    private readonly pieceLength: number,
  ) {
    this.#position = blocks[0] ? this.#startOf(blocks[0]) : 0;
    this.end = blocks.reduce((end, block) => end + block.length, this.#position);
  }

  /** Offset in the torrent of the byte that is expected next. */
  get position(): number {
    return this.#position;
  }

  /** Whether this block is still to be answered. */
  awaits(piece: number, begin: number): boolean {
    return this.#find(piece, begin) !== undefined;
  }

  /** False when the block is answered already, or none of these. */
  cancel(piece: number, begin: number): boolean {
    const block = this.#find(piece, begin);
    if (block) this.#cancelled.add(block);
    return block !== undefined;
  }

  /** Whether a block still wanted has a byte from `position` up to the offset `end`. */
  wants(end: number): boolean {
    for (let i = this.#next; i < this.blocks.length; i++) {
      const block = this.blocks[i]!;
      if (this.#startOf(block) >= end) return false;
      if (!this.#cancelled.has(block)) return true;
    }
    return false;
  }

  /** Passes over bytes that are not wanted, see {@link wants}. */
  skipTo(offset: number): void {
    this.#position = Math.max(this.#position, Math.min(offset, this.end));
    while (this.#next < this.blocks.length && this.#endOf(this.#next) <= this.#position) this.#next++;
  }

  /**
   * Takes bytes from `at` on, up to the end of a block. Returns how many, and the frame once it is complete: valid
   * until the next call.
   */
  take(bytes: Uint8Array, at: number): { readonly used: number; readonly frame: Uint8Array | null } {
    const block = this.blocks[this.#next];
    if (!block) return { used: bytes.length - at, frame: null };
    const filled = this.#position - this.#startOf(block);
    const used = Math.min(block.length - filled, bytes.length - at);
    const isWanted = !this.#cancelled.has(block);
    if (isWanted) this.#frame.set(bytes.subarray(at, at + used), PIECE_HEADER_BYTES + filled);
    this.#position += used;
    if (filled + used < block.length) return { used, frame: null };
    this.#next++;
    return { used, frame: isWanted ? this.#finish(block) : null };
  }

  #finish({ piece, begin, length }: RequestedBlock): Uint8Array {
    const frame = this.#frame;
    frame.writeUInt32BE(PIECE_HEADER_BYTES - 4 + length, 0);
    frame[4] = MESSAGE.piece;
    frame.writeUInt32BE(piece, 5);
    frame.writeUInt32BE(begin, 9);
    return frame.subarray(0, PIECE_HEADER_BYTES + length);
  }

  /** By bisection: every request that comes in asks whether it is here already. */
  #find(piece: number, begin: number): RequestedBlock | undefined {
    const offset = piece * this.pieceLength + begin;
    let low = this.#next;
    let high = this.blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#startOf(this.blocks[middle]!) < offset) low = middle + 1;
      else high = middle;
    }
    const block = this.blocks[low];
    const isHere = block?.piece === piece && block.begin === begin && !this.#cancelled.has(block);
    return isHere ? block : undefined;
  }

  #startOf(block: RequestedBlock): number {
    return block.piece * this.pieceLength + block.begin;
  }

  #endOf(index: number): number {
    const block = this.blocks[index]!;
    return this.#startOf(block) + block.length;
  }
}
