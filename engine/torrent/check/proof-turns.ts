// Turns at hashing pieces that torrents have on trust: strangers decide when each is asked for, so all torrents together take
// no more of the hashing threads than two checks do, and accounts take turns whatever number of torrents they have.
import type { AccountId } from '../../../shared-protocol/ids.js';

/** Pieces of all torrents; as many as checks run at once. */
const MAX_AT_ONCE = 2;

export class ProofTurns {
  #running = 0;
  /** By account; whose turn is next comes first. */
  readonly #waiting = new Map<AccountId, (() => void)[]>();

  /** Does the work when it is the account's turn. Rejects as the work does. */
  async run<Result>(accountId: AccountId, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < MAX_AT_ONCE) this.#running++;
    else await new Promise<void>((resolve) => this.#wait(accountId, resolve));
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  #wait(accountId: AccountId, begin: () => void): void {
    const line = this.#waiting.get(accountId) ?? [];
    line.push(begin);
    this.#waiting.set(accountId, line);
  }

  /** The place goes to who is next, or is free. */
  #passOn(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#running--;
      return;
    }
    const [accountId, line] = next;
    const begin = line.shift();
    this.#waiting.delete(accountId);
    if (line.length > 0) this.#waiting.set(accountId, line);
    begin?.();
  }
}
