// The shared memory that pieces in progress live in, handed out in pages, first fit. Invariant: a page is in exactly
// one region or one free run; free runs are sorted and never touch. Its size bounds what downloads may buffer.
import { AppError } from '../../shared-protocol/errors.js';
import { LARGEST_PIECE_SHARE, SLAB_PAGE_BYTES } from './constants.js';
import { createSharedMemory, type SharedMemory } from './shared-memory.js';
import type { Slab, SlabRegion } from './types.js';

/** Offsets and lengths in bytes, whole pages. */
interface FreeRun {
  offset: number;
  length: number;
}

export class SharedSlab implements Slab {
  readonly buffer: SharedArrayBuffer;
  /** Behind the pages, for sockets to read into: what comes from here is copied fastest. */
  readonly readBuffer: Uint8Array;
  readonly totalBytes: number;
  readonly largestPieceBytes: number;
  readonly #free: FreeRun[];
  readonly #memory: SharedMemory;
  #freeBytes: number;

  constructor(totalBytes: number, readBufferBytes: number) {
    this.totalBytes = wholePages(totalBytes);
    if (!(this.totalBytes > 0)) throw new AppError('BUG', `bug: slab of ${totalBytes} bytes`);
    this.largestPieceBytes = wholePages(this.totalBytes / LARGEST_PIECE_SHARE);
    this.#memory = createSharedMemory(this.totalBytes + readBufferBytes);
    this.buffer = this.#memory.buffer;
    this.readBuffer = new Uint8Array(this.buffer, this.totalBytes, readBufferBytes);
    this.#free = [{ offset: 0, length: this.totalBytes }];
    this.#freeBytes = this.totalBytes;
  }

  get memory(): WebAssembly.Memory<SharedArrayBuffer> {
    return this.#memory.memory;
  }

  get usedBytes(): number {
    return this.totalBytes - this.#freeBytes;
  }

  allocate(length: number): SlabRegion | null {
    if (!(length > 0)) throw new AppError('BUG', `bug: slab region of ${length} bytes`);
    const needed = pagesFor(length);
    const index = this.#free.findIndex((run) => run.length >= needed);
    const run = this.#free[index];
    if (!run) return null;
    const offset = run.offset;
    run.offset += needed;
    run.length -= needed;
    if (run.length === 0) this.#free.splice(index, 1);
    this.#freeBytes -= needed;
    return { offset, length, bytes: new Uint8Array(this.buffer, offset, length) };
  }

  /** @throws AppError `BUG` when some of it is free already */
  release(region: SlabRegion): void {
    const { offset } = region;
    const length = pagesFor(region.length);
    const after = this.#firstRunFrom(offset);
    const next = this.#free[after];
    const previous = this.#free[after - 1];
    const overlaps =
      offset % SLAB_PAGE_BYTES !== 0 ||
      offset + length > (next?.offset ?? this.totalBytes) ||
      (previous !== undefined && previous.offset + previous.length > offset);
    if (overlaps) throw new AppError('BUG', `bug: slab region ${offset}+${length} released twice`);
    const joinsPrevious = previous !== undefined && previous.offset + previous.length === offset;
    const joinsNext = next !== undefined && offset + length === next.offset;
    if (joinsPrevious) {
      previous.length += length + (joinsNext ? next.length : 0);
      if (joinsNext) this.#free.splice(after, 1);
    } else if (joinsNext) {
      next.offset = offset;
      next.length += length;
    } else {
      this.#free.splice(after, 0, { offset, length });
    }
    this.#freeBytes += length;
  }

  copy(target: Uint8Array, at: number, source: Uint8Array, from: number, length: number): void {
    if (source.buffer === this.buffer && target.buffer === this.buffer) {
      this.#memory.copyWithin(target.byteOffset + at, source.byteOffset + from, length);
    } else {
      target.set(source.subarray(from, from + length), at);
    }
  }

  /** For tests: throws when the invariant does not hold. */
  checkInvariant(): void {
    let end = -1;
    let sum = 0;
    for (const { offset, length } of this.#free) {
      if (offset <= end || length <= 0) throw new AppError('BUG', `bug: free runs touch at ${offset}`);
      end = offset + length;
      sum += length;
    }
    if (end > this.totalBytes || sum !== this.#freeBytes) throw new AppError('BUG', 'bug: free bytes do not add up');
  }

  /** Index of the first free run at or behind the offset. */
  #firstRunFrom(offset: number): number {
    let low = 0;
    let high = this.#free.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#free[middle]!.offset < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** `totalBytes` is rounded down to whole pages of 16 KiB. */
export function createSlab(totalBytes: number, readBufferBytes = 0): SharedSlab {
  return new SharedSlab(totalBytes, readBufferBytes);
}

function wholePages(bytes: number): number {
  return Math.floor(bytes / SLAB_PAGE_BYTES) * SLAB_PAGE_BYTES;
}

function pagesFor(bytes: number): number {
  return Math.ceil(bytes / SLAB_PAGE_BYTES) * SLAB_PAGE_BYTES;
}
