// A WebSocket message as it goes over the connection (RFC 6455 section 5.2), one frame each, from a server: unmasked. ws
// takes one buffer and deflates it anew for each socket; our messages come in parts that all sockets share.
import type { FrameMemory } from './frame-memory.js';

/** FIN and text; with RSV1, deflated (RFC 7692). */
const PLAIN_TEXT = 0x80 | 0x01;
const DEFLATED_TEXT = PLAIN_TEXT | 0x40;
/** RFC 7692 section 7.2.1: what a flushed block ends with is left out. */
const FLUSH_TAIL_BYTES = 4;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** A frame of the parts themselves, behind a header. */
export function plainFrame(parts: readonly Uint8Array[], length: number): Uint8Array[] {
  return [header(PLAIN_TEXT, length), ...parts];
}

/** A frame of parts of raw DEFLATE, each flushed; in one buffer of the memory. */
export function deflatedFrame(parts: readonly { readonly bytes: Uint8Array }[], memory: FrameMemory): Uint8Array {
  const length = parts.reduce((sum, { bytes }) => sum + bytes.length, 0) - FLUSH_TAIL_BYTES;
  const head = header(DEFLATED_TEXT, length);
  const frame = memory.take(head.length + length + FLUSH_TAIL_BYTES);
  frame.set(head);
  let at = head.length;
  for (const { bytes } of parts) {
    frame.set(bytes, at);
    at += bytes.length;
  }
  return frame.subarray(0, -FLUSH_TAIL_BYTES);
}

function header(firstByte: number, length: number): Buffer {
  if (length < LENGTH_16) return Buffer.of(firstByte, length);
  if (length <= 0xffff) return Buffer.of(firstByte, LENGTH_16, length >> 8, length & 0xff);
  const bytes = Buffer.alloc(10);
  bytes[0] = firstByte;
  bytes[1] = LENGTH_64;
  bytes.writeBigUInt64BE(BigInt(length), 2);
  return bytes;
}
