// A gateway client that makes each call in a thread of its own, which is ended with the call. nat-api looks up the default
// route with a blocking child process, leaves requests, timers and listeners behind, and can throw where no caller can
// catch; in a thread none of it reaches the engine, and its memory has a limit.
import { Worker } from 'node:worker_threads';
import { GATEWAY_THREAD_LIMITS } from './constants.js';
import type {
  GatewayClient,
  GatewayJob,
  GatewayJobResult,
  MappingOutcome,
  MappingRemoval,
  MappingRequest,
} from './gateway-types.js';

const WORKER_URL = new URL('./gateway-worker.js', import.meta.url);
const THREAD_DIED: MappingOutcome = { kind: 'failed', reason: 'thread-died', remarks: [] };

export function createGatewayThread(): GatewayClient {
  return new GatewayThread();
}

class GatewayThread implements GatewayClient {
  #worker: Worker | null = null;

  async map(request: MappingRequest): Promise<MappingOutcome> {
    const result = await this.#run({ kind: 'map', request });
    return result?.kind === 'map' ? result.outcome : THREAD_DIED;
  }

  async unmap(removal: MappingRemoval): Promise<boolean> {
    const result = await this.#run({ kind: 'unmap', removal });
    return result?.kind === 'unmap' && result.removed;
  }

  abort(): void {
    void this.#worker?.terminate();
    this.#worker = null;
  }

  /** Null when the thread cannot be started, dies or is ended. */
  #run(job: GatewayJob): Promise<GatewayJobResult | null> {
    this.abort();
    return new Promise((resolve) => {
      try {
        const worker = new Worker(WORKER_URL, {
          workerData: job,
          resourceLimits: GATEWAY_THREAD_LIMITS,
          execArgv: [],
          // What the package warns of is of no use to us; unread, it stays in the thread.
          stdout: true,
          stderr: true,
        });
        this.#worker = worker;
        worker.once('message', (result: GatewayJobResult) => {
          resolve(result);
          if (this.#worker === worker) this.abort();
        });
        worker.once('error', () => resolve(null));
        worker.once('exit', () => resolve(null));
      } catch {
        resolve(null);
      }
    });
  }
}
