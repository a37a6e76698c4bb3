// The piscina pool of hashing threads: made with the first task, gone 30 s after the last. A thread that dies fails
// its own tasks; tasks that wait for a thread that cannot start fail too, and the next task begins with a new pool. Piscina
// is loaded with the first task as well: a start of seeds has nothing to hash.
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import { AppError } from '../../shared-protocol/errors.js';
import type { Log } from '../environment.js';
import { HASHING_NICE, IDLE_TIMEOUT_MS, TASKS_PER_THREAD, THREAD_LIMITS } from './constants.js';
import type { HashTask } from './hash-task.js';
import type { HashWorkerData } from './hash-worker.js';

export interface ThreadPoolOptions {
  readonly threads: number;
  readonly workerUrl: URL;
}

export class ThreadPool {
  readonly #workerData: HashWorkerData;
  readonly #log: Log;
  readonly #options: ThreadPoolOptions;
  #pool: Piscina<HashTask, Uint8Array> | null = null;

  constructor(deps: { readonly slab: SharedArrayBuffer; readonly log: Log }, options: ThreadPoolOptions) {
    this.#workerData = { slab: deps.slab };
    this.#log = deps.log;
    this.#options = options;
  }

  /** @throws AppError `BUG` when the thread dies */
  async run(task: HashTask): Promise<Uint8Array> {
    try {
      const { Piscina: Pool } = await import('piscina');
      this.#pool ??= this.#start(Pool);
      return await this.#pool.run(task);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#log.error('hashing thread failed', { why });
      throw new AppError('BUG', `bug: hashing thread failed: ${why}`, undefined, { cause: error });
    }
  }

  async destroy(): Promise<void> {
    const pool = this.#pool;
    this.#pool = null;
    await pool?.destroy();
  }

  #start(Pool: typeof Piscina): Piscina<HashTask, Uint8Array> {
    const pool = new Pool<HashTask, Uint8Array>({
      filename: fileURLToPath(this.#options.workerUrl),
      minThreads: 0,
      maxThreads: this.#options.threads,
      concurrentTasksPerWorker: TASKS_PER_THREAD,
      idleTimeout: IDLE_TIMEOUT_MS,
      resourceLimits: THREAD_LIMITS,
      niceIncrement: HASHING_NICE,
      // Flags and loaders of the main program are of no use to a thread that only hashes.
      execArgv: [],
      recordTiming: false,
      workerData: this.#workerData,
    });
    pool.on('error', (error: Error) => {
      this.#log.error('hashing thread failed', { why: error.message });
      this.#dropIfStuck(pool);
    });
    // Piscina counts the thread out after this event.
    pool.on('workerDestroy', () => void setImmediate(() => this.#dropIfStuck(pool)));
    return pool;
  }

  /** Piscina starts no thread for tasks that are queued already. */
  #dropIfStuck(pool: Piscina): void {
    if (pool.queueSize === 0 || pool.threads.length > 0) return;
    if (this.#pool === pool) this.#pool = null;
    void pool.destroy();
  }
}
