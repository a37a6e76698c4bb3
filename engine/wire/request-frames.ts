// Outgoing request, cancel and reject frames (BEP 3, BEP 6), many to a write.
import { MESSAGE, REQUEST_FRAME_BYTES } from './constants.js';

interface BlockRange {
  readonly piece: number;
  readonly begin: number;
  readonly length: number;
}

export function encodeRequests(blocks: readonly BlockRange[]): Uint8Array {
  return encode(MESSAGE.request, blocks);
}

export function encodeCancels(blocks: readonly BlockRange[]): Uint8Array {
  return encode(MESSAGE.cancel, blocks);
}

export function encodeRejects(blocks: readonly BlockRange[]): Uint8Array {
  return encode(MESSAGE.reject, blocks);
}

function encode(id: number, blocks: readonly BlockRange[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(blocks.length * REQUEST_FRAME_BYTES);
  let at = 0;
  for (const { piece, begin, length } of blocks) {
    bytes.writeUInt32BE(REQUEST_FRAME_BYTES - 4, at);
    bytes[at + 4] = id;
    bytes.writeUInt32BE(piece, at + 5);
    bytes.writeUInt32BE(begin, at + 9);
    bytes.writeUInt32BE(length, at + 13);
    at += REQUEST_FRAME_BYTES;
  }
  return bytes;
}
