// Lengths of pieces and blocks (BEP 3): all alike but for the last.
import { BLOCK_SIZE_BYTES } from '../../environment.js';

export interface PieceGeometry {
  readonly pieceLength: number;
  readonly pieceCount: number;
  readonly totalBytes: number;
}

export function pieceLengthAt(geometry: PieceGeometry, piece: number): number {
  return Math.min(geometry.pieceLength, geometry.totalBytes - piece * geometry.pieceLength);
}

export function blockLengthAt(geometry: PieceGeometry, piece: number, begin: number): number {
  return Math.min(BLOCK_SIZE_BYTES, pieceLengthAt(geometry, piece) - begin);
}
