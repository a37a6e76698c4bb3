// An LMDB environment of this thread, opened anew where a failed commit has left it past use (lmdb-commit.ts): what was to be committed
// then has failed, and everything goes on. Owns: changes that come while others are committed wait for them, and then share a commit; what
// is written to an environment that is past use is never answered, and keeps it from being closed.
import type { RootDatabase } from 'lmdb';
import { AppError } from '../shared-protocol/errors.js';
import { commitFailure, isPastUse } from './lmdb-commit.js';

/** An environment and its sub-databases. */
export interface OpenedTables {
  readonly root: RootDatabase;
}

interface Waiting {
  readonly what: string;
  readonly change: () => void;
  readonly settle: (failure: AppError | null) => void;
}

export class ReopeningEnvironment<Tables extends OpenedTables> {
  #opened: Tables | null;
  /** A millisecond, in which nothing can be read. */
  #isClosing = false;
  #waiting: Waiting[] = [];
  #committing: Promise<void> | null = null;

  /** `name` is for messages. @throws whatever `open` throws */
  constructor(
    private readonly name: string,
    private readonly open: () => Tables,
  ) {
    this.#opened = open();
  }

  /** Sub-databases as they are open now, to be asked for again after each wait. @throws AppError `STORAGE_FAILED`: they cannot be opened anew, or not yet */
  get tables(): Tables {
    if (this.#isClosing) throw new AppError('STORAGE_FAILED', `${this.name}: is being opened anew`);
    return (this.#opened ??= this.open());
  }

  /** All that `change` writes or nothing; durable when it resolves. `what` is named by errors. @throws AppError `STORAGE_FAILED` */
  commit(what: string, change: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (failure: AppError | null) => (failure ? reject(failure) : resolve());
      this.#waiting.push({ what, change, settle });
      this.#committing ??= this.#commitWaiting();
    });
  }

  /** When what is waiting has been committed. */
  async close(): Promise<void> {
    await this.#committing;
    await this.#opened?.root.close();
  }

  async #commitWaiting(): Promise<void> {
    // Later in this turn more may come.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      const failures = await Promise.all(batch.map((each) => this.#failureOf(each)));
      if (failures.some((failure) => failure !== null)) await this.#leavePastUse();
      for (const [place, { settle }] of batch.entries()) settle(failures[place] ?? null);
    }
    this.#committing = null;
  }

  /** Never rejects. */
  async #failureOf({ what, change }: Waiting): Promise<AppError | null> {
    try {
      await this.tables.root.childTransaction(change);
      return null;
    } catch (thrown) {
      return commitFailure(what, thrown);
    }
  }

  /** Nothing is being written that its end would wait for. */
  async #leavePastUse(): Promise<void> {
    const root = this.#opened?.root;
    if (!root || !isPastUse(root)) return;
    this.#opened = null;
    this.#isClosing = true;
    await root.close().finally(() => (this.#isClosing = false));
  }
}
