// SHA-1 on other threads: packs what waits into tasks and keeps the threads busy without flooding them. Requests
// made in the same turn of the event loop travel together; nothing is held back for longer when a thread is free.
import { AppError } from '../../shared-protocol/errors.js';
import type { Log } from '../environment.js';
import {
  DEFAULT_THREADS,
  FILE_TASK_BYTES,
  REGION_TASK_BYTES,
  REGION_TASK_PIECES,
  TASKS_PER_THREAD,
} from './constants.js';
import { DigestRecords, encodePieces, type HashTask } from './hash-task.js';
import { TaskQueue } from './task-queue.js';
import { ThreadPool } from './thread-pool.js';
import type { PieceHasher, PieceSpan, SlabRegion } from './types.js';

export interface HasherDeps {
  /** The memory that regions lie in: `buffer` of the slab. */
  readonly slab: SharedArrayBuffer;
  readonly log: Log;
}

export interface HasherOptions {
  /** Most hashing threads at once; none while there is nothing to hash. @default 2 */
  readonly threads?: number;
  /** The pool's entry. @default hash-worker.js beside this file */
  readonly workerUrl?: URL;
}

interface Waiting {
  readonly length: number;
  readonly resolve: (digest: Uint8Array | null) => void;
  readonly reject: (error: unknown) => void;
}

interface WaitingRegion extends Waiting {
  readonly offset: number;
}

interface WaitingPiece extends Waiting {
  readonly spans: readonly PieceSpan[];
}

class PooledHasher implements PieceHasher {
  readonly #pool: ThreadPool;
  readonly #slabBytes: number;
  readonly #threads: number;
  readonly #regions = new TaskQueue<WaitingRegion>(REGION_TASK_BYTES, REGION_TASK_PIECES);
  readonly #pieces = new TaskQueue<WaitingPiece>(FILE_TASK_BYTES);
  readonly #running = new Set<Promise<void>>();
  #pieceTasks = 0;
  #isFlushing = false;
  #isClosed = false;

  constructor(deps: HasherDeps, options: HasherOptions) {
    this.#threads = options.threads ?? DEFAULT_THREADS;
    this.#slabBytes = deps.slab.byteLength;
    const workerUrl = options.workerUrl ?? new URL('./hash-worker.js', import.meta.url);
    this.#pool = new ThreadPool(deps, { threads: this.#threads, workerUrl });
  }

  async hashRegion({ offset, length: most }: SlabRegion, length: number): Promise<Uint8Array> {
    if (!(length >= 0 && length <= most && offset + length <= this.#slabBytes)) {
      throw new AppError('BUG', `bug: ${length} bytes of slab region ${offset}+${most}`);
    }
    const digest = await new Promise<Uint8Array | null>((resolve, reject) => {
      this.#regions.push({ offset, length, resolve, reject });
      this.#flushSoon();
    });
    if (!digest) throw new AppError('BUG', 'bug: a slab region without a digest');
    return digest;
  }

  hashPieces(pieces: readonly (readonly PieceSpan[])[]): Promise<(Uint8Array | null)[]> {
    const digests = pieces.map((spans) => {
      if (spans.some((span) => span.kind === 'missing')) return null;
      return new Promise<Uint8Array | null>((resolve, reject) => {
        const length = spans.reduce((sum, span) => sum + span.length, 0);
        this.#pieces.push({ spans, length, resolve, reject });
      });
    });
    this.#flushSoon();
    return settleAll(digests);
  }

  /** Finishes the tasks that run; those that wait fail with `ENGINE_NOT_RUNNING`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#refuseWaiting();
    await Promise.all(this.#running);
    await this.#pool.destroy();
  }

  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    queueMicrotask(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#isClosed) return this.#refuseWaiting();
    const most = this.#threads * TASKS_PER_THREAD;
    while (this.#running.size < most && this.#regions.size > 0) {
      const batch = this.#regions.take();
      const numbers = new Float64Array(batch.length * 2);
      for (let i = 0; i < batch.length; i++) {
        numbers[i * 2] = batch[i]!.offset;
        numbers[i * 2 + 1] = batch[i]!.length;
      }
      this.#start({ kind: 'regions', numbers }, batch);
    }
    // One a thread: reading takes long where the disk is slow, and regions must not wait behind two of them.
    while (this.#running.size < most && this.#pieceTasks < this.#threads && this.#pieces.size > 0) {
      const batch = this.#pieces.take();
      this.#start({ kind: 'pieces', numbers: encodePieces(batch.map((piece) => piece.spans)) }, batch);
    }
  }

  #start(task: HashTask, batch: readonly Waiting[]): void {
    if (task.kind === 'pieces') this.#pieceTasks++;
    const running = this.#run(task, batch).finally(() => {
      if (task.kind === 'pieces') this.#pieceTasks--;
      this.#running.delete(running);
      this.#flush();
    });
    this.#running.add(running);
  }

  async #run(task: HashTask, batch: readonly Waiting[]): Promise<void> {
    try {
      const records = new DigestRecords(await this.#pool.run(task));
      for (const [index, waiting] of batch.entries()) waiting.resolve(records.get(index));
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  }

  #refuseWaiting(): void {
    const refused = [...this.#regions.takeAll(), ...this.#pieces.takeAll()];
    for (const waiting of refused) waiting.reject(new AppError('ENGINE_NOT_RUNNING', 'hashing has been closed'));
  }
}

export function createHasher(deps: HasherDeps, options: HasherOptions = {}): PieceHasher {
  return new PooledHasher(deps, options);
}

/** Like `Promise.all`, but rejects only once all have settled: until then threads may read their descriptors. */
async function settleAll<T>(promises: readonly (Promise<T> | T)[]): Promise<T[]> {
  const results = await Promise.allSettled(promises);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}
