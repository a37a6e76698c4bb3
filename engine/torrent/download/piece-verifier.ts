// A piece whose blocks are all here: hash it, compare, write it. From the slab for ordinary pieces; pieces without
// a region are on disk already and are hashed from there.
import type { TorrentStorage } from '../../disk/types.js';
import type { PieceHasher } from '../../hashing/types.js';
import type { TorrentInfo } from '../../metainfo/types.js';
import { pieceLengthAt } from '../pieces/geometry.js';
import type { PieceBuffers } from './piece-buffers.js';
import type { WriteQueue } from './write-queue.js';

export type PieceOutcome =
  { readonly kind: 'good' } | { readonly kind: 'bad' } | { readonly kind: 'disk-error'; readonly error: Error };

export interface VerifierDeps {
  readonly info: TorrentInfo;
  readonly storage: TorrentStorage;
  readonly writes: WriteQueue;
  readonly hasher: PieceHasher;
}

/** The piece's buffers must stay open until this resolves. Never rejects. */
export async function verifyPiece(deps: VerifierDeps, buffers: PieceBuffers, piece: number): Promise<PieceOutcome> {
  try {
    const region = buffers.region(piece);
    if (!region) {
      await buffers.settled(piece);
      return { kind: matches(deps.info, piece, await hashFromDisk(deps, piece)) ? 'good' : 'bad' };
    }
    const length = pieceLengthAt(deps.info, piece);
    const digest = await deps.hasher.hashRegion(region, length);
    if (!matches(deps.info, piece, digest)) return { kind: 'bad' };
    await deps.writes.write(piece * deps.info.pieceLength, region.bytes.subarray(0, length));
    return { kind: 'good' };
  } catch (error) {
    return { kind: 'disk-error', error: error instanceof Error ? error : new Error(String(error)) };
  }
}

async function hashFromDisk(deps: VerifierDeps, piece: number): Promise<Uint8Array | null> {
  const spans = await deps.storage.pinSpans(piece, 1);
  try {
    return (await deps.hasher.hashPieces(spans.pieces))[0] ?? null;
  } finally {
    spans.release();
  }
}

/** Whether a digest is the one the info dictionary has for the piece. */
export function matches(info: TorrentInfo, piece: number, digest: Uint8Array | null): boolean {
  if (!digest) return false;
  const at = piece * 20;
  for (let i = 0; i < 20; i++) if (digest[i] !== info.pieceHashes[at + i]) return false;
  return true;
}
