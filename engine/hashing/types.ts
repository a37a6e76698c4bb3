// SHA-1 of pieces off the engine thread: of bytes in the shared slab, or streamed from open files.

/** Contiguous bytes of the slab that hold one piece. */
export interface SlabRegion {
  readonly offset: number;
  readonly length: number;
  /** The region itself; backed by shared memory. */
  readonly bytes: Uint8Array;
}

/** Where a stretch of a piece lies. Pad files and holes of known zeroes have no descriptor. */
export type PieceSpan =
  | {
      readonly kind: 'file';
      readonly fd: number;
      readonly position: number;
      readonly length: number;
      /** Not all of the file is on disk: holes are looked for. @default false */
      readonly isSparse?: boolean;
    }
  | { readonly kind: 'zeroes'; readonly length: number }
  /** The file is absent or too short: the piece cannot be there. */
  | { readonly kind: 'missing'; readonly length: number };

export interface PieceHasher {
  /** SHA-1 (20 bytes) of the region's first `length` bytes. The region must not change meanwhile. */
  hashRegion(region: SlabRegion, length: number): Promise<Uint8Array>;
  /**
   * SHA-1 of each piece, read by the hashing thread from the descriptors given; null for a piece with a missing
   * span or a failed or short read. The descriptors must stay open until it resolves.
   */
  hashPieces(pieces: readonly (readonly PieceSpan[])[]): Promise<(Uint8Array | null)[]>;
  close(): Promise<void>;
}

export interface Slab {
  readonly totalBytes: number;
  readonly usedBytes: number;
  /** The largest piece that is buffered here; larger ones go to disk block by block. */
  readonly largestPieceBytes: number;
  /** null when there is no contiguous room: try again after a `release`. */
  allocate(length: number): SlabRegion | null;
  release(region: SlabRegion): void;
  /** Copies bytes; fast where both lie in the slab's memory. The ranges must be inside of the views. */
  copy(target: Uint8Array, at: number, source: Uint8Array, from: number, length: number): void;
}
