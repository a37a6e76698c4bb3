// Pooled buffers for outgoing blocks: frames laid out behind one another, each a 13-byte header and a gap that the
// disk reads into, so that one vectored read and one write send up to 32 blocks without a copy in JavaScript.
import { BLOCK_SIZE_BYTES } from '../environment.js';
import { MAX_BLOCKS_PER_READ, MESSAGE, PIECE_HEADER_BYTES } from './constants.js';

export interface OutgoingBlock {
  readonly piece: number;
  readonly begin: number;
  readonly length: number;
}

const FRAME_BYTES = PIECE_HEADER_BYTES + BLOCK_SIZE_BYTES;
/** Blocks that a buffer of each class holds: a slow peer asks for one, a fast one for runs. */
const CLASS_BLOCKS = [1, 4, MAX_BLOCKS_PER_READ] as const;
/** Unused buffers kept for each class; the rest is left to the garbage collector. */
const KEPT_PER_CLASS = 12;

export class FrameBuffer {
  readonly #bytes: Buffer;
  /** Gaps for whole blocks, made once: most reads need exactly these. */
  readonly #gaps: Uint8Array[] = [];

  constructor(readonly blocks: number) {
    this.#bytes = Buffer.allocUnsafeSlow(blocks * FRAME_BYTES);
    for (let i = 0; i < blocks; i++) this.#gaps.push(this.#gap(i * FRAME_BYTES, BLOCK_SIZE_BYTES));
  }

  /** Writes the headers; returns the gaps to read into and the bytes to send once they are filled. */
  layOut(run: readonly OutgoingBlock[]): { gaps: readonly Uint8Array[]; frames: Uint8Array } {
    const bytes = this.#bytes;
    const whole = run.every((block) => block.length === BLOCK_SIZE_BYTES);
    const gaps: Uint8Array[] = whole ? (run.length === this.blocks ? this.#gaps : this.#gaps.slice(0, run.length)) : [];
    let at = 0;
    for (const block of run) {
      bytes.writeUInt32BE(9 + block.length, at);
      bytes[at + 4] = MESSAGE.piece;
      bytes.writeUInt32BE(block.piece, at + 5);
      bytes.writeUInt32BE(block.begin, at + 9);
      if (!whole) gaps.push(this.#gap(at, block.length));
      at += PIECE_HEADER_BYTES + block.length;
    }
    return { gaps, frames: bytes.subarray(0, at) };
  }

  #gap(frame: number, length: number): Uint8Array {
    return this.#bytes.subarray(frame + PIECE_HEADER_BYTES, frame + PIECE_HEADER_BYTES + length);
  }
}

/** Gives out at most `maxBytes` of buffers over all peers; those that must wait are called in turn. */
export class FrameBufferPool {
  readonly #kept = CLASS_BLOCKS.map((): FrameBuffer[] => []);
  /** The `retry` of each caller that was refused, longest first, with the bytes it needs. */
  readonly #waiting = new Map<() => void, number>();
  #usedBytes = 0;

  constructor(private readonly maxBytes: number) {}

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Whether a caller waits for others' buffers. */
  get isShort(): boolean {
    return this.#waiting.size > 0;
  }

  /** null when the limit is reached: `retry` is called once when there is room again. */
  acquire(blocks: number, retry: () => void): FrameBuffer | null {
    const kind = CLASS_BLOCKS.findIndex((room) => room >= blocks);
    const bytes = CLASS_BLOCKS[kind]! * FRAME_BYTES;
    if (this.#usedBytes + bytes > this.maxBytes) {
      this.#waiting.set(retry, bytes);
      return null;
    }
    this.#usedBytes += bytes;
    return this.#kept[kind]!.pop() ?? new FrameBuffer(CLASS_BLOCKS[kind]!);
  }

  release(buffer: FrameBuffer): void {
    this.#usedBytes -= buffer.blocks * FRAME_BYTES;
    const kept = this.#kept[CLASS_BLOCKS.findIndex((room) => room === buffer.blocks)]!;
    if (kept.length < KEPT_PER_CLASS) kept.push(buffer);
    // One that is called may have nothing to send any more, so the turn passes on until the next does not fit.
    for (const [retry, bytes] of this.#waiting) {
      if (this.#usedBytes + bytes > this.maxBytes) break;
      this.#waiting.delete(retry);
      retry();
    }
  }

  forget(retry: () => void): void {
    this.#waiting.delete(retry);
  }
}
