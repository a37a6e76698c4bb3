// Whose turn it is to have a media file looked at. Two at a time, so that one that takes long keeps nobody waiting; and accounts whose
// files took long lately have one of the two places together, and come after the others: who has hostile files looked at waits for
// those who do the same.
import type { AccountId } from '../../../../shared-protocol/ids.js';
import type { Clock } from '../../../clocks.js';

/** Looks at a time; each may take the memory of a thread. */
const PLACES = 2;
/** Usual files take some tenths of a second; large ones of a slow disk one. No spec value. */
export const SLOW_MS = 2_000;
/** How long an account counts as one whose files take long. No spec value. */
export const SLOW_FOR_MS = 600_000;

interface Waiting {
  readonly accountId: AccountId;
  readonly begin: (isSlow: boolean) => void;
}

export class LookingTurns {
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  /** Accounts whose files took long, until when. */
  readonly #slowUntilMs = new Map<AccountId, number>();
  #running = 0;
  #slowRunning = 0;

  constructor(private readonly clock: Pick<Clock, 'nowMs'>) {}

  /** Rejects as soon as `signal` is aborted before its turn. @throws what `look` throws */
  async run<Result>(accountId: AccountId, signal: AbortSignal, look: () => Promise<Result>): Promise<Result> {
    const isSlow = await this.#turn(accountId, signal);
    const beganMs = this.clock.nowMs();
    try {
      return await look();
    } finally {
      const nowMs = this.clock.nowMs();
      if (nowMs - beganMs >= SLOW_MS) this.#slowUntilMs.set(accountId, nowMs + SLOW_FOR_MS);
      this.#running--;
      if (isSlow) this.#slowRunning--;
      this.#admit();
    }
  }

  /** Resolves with whether the turn is one of those of accounts whose files take long. */
  #turn(accountId: AccountId, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const leave = (): void => {
        this.#waiting.delete(waiting);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        accountId,
        begin: (isSlow) => {
          signal.removeEventListener('abort', leave);
          resolve(isSlow);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.add(waiting);
      this.#admit();
    });
  }

  #admit(): void {
    const nowMs = this.clock.nowMs();
    for (const [account, untilMs] of this.#slowUntilMs) if (untilMs <= nowMs) this.#slowUntilMs.delete(account);
    for (const isSlow of [false, true]) {
      for (const waiting of this.#waiting) {
        if (this.#running === PLACES || (isSlow && this.#slowRunning > 0)) break;
        if (this.#slowUntilMs.has(waiting.accountId) !== isSlow) continue;
        this.#waiting.delete(waiting);
        this.#running++;
        if (isSlow) this.#slowRunning++;
        waiting.begin(isSlow);
      }
    }
  }
}
