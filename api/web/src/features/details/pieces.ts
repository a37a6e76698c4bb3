// Which pieces are there, made small enough to be drawn: columns of a width, each the part of its pieces that is had.
// Pure.

/** As `GET /api/torrents/{id}/pieces` answers. */
export interface Pieces {
  readonly piece_count: number;
  readonly piece_length: number;
  /** Base64 of a bitfield, the most significant bit first. */
  readonly have: string;
}

/** 1 for each piece that is there. */
export function haveOf({ piece_count, have }: Pieces): Uint8Array {
  const bits = atob(have);
  return Uint8Array.from({ length: piece_count }, (_, i) => (bits.charCodeAt(i >> 3) >> (7 - (i & 7))) & 1);
}

export function countOf(have: Uint8Array): number {
  return have.reduce((sum, bit) => sum + bit, 0);
}

/** At most as many columns as there are pieces; 0 to 1 each. */
export function columnsOf(have: Uint8Array, width: number): number[] {
  const columns = Math.min(Math.max(width, 0), have.length);
  return Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((column * have.length) / columns);
    const to = Math.floor(((column + 1) * have.length) / columns);
    return countOf(have.subarray(from, to)) / (to - from);
  });
}
