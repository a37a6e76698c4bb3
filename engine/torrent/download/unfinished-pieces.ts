// Blocks of pieces in progress that lie on disk although their piece is not verified: written when a download ends,
// read when the next one begins. Nothing is claimed of them; their piece is hashed as any other once it is whole.
import type { PartialPiece } from '../../../storage/types.js';
import type { TorrentStorage } from '../../disk/types.js';
import { BLOCK_SIZE_BYTES } from '../../environment.js';
import { Bitfield } from '../pieces/bitfield.js';
import { pieceLengthAt, type PieceGeometry } from '../pieces/geometry.js';

/** Kept of one torrent; no spec value: they were all in the slab, or among the few that are too large for it. */
const MAX_PIECES = 1_024;

export class UnfinishedPieces {
  readonly #blocks = new Map<number, Bitfield>();

  constructor(
    private readonly geometry: PieceGeometry,
    private readonly storage: TorrentStorage,
  ) {}

  has(piece: number): boolean {
    return this.#blocks.has(piece);
  }

  blocksOf(piece: number): Uint8Array {
    return this.#blocks.get(piece)?.bytes ?? new Uint8Array(0);
  }

  /** Takes stored pieces over; entries that are no piece of this torrent are left out. */
  add(partial: readonly PartialPiece[]): void {
    for (const { piece, blocks } of partial) {
      if (Number.isInteger(piece) && piece >= 0 && piece < this.geometry.pieceCount) this.#note(piece, blocks);
    }
  }

  /** The piece is verified, or what there was of it is wrong. */
  forget(piece: number): void {
    this.#blocks.delete(piece);
  }

  list(): PartialPiece[] {
    return Array.from(this.#blocks, ([piece, { bytes }]) => ({ piece, blocks: bytes })).slice(0, MAX_PIECES);
  }

  /** The piece's bytes with its blocks in their places; null when they cannot be had, and are forgotten. */
  async read(piece: number): Promise<Uint8Array | null> {
    const blocks = this.#blocks.get(piece);
    if (!blocks) return null;
    const bytes = new Uint8Array(pieceLengthAt(this.geometry, piece));
    try {
      for (const [from, to] of this.#runs(piece, (block) => blocks.has(block))) {
        await this.storage.read(piece * this.geometry.pieceLength + from, [bytes.subarray(from, to)]);
      }
      return bytes;
    } catch {
      this.forget(piece);
      return null;
    }
  }

  /** Writes the `received` blocks that are not on disk yet. Never rejects: blocks that cannot be written are not kept. */
  async write(piece: number, received: Uint8Array, bytes: Uint8Array): Promise<void> {
    const blocks = new Bitfield(this.#blockCount(piece), received);
    const known = this.#blocks.get(piece);
    try {
      for (const [from, to] of this.#runs(piece, (block) => blocks.has(block) && !known?.has(block))) {
        await this.storage.write(piece * this.geometry.pieceLength + from, bytes.subarray(from, to));
      }
      this.#note(piece, received);
    } catch {
      // The disk has told of its failure; these blocks are fetched again.
    }
  }

  /** Notes that the blocks went to disk as they came. */
  written(piece: number, received: Uint8Array): void {
    this.#note(piece, received);
  }

  #note(piece: number, blocks: Uint8Array): void {
    const noted = new Bitfield(this.#blockCount(piece), blocks);
    const before = this.#blocks.get(piece);
    for (let block = 0; block < noted.length; block++) if (before?.has(block)) noted.set(block);
    if (noted.count > 0) this.#blocks.set(piece, noted);
  }

  /** Byte ranges of the piece that such blocks make. */
  #runs(piece: number, isPart: (block: number) => boolean): (readonly [from: number, to: number])[] {
    const runs: (readonly [number, number])[] = [];
    const length = pieceLengthAt(this.geometry, piece);
    const count = this.#blockCount(piece);
    for (let block = 0; block < count; block++) {
      if (!isPart(block)) continue;
      const first = block;
      while (block + 1 < count && isPart(block + 1)) block++;
      runs.push([first * BLOCK_SIZE_BYTES, Math.min(length, (block + 1) * BLOCK_SIZE_BYTES)]);
    }
    return runs;
  }

  #blockCount(piece: number): number {
    return Math.ceil(pieceLengthAt(this.geometry, piece) / BLOCK_SIZE_BYTES);
  }
}
