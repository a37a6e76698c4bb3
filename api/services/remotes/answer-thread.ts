// Long answers of remotes, understood in a thread, so that nobody else's request waits for the seconds that it may take. One
// at a time, accounts in turn. What is too much for the thread ends it, and is no answer; the next one starts another.
import { Worker } from 'node:worker_threads';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { AccountTurns } from '../library/account-turns.js';
import type { LongAnswer } from './long-answers.js';

const ENTRY = new URL('./answer-worker.js', import.meta.url);
/** The files of a torrent of 200,000 take some 300 MB for a moment. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 32 };

export interface AnswerCall {
  readonly name: LongAnswer;
  readonly bytes: Uint8Array;
}

/** The answer as JSON, without what its schema does not know; null: it is none. */
export type AnswerText = Uint8Array | null;

export class AnswerThread {
  readonly #turns: AccountTurns;
  #worker: Worker | null = null;

  /** `perAccount`: answers that an account may have to be understood. */
  constructor(perAccount: number) {
    this.#turns = new AccountTurns({ slots: 1, slotsPerAccount: 1, waitingPerAccount: perAccount });
  }

  /** The bytes are given away. @throws RequestError `TOO_MANY_REQUESTS` */
  understand(account: AccountId, call: AnswerCall): Promise<AnswerText> {
    return this.#turns.run(account, () => this.#ask(call));
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #ask(call: AnswerCall): Promise<AnswerText> {
    const worker = (this.#worker ??= this.#start());
    return new Promise((resolve) => {
      const onExit = (): void => resolve(null);
      worker.once('exit', onExit).once('message', (text: AnswerText) => {
        worker.off('exit', onExit);
        resolve(text);
      });
      worker.postMessage(call, [call.bytes.buffer as ArrayBuffer]);
    });
  }

  #start(): Worker {
    const worker = new Worker(ENTRY, { name: 'remote-answers', resourceLimits: THREAD_LIMITS, execArgv: [] });
    worker.unref();
    // Out of memory: its end tells.
    worker.on('error', () => undefined);
    worker.once('exit', () => void (this.#worker = null));
    return worker;
  }
}
