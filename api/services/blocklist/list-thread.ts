// Has a list read in a thread of its own, which is ended with it: a million lines would keep the main thread from its work
// for a second. Chunks go over as they come, a few at a time; what comes back is shared memory.
import { Worker } from 'node:worker_threads';
import type { Chunks } from '../../egress/body.js';
import { fetchFailed } from '../../egress/failure.js';
import type { ReadList } from './list-reader.js';

const ENTRY = new URL('./list-worker.js', import.meta.url);
/** On their way to the thread; each has some 64 KiB. */
const MAX_CHUNKS_AHEAD = 16;
/** Ranges lie outside of it, and lines are forgotten one by one. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

export type ListReply =
  /** The thread's modules are loaded; always the first. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'done'; readonly list: ReadList }
  | { readonly kind: 'failed'; readonly reason: string };

/** Aborted, it rejects and ends the thread. @throws RequestError `FETCH_FAILED`; what the body throws */
export async function readListInThread(body: Chunks, signal: AbortSignal): Promise<ReadList> {
  signal.throwIfAborted();
  const thread = new ListThread();
  const giveUp = (): void => void thread.end();
  signal.addEventListener('abort', giveUp);
  try {
    for await (const chunk of body) {
      await thread.take(chunk);
      if (thread.hasAnswered) break;
    }
    thread.finish();
    return await thread.list;
  } finally {
    signal.removeEventListener('abort', giveUp);
    await thread.end();
  }
}

class ListThread {
  readonly list: Promise<ReadList>;
  hasAnswered = false;
  readonly #worker = new Worker(ENTRY, { name: 'blocklist', resourceLimits: THREAD_LIMITS, execArgv: [] });
  readonly #loadedOrGone: Promise<void>;
  #ahead = 0;
  #onRoom: (() => void) | null = null;

  constructor() {
    this.#loadedOrGone = new Promise((resolve) => {
      this.#worker.once('message', () => resolve());
      this.#worker.once('exit', () => resolve());
    });
    this.list = new Promise((resolve, reject) => {
      const settle = (outcome: () => void): void => {
        this.hasAnswered = true;
        outcome();
        this.#makeRoom();
      };
      this.#worker.on('message', (reply: ListReply) => {
        if (reply.kind === 'loaded') return;
        if (reply.kind === 'done') return settle(() => resolve(reply.list));
        if (reply.kind === 'failed') return settle(() => reject(fetchFailed(reply.reason)));
        this.#ahead--;
        return this.#makeRoom();
      });
      // Out of memory, for one.
      this.#worker.on('error', () => settle(() => reject(fetchFailed('the list could not be read'))));
      this.#worker.on('exit', () => settle(() => reject(fetchFailed('given up'))));
    });
    // The body may fail first, and then no caller awaits the list.
    this.list.catch(() => undefined);
  }

  /** Resolves when there is room for another one. */
  async take(chunk: Uint8Array): Promise<void> {
    // In memory of its own, which goes over without being copied again; what sockets read into is shared.
    const own = new Uint8Array(chunk);
    this.#worker.postMessage(own, [own.buffer]);
    this.#ahead++;
    while (this.#ahead >= MAX_CHUNKS_AHEAD && !this.hasAnswered) {
      await new Promise<void>((resolve) => (this.#onRoom = resolve));
    }
  }

  /** There are no more chunks. */
  finish(): void {
    this.#worker.postMessage(null);
  }

  /** Resolves once it has exited. Terminated while it loads its modules, it would leave their files open in the process. */
  async end(): Promise<void> {
    await this.#loadedOrGone;
    await this.#worker.terminate();
  }

  #makeRoom(): void {
    this.#onRoom?.();
    this.#onRoom = null;
  }
}
