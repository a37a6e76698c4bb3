// Work that waits in one lane for each account: a few at a time, in turn by account, and some slots are only for accounts
// that have little under way, so that one which asks for very much is felt by itself. Aborted work leaves its lane.
// Owns: running <= slots, of one account <= slotsPerAccount.
import type { AccountId } from '../ids.js';

/** On whose behalf; null: the service's own. */
export type Caller = AccountId | null;

export interface SlotLimits {
  readonly slots: number;
  readonly slotsPerAccount: number;
  readonly waitingPerAccount: number;
}

interface Waiter {
  readonly begin: () => void;
}

interface Lane {
  running: number;
  readonly waiting: Waiter[];
}

export class FairSlots {
  /** Lanes in turn: the one that was served goes to the end. */
  readonly #lanes = new Map<Caller, Lane>();
  #running = 0;

  constructor(private readonly limits: SlotLimits) {}

  /** @throws Error with the code `EBUSY` when too much of the account waits, `ABORT_ERR` when it is given up before its turn */
  async run<Result>(caller: Caller, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const lane = this.#lanes.get(caller) ?? { running: 0, waiting: [] };
    this.#lanes.set(caller, lane);
    if (this.#running < this.limits.slots && lane.running < this.limits.slotsPerAccount) this.#count(lane, 1);
    else await this.#wait(lane, signal);
    try {
      return await work();
    } finally {
      this.#count(lane, -1);
      if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(caller);
      this.#admit();
    }
  }

  #wait(lane: Lane, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(failed('ABORT_ERR'));
      if (lane.waiting.length >= this.limits.waitingPerAccount) return reject(failed('EBUSY'));
      const leave = (): void => {
        lane.waiting.splice(lane.waiting.indexOf(waiter), 1);
        reject(failed('ABORT_ERR'));
      };
      const waiter: Waiter = {
        begin: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      lane.waiting.push(waiter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #admit(): void {
    for (const [caller, lane] of [...this.#lanes]) {
      if (this.#running >= this.limits.slots) return;
      const next = lane.running < this.limits.slotsPerAccount ? lane.waiting.shift() : undefined;
      if (!next) continue;
      this.#lanes.delete(caller);
      this.#lanes.set(caller, lane);
      this.#count(lane, 1);
      next.begin();
    }
  }

  #count(lane: Lane, by: 1 | -1): void {
    lane.running += by;
    this.#running += by;
  }
}

export function failed(code: string): Error {
  return Object.assign(new Error(code), { code });
}
