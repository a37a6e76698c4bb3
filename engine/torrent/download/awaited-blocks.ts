// What a peer was asked for and has not begun to send.
import type { TorrentInfo } from '../../metainfo/types.js';
import type { BlockRequest, PiecePicker } from '../../picker/types.js';
import { BLOCK_SIZE_BYTES } from '../../environment.js';
import { blockLengthAt, pieceLengthAt } from '../pieces/geometry.js';
import type { Peer } from '../peer/peer.js';

/** Blocks of these pieces, in their order. */
export function awaitedBlocks(
  picker: PiecePicker,
  info: TorrentInfo,
  { key, incoming }: Peer,
  pieces: readonly number[],
): BlockRequest[] {
  const blocks: BlockRequest[] = [];
  for (const piece of pieces) {
    const end = pieceLengthAt(info, piece);
    for (let begin = 0; begin < end; begin += BLOCK_SIZE_BYTES) {
      const isComing = incoming?.piece === piece && incoming.begin === begin;
      if (isComing || !picker.isRequested(key, piece, begin)) continue;
      blocks.push({ piece, begin, length: blockLengthAt(info, piece, begin) });
    }
  }
  return blocks;
}
