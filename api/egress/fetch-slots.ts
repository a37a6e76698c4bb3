// Who may fetch now and who waits: few at a time of each account, so that slow servers of one account's choice stop no
// other; and the service's own polls (feeds, blocklist, updates) always find a slot that no account takes.
// Owns: running <= RUNNING in all, of accounts one less, of each account at most two.
import type { Caller } from '../../shared-protocol/names/name-resolver.js';

/** Times 10 MiB is what torrent files on their way may take of memory. */
const MAX_RUNNING = 8;
const MAX_WAITING = 64;
const KEPT_FOR_SERVICE = 1;
const MAX_RUNNING_PER_ACCOUNT = 2;
const MAX_WAITING_PER_ACCOUNT = 4;

interface Waiter {
  readonly caller: Caller;
  readonly begin: () => void;
}

export class FetchSlots {
  readonly #running = new Map<Caller, number>();
  #runningInAll = 0;
  /** In order of arrival. */
  readonly #waiting: Waiter[] = [];

  /** Runs the work when its turn comes; null when too many wait. Rejects when `signal` is aborted before its turn. */
  async run<Result>(
    caller: Caller,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<{ readonly result: Result } | null> {
    if (!this.#mayRun(caller)) {
      if (!this.#mayWait(caller)) return null;
      await this.#wait(caller, signal);
    } else {
      this.#count(caller, 1);
    }
    try {
      return { result: await work() };
    } finally {
      this.#count(caller, -1);
      this.#admit();
    }
  }

  #mayRun(caller: Caller): boolean {
    if (caller === null) return this.#runningInAll < MAX_RUNNING;
    const own = this.#running.get(caller) ?? 0;
    return own < MAX_RUNNING_PER_ACCOUNT && this.#runningInAll < MAX_RUNNING - KEPT_FOR_SERVICE;
  }

  #mayWait(caller: Caller): boolean {
    if (this.#waiting.length >= MAX_WAITING) return false;
    if (caller === null) return true;
    return this.#waiting.filter((waiter) => waiter.caller === caller).length < MAX_WAITING_PER_ACCOUNT;
  }

  /** Counted as running when it resolves. */
  #wait(caller: Caller, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(new Error('given up'));
      };
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiter = { caller, begin };
      this.#waiting.push(waiter);
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
    });
  }

  /** Begins what has waited longest and may run, until none of the waiting may. */
  #admit(): void {
    for (;;) {
      const at = this.#waiting.findIndex(({ caller }) => this.#mayRun(caller));
      const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (!next) return;
      this.#count(next.caller, 1);
      next.begin();
    }
  }

  #count(caller: Caller, by: 1 | -1): void {
    const running = (this.#running.get(caller) ?? 0) + by;
    if (running > 0) this.#running.set(caller, running);
    else this.#running.delete(caller);
    this.#runningInAll += by;
  }
}
