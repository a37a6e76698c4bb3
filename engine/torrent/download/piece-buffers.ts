// Where the blocks of pieces in progress are put. Normally a piece has a region of the slab and its blocks are
// received straight into it; a piece too large for that has none, and its blocks go to disk as they come.
//
// Invariant: at most one connection writes into a block's place in a region. A second one that sends the same block
// (end-game, or after a timeout) gets a buffer of its own, copied only if it is the first to be whole; then the
// other is cut off, so that no peer can change bytes that have been accepted.
import { BLOCK_SIZE_BYTES } from '../../environment.js';
import type { SlabRegion } from '../../hashing/types.js';
import type { SlabBudget, SlabUser } from './slab-budget.js';

/** A connection in the middle of a block. */
export interface BlockWriter {
  abandonBlock(): void;
}

interface PieceBuffer {
  readonly region: SlabRegion | null;
  readonly writers: Map<number, BlockWriter>;
  /** Writes of single blocks under way, for a piece without a region. */
  readonly writes: Set<Promise<void>>;
  /** The first failure of such a write. */
  failure: { readonly error: unknown } | null;
}

/** Where a block is received: its bytes, and whether they are in their place in the region already. */
interface BlockPlace {
  readonly bytes: Uint8Array;
  readonly inPlace: boolean;
}

/** Pieces without a region that may be open at once: their blocks are on disk, what counts is seeks. */
const MAX_UNBUFFERED_PIECES = 8;

export class PieceBuffers {
  readonly #pieces = new Map<number, PieceBuffer>();
  #slabBytes = 0;
  #unbuffered = 0;

  constructor(
    private readonly room: SlabBudget,
    private readonly user: SlabUser,
  ) {}

  get slabBytes(): number {
    return this.#slabBytes;
  }

  openPieces(): number[] {
    return [...this.#pieces.keys()];
  }

  open(piece: number, length: number): boolean {
    if (length > this.room.largestPieceBytes) {
      if (this.#unbuffered >= MAX_UNBUFFERED_PIECES) return false;
      this.#unbuffered++;
      this.#pieces.set(piece, { region: null, writers: new Map(), writes: new Set(), failure: null });
      return true;
    }
    const region = this.room.allocate(this.user, length);
    if (!region) return false;
    this.#slabBytes += region.length;
    this.#pieces.set(piece, { region, writers: new Map(), writes: new Set(), failure: null });
    return true;
  }

  region(piece: number): SlabRegion | null {
    return this.#pieces.get(piece)?.region ?? null;
  }

  /** A place for a block that begins to arrive. */
  startBlock(piece: number, begin: number, length: number, writer: BlockWriter): BlockPlace {
    const buffer = this.#pieces.get(piece);
    if (buffer?.region && !buffer.writers.has(begin)) {
      buffer.writers.set(begin, writer);
      return { bytes: buffer.region.bytes.subarray(begin, begin + length), inPlace: true };
    }
    return { bytes: new Uint8Array(length), inPlace: false };
  }

  /** The writer has finished or gone. */
  endWriter(piece: number, begin: number, writer: BlockWriter): void {
    const writers = this.#pieces.get(piece)?.writers;
    if (writers?.get(begin) === writer) writers.delete(begin);
  }

  /** The bytes the picker is to keep for a block: a view of the region, or zeroes where the disk has them. */
  keptView(piece: number, begin: number, length: number): Uint8Array {
    const region = this.#pieces.get(piece)?.region;
    return region ? region.bytes.subarray(begin, begin + length) : ZEROES.subarray(0, length);
  }

  /** Brings an accepted block that was received elsewhere to its place; the peer that was writing there is cut off. */
  moveIntoPlace(piece: number, begin: number, bytes: Uint8Array): void {
    const buffer = this.#pieces.get(piece);
    if (!buffer?.region) return;
    const writer = buffer.writers.get(begin);
    if (writer) {
      buffer.writers.delete(begin);
      writer.abandonBlock();
    }
    buffer.region.bytes.set(bytes, begin);
  }

  /** Remembers a block's write, which must end before the piece can be verified from disk. */
  trackWrite(piece: number, write: Promise<void>): void {
    const buffer = this.#pieces.get(piece);
    if (!buffer) return;
    const tracked = write
      .catch((error: unknown) => void (buffer.failure ??= { error }))
      .finally(() => buffer.writes.delete(tracked));
    buffer.writes.add(tracked);
  }

  /** Resolves when no write of the piece's blocks is under way; rejects if one of them failed. */
  async settled(piece: number): Promise<void> {
    const buffer = this.#pieces.get(piece);
    if (!buffer) return;
    await Promise.all(buffer.writes);
    if (buffer.failure) throw buffer.failure.error;
  }

  close(piece: number): void {
    const buffer = this.#pieces.get(piece);
    if (!buffer) return;
    this.#pieces.delete(piece);
    for (const writer of buffer.writers.values()) writer.abandonBlock();
    if (buffer.region) {
      this.#slabBytes -= buffer.region.length;
      this.room.release(buffer.region);
    } else {
      this.#unbuffered--;
    }
  }

  /** Closes every piece but those that are being verified: their bytes are still read. */
  closeAllExcept(busy: ReadonlySet<number>): void {
    for (const piece of [...this.#pieces.keys()]) if (!busy.has(piece)) this.close(piece);
  }
}

const ZEROES = new Uint8Array(BLOCK_SIZE_BYTES);
