// Who may fetch now and who waits: few at a time of each account, so that slow servers of one account's choice stop nobody
// else; and the service's own polls (feeds, blocklist, updates) always find a place that no account takes.
// Owns: running <= RUNNING in all, of accounts one less, of each account at most two.
import type { AccountId } from '../../shared-protocol/ids.js';

/** Times 10 MiB is what torrent files on their way may take of memory. */
const MAX_RUNNING = 8;
const MAX_WAITING = 64;
const KEPT_FOR_SERVICE = 1;
const MAX_RUNNING_PER_ACCOUNT = 2;
const MAX_WAITING_PER_ACCOUNT = 4;

/** On whose behalf; null: the service's own. */
export type Fetcher = AccountId | null;

interface Waiter {
  readonly fetcher: Fetcher;
  readonly begin: () => void;
}

export class FetchSlots {
  readonly #running = new Map<Fetcher, number>();
  #runningInAll = 0;
  /** In order of arrival. */
  readonly #waiting: Waiter[] = [];

  /** Runs the work when its turn comes; null when too many wait. Rejects when `signal` is aborted before its turn. */
  async run<Result>(
    fetcher: Fetcher,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<{ readonly result: Result } | null> {
    if (!this.#mayRun(fetcher)) {
      if (!this.#mayWait(fetcher)) return null;
      await this.#wait(fetcher, signal);
    } else {
      this.#count(fetcher, 1);
    }
    try {
      return { result: await work() };
    } finally {
      this.#count(fetcher, -1);
      this.#admit();
    }
  }

  #mayRun(fetcher: Fetcher): boolean {
    if (fetcher === null) return this.#runningInAll < MAX_RUNNING;
    const own = this.#running.get(fetcher) ?? 0;
    return own < MAX_RUNNING_PER_ACCOUNT && this.#runningInAll < MAX_RUNNING - KEPT_FOR_SERVICE;
  }

  #mayWait(fetcher: Fetcher): boolean {
    if (this.#waiting.length >= MAX_WAITING) return false;
    if (fetcher === null) return true;
    return this.#waiting.filter((waiter) => waiter.fetcher === fetcher).length < MAX_WAITING_PER_ACCOUNT;
  }

  /** Counted as running when it resolves. */
  #wait(fetcher: Fetcher, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(new Error('given up'));
      };
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiter = { fetcher, begin };
      this.#waiting.push(waiter);
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
    });
  }

  /** Whoever has waited longest and may run, until nobody may. */
  #admit(): void {
    for (;;) {
      const at = this.#waiting.findIndex(({ fetcher }) => this.#mayRun(fetcher));
      const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (!next) return;
      this.#count(next.fetcher, 1);
      next.begin();
    }
  }

  #count(fetcher: Fetcher, by: 1 | -1): void {
    const running = (this.#running.get(fetcher) ?? 0) + by;
    if (running > 0) this.#running.set(fetcher, running);
    else this.#running.delete(fetcher);
    this.#runningInAll += by;
  }
}
