// SHA-1 of each block of a piece in progress, by the hashing threads: of its region of the slab, or of the disk for a
// piece without one. Only for pieces that failed, and for their next success.
import { BLOCK_SIZE_BYTES } from '../../environment.js';
import { DIGEST_BYTES } from '../../hashing/constants.js';
import type { PieceSpan, SlabRegion } from '../../hashing/types.js';
import { pieceLengthAt } from '../pieces/geometry.js';
import type { PieceBuffers } from './piece-buffers.js';
import type { VerifierDeps } from './piece-verifier.js';

/** 20 bytes for each block; null when they cannot be had. The piece's buffers must stay open meanwhile. Never rejects. */
export async function blockDigests(
  deps: VerifierDeps,
  buffers: PieceBuffers,
  piece: number,
): Promise<Uint8Array | null> {
  try {
    const region = buffers.region(piece);
    const length = pieceLengthAt(deps.info, piece);
    const digests = region ? await ofRegion(deps, region, length) : await fromDisk(deps, piece);
    const all = new Uint8Array(digests.length * DIGEST_BYTES);
    for (const [block, digest] of digests.entries()) {
      if (digest === null) return null;
      all.set(digest, block * DIGEST_BYTES);
    }
    return all;
  } catch {
    return null;
  }
}

function ofRegion({ hasher }: VerifierDeps, region: SlabRegion, length: number): Promise<Uint8Array[]> {
  const digests: Promise<Uint8Array>[] = [];
  for (let begin = 0; begin < length; begin += BLOCK_SIZE_BYTES) {
    const end = Math.min(length, begin + BLOCK_SIZE_BYTES);
    const block = { offset: region.offset + begin, length: end - begin, bytes: region.bytes.subarray(begin, end) };
    digests.push(hasher.hashRegion(block, block.length));
  }
  return Promise.all(digests);
}

async function fromDisk({ hasher, storage }: VerifierDeps, piece: number): Promise<(Uint8Array | null)[]> {
  const pinned = await storage.pinSpans(piece, 1);
  try {
    return await hasher.hashPieces(cutIntoBlocks(pinned.pieces[0] ?? []));
  } finally {
    pinned.release();
  }
}

function cutIntoBlocks(spans: readonly PieceSpan[]): PieceSpan[][] {
  const blocks: PieceSpan[][] = [];
  let room = 0;
  for (const span of spans) {
    for (let at = 0; at < span.length;) {
      if (room === 0) {
        blocks.push([]);
        room = BLOCK_SIZE_BYTES;
      }
      const length = Math.min(room, span.length - at);
      blocks
        .at(-1)!
        .push(span.kind === 'file' ? { ...span, position: span.position + at, length } : { ...span, length });
      at += length;
      room -= length;
    }
  }
  return blocks;
}
