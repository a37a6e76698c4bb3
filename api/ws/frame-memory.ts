// Memory of large frames, used again when every socket has taken what was in it. Frames of a megabyte made anew each second
// would be what the garbage collector runs for: memory outside of its heap hurries it (measured at 10,000 torrents and 20
// sockets: a collection of the whole heap, 50 ms, every third tick).

/** Smaller ones are left to the garbage collector. */
const MIN_KEPT_BYTES = 32 * 1024;
/** Memory that no frame uses at the moment. */
const MAX_FREE_BYTES = 32 * 1024 * 1024;
/** The next frame of an account is a little longer or shorter than the one before. */
const ROUND_TO_BYTES = 64 * 1024;

/** Memory for frames: taken, and given back. */
export class FrameMemory {
  readonly #free: ArrayBufferLike[] = [];
  #freeBytes = 0;

  /** Memory for a frame, with whatever is in it. */
  take(length: number): Buffer {
    if (length < MIN_KEPT_BYTES) return Buffer.allocUnsafeSlow(length);
    const place = this.#bestFor(length);
    const [known] = place < 0 ? [] : this.#free.splice(place, 1);
    if (known) this.#freeBytes -= known.byteLength;
    const memory = known ?? Buffer.allocUnsafeSlow(Math.ceil(length / ROUND_TO_BYTES) * ROUND_TO_BYTES).buffer;
    return Buffer.from(memory, 0, length);
  }

  /** Gives back what was taken, or a part of it, when nothing of it is read any more. */
  give({ buffer: memory }: Uint8Array): void {
    if (memory.byteLength < MIN_KEPT_BYTES || this.#freeBytes + memory.byteLength > MAX_FREE_BYTES) return;
    this.#free.push(memory);
    this.#freeBytes += memory.byteLength;
  }

  /** Forgets what no frame uses: no connection is there to be sent any. */
  clear(): void {
    this.#free.length = 0;
    this.#freeBytes = 0;
  }

  /** The smallest that is large enough, unless most of it would be left over; -1: none. */
  #bestFor(length: number): number {
    let [best, bestSize] = [-1, Math.max(2 * length, ROUND_TO_BYTES) + 1];
    for (const [place, { byteLength: size }] of this.#free.entries()) {
      if (size >= length && size < bestSize) [best, bestSize] = [place, size];
    }
    return best;
  }
}

/** Bytes that are good until they are given back. */
export interface HeldBytes {
  readonly bytes: Uint8Array;
  /** Lets go of them; to be called once. */
  release(): void;
}

/** Bytes that several hold at the same time: made for the first of them, their memory given back by the last. */
export class SharedBytes {
  #made: Promise<Uint8Array> | null = null;
  #holders = 0;

  constructor(
    private readonly memory: FrameMemory,
    /** Makes the bytes in that memory. */
    private readonly make: () => Promise<Uint8Array>,
  ) {}

  /** The bytes for one more holder. Rejects as `make` does; a later call tries again. */
  async hold(): Promise<HeldBytes> {
    this.#holders++;
    this.#made ??= this.make();
    try {
      const bytes = await this.#made;
      return { bytes, release: () => this.#leave(bytes) };
    } catch (error) {
      this.#leave(null);
      throw error;
    }
  }

  #leave(bytes: Uint8Array | null): void {
    if (--this.#holders > 0) return;
    this.#made = null;
    if (bytes) this.memory.give(bytes);
  }
}
