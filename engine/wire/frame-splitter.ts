// Cuts a peer's byte stream into frames (BEP 3) without copying the bulk of it. Request, cancel and reject are
// parsed in place; a block's payload is copied once, straight to the place its owner names; every other frame is
// handed on whole, copied, for the control plane. Sans-I/O: the owner of the socket pushes bytes.
//
// Nothing is allocated from a length that a peer merely claims: control frames grow with the bytes received.
import type { CloseReason } from './errors.js';
import { HANDSHAKE_BYTES, MESSAGE, PIECE_HEADER_BYTES, PROTOCOL_HEADER, REQUEST_FRAME_BYTES } from './constants.js';
import { checkMessageLength } from './message-lengths.js';

export interface FrameSink {
  /** The 68 bytes of the handshake, copied. */
  onHandshake(bytes: Uint8Array): void;
  /** A whole control frame with its length prefix, copied; a keep-alive has the id -1. */
  onControl(frame: Uint8Array, id: number): void;
  onRequest(piece: number, begin: number, length: number): void;
  onCancel(piece: number, begin: number, length: number): void;
  onReject(piece: number, begin: number, length: number): void;
  /** Where the block's payload goes, exactly `length` bytes; null: it is read and thrown away. */
  onBlockStart(piece: number, begin: number, length: number): Uint8Array | null;
  /** The payload is complete in the place that onBlockStart named. */
  onBlockEnd(piece: number, begin: number, length: number): void;
  /** The stream is broken; nothing more is delivered. */
  onViolation(reason: CloseReason): void;
}

/** Copies `length` bytes from an offset of one view to an offset of another. */
export type CopyBytes = (target: Uint8Array, at: number, source: Uint8Array, from: number, length: number) => void;

const plainCopy: CopyBytes = (target, at, source, from, length) => target.set(source.subarray(from, from + length), at);

type State = 'handshake' | 'header' | 'payload' | 'control' | 'closed';

const HEADER_ROOM = REQUEST_FRAME_BYTES;
/** A control frame's buffer starts this small and doubles as bytes arrive. */
const FIRST_CONTROL_BYTES = 4 * 1024;

export class FrameSplitter {
  #state: State = 'handshake';
  /** The part of a handshake or header that has arrived; made when the first is cut by the end of a read. */
  #head = EMPTY;
  #headLength = 0;

  #piece = 0;
  #begin = 0;
  #blockLength = 0;
  #target: Uint8Array | null = null;

  #control = EMPTY;
  #controlTotal = 0;
  /** Bytes of the payload or control frame that have arrived. */
  #filled = 0;

  /** `copyPayload` brings blocks to their place. @default an ordinary copy */
  constructor(
    private readonly sink: FrameSink,
    private readonly copyPayload: CopyBytes = plainCopy,
  ) {}

  get closed(): boolean {
    return this.#state === 'closed';
  }

  /** Stops delivery at once; for an owner that closes inside a callback. */
  close(): void {
    this.#state = 'closed';
  }

  /** The block being received has no place any more: the rest of it is thrown away and its end not reported. */
  abandonBlock(): void {
    this.#target = null;
  }

