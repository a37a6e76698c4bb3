// Messages in frames of a WebSocket. A large one goes in parts, between which others go first: a torrent file of ten
// megabytes holds up nobody's pause. Pure.

/** Longer messages are taken apart into parts of this length. */
export const PART_BYTES = 256 * 1024;
/** The other side's frames may have this many bytes; larger ones end the stream. */
export const MAX_FRAME_BYTES = 16 * 1024 * 1024;
/** A message put together of its parts. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Messages that are put together at the same time. */
const MAX_JOINING = 64;

const WHOLE = 0;
const PART = 1;
const LAST_PART = 2;
/** The kind, and for parts the number of their message. */
const WHOLE_HEAD_BYTES = 1;
const PART_HEAD_BYTES = 5;

export function wholeFrame(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(WHOLE_HEAD_BYTES + message.length);
  frame[0] = WHOLE;
  frame.set(message, WHOLE_HEAD_BYTES);
  return frame;
}

/** `messageNumber`: another one for each message that is under way, of 32 bits. */
export function* partFrames(message: Uint8Array, messageNumber: number): Generator<Uint8Array> {
  for (let at = 0; at < message.length; at += PART_BYTES) {
    const part = message.subarray(at, at + PART_BYTES);
    const frame = new Uint8Array(PART_HEAD_BYTES + part.length);
    frame[0] = at + PART_BYTES >= message.length ? LAST_PART : PART;
    new DataView(frame.buffer).setUint32(1, messageNumber);
    frame.set(part, PART_HEAD_BYTES);
    yield frame;
  }
}

/** Puts messages together. */
export class FrameJoiner {
  readonly #parts = new Map<number, Uint8Array[]>();
  #heldBytes = 0;

  /** The message that the frame ends, or null while there is more to come; `invalid`: the stream is to end. */
  take(frame: Uint8Array): Uint8Array | null | 'invalid' {
    const kind = frame[0];
    if (kind === WHOLE) return frame.subarray(WHOLE_HEAD_BYTES);
    if ((kind !== PART && kind !== LAST_PART) || frame.length <= PART_HEAD_BYTES) return 'invalid';
    const messageNumber = new DataView(frame.buffer, frame.byteOffset).getUint32(1);
    // Of parts of a byte each, memory for what is kept of one would be a hundred times what they have.
    if (kind === PART && frame.length - PART_HEAD_BYTES < PART_BYTES) return 'invalid';
    const parts = this.#parts.get(messageNumber) ?? [];
    parts.push(frame.subarray(PART_HEAD_BYTES));
    this.#heldBytes += frame.length - PART_HEAD_BYTES;
    if (this.#heldBytes > MAX_MESSAGE_BYTES) return 'invalid';
    this.#parts.set(messageNumber, parts);
    if (this.#parts.size > MAX_JOINING) return 'invalid';
    if (kind === PART) return null;
    this.#parts.delete(messageNumber);
    const message = Buffer.concat(parts);
    this.#heldBytes -= message.length;
    return message;
  }
}
