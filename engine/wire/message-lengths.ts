// Legal payload lengths by message id (BEP 3, 6, 10), checked from the header before anything is buffered.
import type { CloseReason } from './errors.js';
import { MAX_BLOCK_BYTES, MAX_EXTENDED_BYTES, MAX_FRAME_BYTES, MESSAGE } from './constants.js';

/** Exact length of id and payload, for messages that have one. */
const EXACT = new Map<number, number>([
  [MESSAGE.choke, 1],
  [MESSAGE.unchoke, 1],
  [MESSAGE.interested, 1],
  [MESSAGE.notInterested, 1],
  [MESSAGE.have, 5],
  [MESSAGE.request, 13],
  [MESSAGE.cancel, 13],
  [MESSAGE.port, 3],
  [MESSAGE.suggest, 5],
  [MESSAGE.haveAll, 1],
  [MESSAGE.haveNone, 1],
  [MESSAGE.reject, 13],
  [MESSAGE.allowedFast, 5],
]);

/**
 * `length` is the frame's length prefix (id and payload). null: legal. Unknown ids are legal up to the frame limit,
 * for forward compatibility. A bitfield's exact length is the torrent's business.
 */
export function checkMessageLength(id: number, length: number): CloseReason | null {
  if (length > MAX_FRAME_BYTES) return 'WIRE_FRAME_TOO_LARGE';
  const exact = EXACT.get(id);
  if (exact !== undefined) return length === exact ? null : 'WIRE_MESSAGE_LENGTH';
  if (id === MESSAGE.piece) {
    if (length < 9) return 'WIRE_MESSAGE_LENGTH';
    return length - 9 > MAX_BLOCK_BYTES ? 'WIRE_BLOCK_SIZE' : null;
  }
  if (id === MESSAGE.extended) {
    if (length < 2) return 'WIRE_MESSAGE_LENGTH';
    return length > MAX_EXTENDED_BYTES ? 'WIRE_FRAME_TOO_LARGE' : null;
  }
  return null;
}
