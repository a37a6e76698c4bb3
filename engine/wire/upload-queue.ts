// One peer's queued requests and the way out for its blocks: runs of contiguous requests become one vectored read
// into a framed buffer and one write. Reads stop at the send watermark, so a peer that does not read costs bounded
// memory and no disk work.
//
// Invariant: a request is in the queue, in a read under way, or gone; `#pendingBytes` is what reads under way will add.
import { BLOCK_SIZE_BYTES } from '../environment.js';
import {
  MAX_BLOCKS_PER_READ,
  MAX_QUEUED_REQUESTS,
  MAX_READS_PER_PEER,
  MIN_SEND_WATERMARK_BYTES,
  PIECE_HEADER_BYTES,
  SEND_STALL_MS,
  SEND_STALL_WHEN_SHORT_MS,
  SEND_WATERMARK_BYTES,
  SLOT_STALL_MS,
} from './constants.js';
import type { FrameBufferPool, OutgoingBlock } from './frame-buffers.js';
import { RequestQueue } from './request-queue.js';

export interface UploadSocket {
  readonly bufferedBytes: number;
  write(bytes: Uint8Array, done: () => void): void;
}

/** The bytes that a rate limit lets go; it calls for a pump when it says no and may again. */
export interface UploadAllowance {
  mayGo(): boolean;
  /** How much at once; Infinity without a limit. */
  quantum(): number;
  charge(bytes: number): void;
}

export interface UploadDeps {
  readonly socket: UploadSocket;
  readonly allowance: UploadAllowance;
  readonly buffers: FrameBufferPool;
  readonly pieceLength: number;
  /** Whether the piece may go out yet; if not, it calls for a pump when it may. */
  isReady(piece: number): boolean;
  /** Reads a contiguous range of the torrent into the views. */
  read(offset: number, views: readonly Uint8Array[]): Promise<void>;
  /** Payload bytes handed to the socket. */
  onSent(bytes: number): void;
  /** The read failed: these requests will not be answered. */
  onReadFailed(run: readonly OutgoingBlock[], error: unknown): void;
}

export class UploadQueue {
  readonly #queue = new RequestQueue();
  #reads = 0;
  #pendingBytes = 0;
  #closed = false;
  /** Little for a peer that has not shown yet that it reads. */
  #watermark = MIN_SEND_WATERMARK_BYTES;
  /** Writes that the socket has not taken yet, and for how long it has taken none. */
  #writes = 0;
  #stuckMs = 0;
  readonly #pump = (): void => this.pump();

  constructor(private readonly deps: UploadDeps) {}

  get length(): number {
    return this.#queue.size;
  }

  /** The peer has taken none of the blocks written for too long, all the more when others wait for their memory. */
  get isStalled(): boolean {
    return this.#stuckMs > (this.deps.buffers.isShort ? SEND_STALL_WHEN_SHORT_MS : SEND_STALL_MS);
  }

  /** Blocks written wait and none is taken: a slot is wasted on it. */
  get wastesSlot(): boolean {
    return this.#stuckMs >= SLOT_STALL_MS;
  }

  /** Once a second. What the peer takes in half a second bounds what is read ahead for it. */
  tick(bytesPerSec: number, elapsedMs: number): void {
    this.#stuckMs = this.#writes === 0 ? 0 : this.#stuckMs + elapsedMs;
    this.#watermark = Math.min(SEND_WATERMARK_BYTES, Math.max(MIN_SEND_WATERMARK_BYTES, bytesPerSec / 2));
  }

  /** `full`: the peer exceeds what we advertised. A request that is queued already is dropped. */
  push(piece: number, begin: number, length: number): 'queued' | 'duplicate' | 'full' {
    if (this.#queue.has(piece, begin)) return 'duplicate';
    if (this.#queue.size >= MAX_QUEUED_REQUESTS) return 'full';
    this.#queue.push(piece, begin, length);
    return 'queued';
  }

  /** False when the block is on its way already, or was never asked for. */
  cancel(piece: number, begin: number): boolean {
    return this.#queue.cancel(piece, begin);
  }

  /** Empties the queue (we choke the peer); returns what will not be served. */
  clear(): OutgoingBlock[] {
    return this.#queue.clear();
  }

  close(): void {
    this.#closed = true;
    this.#queue.clear();
    this.deps.buffers.forget(this.#pump);
  }

  /** Starts as many reads as the limits allow. Called after requests arrive, when a read ends, on drain. */
  pump(): void {
    while (
      !this.#closed &&
      this.#queue.size > 0 &&
      this.#reads < MAX_READS_PER_PEER &&
      this.deps.socket.bufferedBytes + this.#pendingBytes < this.#watermark &&
      this.deps.allowance.mayGo()
    ) {
      if (!this.#startRead()) return;
    }
  }

  /** How many from the first on may go out. */
  #readyCount(run: readonly OutgoingBlock[]): number {
    for (let at = 0; at < run.length; at++) {
      const { piece } = run[at]!;
      if (piece !== run[at - 1]?.piece && !this.deps.isReady(piece)) return at;
    }
    return run.length;
  }

  #startRead(): boolean {
    // A slow peer's run is no longer than its watermark: what is read cannot be cancelled any more.
    const bytes = Math.min(this.deps.allowance.quantum(), this.#watermark);
    const blocks = Math.max(1, Math.min(MAX_BLOCKS_PER_READ, Math.floor(bytes / BLOCK_SIZE_BYTES)));
    const queued = this.#queue.peekRun(this.deps.pieceLength, blocks);
    const run = queued.slice(0, this.#readyCount(queued));
    if (run.length === 0) return false;
    const buffer = this.deps.buffers.acquire(run.length, this.#pump);
    if (!buffer) return false;
    this.#queue.take(run);
    const { gaps, frames } = buffer.layOut(run);
    const payload = frames.length - run.length * PIECE_HEADER_BYTES;
    this.deps.allowance.charge(payload);
    this.#reads++;
    this.#pendingBytes += frames.length;
    const first = run[0]!;
    const settle = (): void => {
      this.#reads--;
      this.#pendingBytes -= frames.length;
    };
    this.deps.read(first.piece * this.deps.pieceLength + first.begin, gaps).then(
      () => {
        settle();
        if (this.#closed) return this.deps.buffers.release(buffer);
        this.#writes++;
        this.deps.socket.write(frames, () => {
          this.#writes--;
          this.#stuckMs = 0;
          this.deps.buffers.release(buffer);
          this.pump();
        });
        this.deps.onSent(payload);
        this.pump();
      },
      (error: unknown) => {
        settle();
        this.deps.buffers.release(buffer);
        if (!this.#closed) this.deps.onReadFailed(run, error);
        this.pump();
      },
    );
    return true;
  }
}
