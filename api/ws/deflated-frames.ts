// Frames as they go to clients that negotiated permessage-deflate (RFC 7692) without context takeover: such a frame is
// the same for all of them, so it is deflated once, off the thread, and its bytes are shared. ws would deflate it anew
// for each socket. Owns the bytes of a deflated frame, header included.
import { Deflater } from './deflater.js';

/** Smaller ones cost more than they save. */
const MIN_BYTES = 1024;
/** RFC 6455 section 5.2: FIN, text; RFC 7692: RSV1. */
const FIRST_BYTE = 0x80 | 0x40 | 0x01;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

export class DeflatedFrames {
  readonly #deflater = new Deflater();
  /** By the payload itself: one that did not change from tick to tick is not deflated again. */
  readonly #frames = new WeakMap<Buffer, Promise<Buffer>>();

  isWorthwhile(payload: Buffer): boolean {
    return payload.length >= MIN_BYTES;
  }

  /** The whole frame, ready for the connection. */
  of(payload: Buffer): Promise<Buffer> {
    const known = this.#frames.get(payload);
    if (known) return known;
    const frame = this.#deflater.deflate(payload).then(toFrame);
    this.#frames.set(payload, frame);
    return frame;
  }
}

/** In memory of its own: it waits in sockets. */
function toFrame(pieces: readonly Buffer[]): Buffer {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const header = headerFor(length);
  const frame = Buffer.allocUnsafeSlow(header.length + length);
  let at = 0;
  for (const part of [header, ...pieces]) {
    frame.set(part, at);
    at += part.length;
  }
  return frame;
}

/** Servers do not mask (RFC 6455 section 5.1). */
function headerFor(length: number): Buffer {
  if (length < LENGTH_16) return Buffer.of(FIRST_BYTE, length);
  if (length <= 0xffff) return Buffer.of(FIRST_BYTE, LENGTH_16, length >> 8, length & 0xff);
  const header = Buffer.alloc(10);
  header[0] = FIRST_BYTE;
  header[1] = LENGTH_64;
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}