  /** The bytes may be reused when this returns. */
  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      switch (this.#state) {
        case 'handshake':
          at = this.#pushHandshake(bytes, at);
          break;
        case 'header':
          at = this.#pushHeader(bytes, at);
          break;
        case 'payload':
          at = this.#pushPayload(bytes, at);
          break;
        case 'control':
          at = this.#pushControl(bytes, at);
          break;
        case 'closed':
          return;
      }
    }
  }

  #fail(reason: CloseReason): number {
    this.#state = 'closed';
    this.sink.onViolation(reason);
    return Number.MAX_SAFE_INTEGER;
  }

  #fillHead(bytes: Uint8Array, at: number, wanted: number): number {
    const count = Math.max(0, Math.min(wanted - this.#headLength, bytes.length - at));
    if (this.#head.length < wanted) this.#growHead(wanted);
    this.#head.set(bytes.subarray(at, at + count), this.#headLength);
    this.#headLength += count;
    return at + count;
  }

  /** Room for a handshake, which comes once, or for any header. */
  #growHead(wanted: number): void {
    const larger = new Uint8Array(Math.max(wanted, HEADER_ROOM));
    larger.set(this.#head);
    this.#head = larger;
  }

  #pushHandshake(bytes: Uint8Array, at: number): number {
    const before = this.#headLength;
    at = this.#fillHead(bytes, at, HANDSHAKE_BYTES);
    for (let i = before; i < this.#headLength && i < PROTOCOL_HEADER.length; i++) {
      if (this.#head[i] !== PROTOCOL_HEADER[i]) return this.#fail('WIRE_NOT_BITTORRENT');
    }
    if (this.#headLength < HANDSHAKE_BYTES) return at;
    const handshake = this.#head;
    this.#head = EMPTY;
    this.#headLength = 0;
    this.#state = 'header';
    this.sink.onHandshake(handshake);
    return at;
  }

  /** Reads the length prefix and id, then what the id needs to be understood. */
  #pushHeader(bytes: Uint8Array, at: number): number {
    if (this.#headLength === 0 && bytes.length - at >= HEADER_ROOM) return this.#header(bytes, at, at, HEADER_ROOM);
    // The header is cut by the end of a read: put it together in the scratch first, as far as it is known to go.
    const before = this.#headLength;
    let end = this.#fillHead(bytes, at, 4);
    if (this.#headLength < 4) return end;
    if (uint32(this.#head, 0) > 0) {
      end = this.#fillHead(bytes, end, 5);
      if (this.#headLength < 5) return end;
      const needed = headerBytes(this.#head[4]!);
      end = this.#fillHead(bytes, end, needed);
      // A frame of the wrong length is refused from its prefix, before the rest of the header has come.
      if (this.#headLength < needed && checkMessageLength(this.#head[4]!, uint32(this.#head, 0)) === null) return end;
    }
    const have = this.#headLength;
    this.#headLength = 0;
    return this.#header(this.#head, 0, at - before, have);
  }

  /**
   * Understands the frame whose header lies in `from` at `offset`; `start` is where the frame begins in the bytes
   * being pushed (negative when it began in an earlier push). Returns where the next unread byte is.
   */
  #header(from: Uint8Array, offset: number, start: number, have: number): number {
    const length = uint32(from, offset);
    if (length === 0) {
      this.sink.onControl(KEEP_ALIVE, -1);
      return start + 4;
    }
    const id = from[offset + 4]!;
    const violation = checkMessageLength(id, length);
    if (violation) return this.#fail(violation);
    if (id === MESSAGE.piece) {
      this.#piece = uint32(from, offset + 5);
      this.#begin = uint32(from, offset + 9);
      this.#blockLength = length - 9;
      this.#filled = 0;
      this.#state = 'payload';
      this.#target = this.sink.onBlockStart(this.#piece, this.#begin, this.#blockLength);
      if (this.#blockLength === 0) this.#endBlock();
      return start + PIECE_HEADER_BYTES;
    }
    if (id === MESSAGE.request || id === MESSAGE.cancel || id === MESSAGE.reject) {
      const piece = uint32(from, offset + 5);
      const begin = uint32(from, offset + 9);
      const count = uint32(from, offset + 13);
      if (id === MESSAGE.request) this.sink.onRequest(piece, begin, count);
      else if (id === MESSAGE.cancel) this.sink.onCancel(piece, begin, count);
      else this.sink.onReject(piece, begin, count);
      return start + REQUEST_FRAME_BYTES;
    }
    const taken = Math.min(have, 4 + length);
    this.#controlTotal = 4 + length;
    this.#control = new Uint8Array(Math.min(this.#controlTotal, FIRST_CONTROL_BYTES));
    this.#control.set(from.subarray(offset, offset + taken));
    this.#filled = taken;
    this.#state = 'control';
    if (this.#filled === this.#controlTotal) this.#endControl();
    return start + taken;
  }

  #pushPayload(bytes: Uint8Array, at: number): number {
    const count = Math.min(this.#blockLength - this.#filled, bytes.length - at);
    if (this.#target) this.copyPayload(this.#target, this.#filled, bytes, at, count);
    this.#filled += count;
    if (this.#filled === this.#blockLength) this.#endBlock();
    return at + count;
  }

  #endBlock(): void {
    if (this.#state === 'closed') return;
    const delivered = this.#target !== null;
    this.#target = null;
    // The owner may close the splitter inside the callback, so the state is set first.
    this.#state = 'header';
    if (delivered) this.sink.onBlockEnd(this.#piece, this.#begin, this.#blockLength);
  }

  #pushControl(bytes: Uint8Array, at: number): number {
    const count = Math.min(this.#controlTotal - this.#filled, bytes.length - at);
    if (this.#filled + count > this.#control.length) {
      const room = Math.min(this.#controlTotal, Math.max(this.#control.length * 2, this.#filled + count));
      const larger = new Uint8Array(room);
      larger.set(this.#control.subarray(0, this.#filled));
      this.#control = larger;
    }
    this.#control.set(bytes.subarray(at, at + count), this.#filled);
    this.#filled += count;
    if (this.#filled === this.#controlTotal) this.#endControl();
    return at + count;
  }

  #endControl(): void {
    const frame = this.#control;
    this.#control = EMPTY;
    this.#state = 'header';
    this.sink.onControl(frame, frame[4]!);
  }
}

const EMPTY = new Uint8Array(0);
const KEEP_ALIVE = new Uint8Array(4);

function uint32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

/** How much of a frame must be there before it can be dealt with. */
function headerBytes(id: number): number {
  if (id === MESSAGE.piece) return PIECE_HEADER_BYTES;
  if (id === MESSAGE.request || id === MESSAGE.cancel || id === MESSAGE.reject) return REQUEST_FRAME_BYTES;
  return 5;
}
