// Turns of accounts at what is felt by all: who asks for very much waits by itself, and is refused what is too much to wait for.
import { abortForMany } from '../../../shared-protocol/abort-for-many.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { FairSlots, type SlotLimits } from '../../../shared-protocol/names/fair-slots.js';
import { RequestError } from '../../errors.js';

const NEVER = abortForMany().signal;

export class AccountTurns {
  readonly #slots: FairSlots;

  constructor(limits: SlotLimits) {
    this.#slots = new FairSlots(limits);
  }

  /** @throws RequestError `TOO_MANY_REQUESTS`; what `work` throws */
  async run<Result>(accountId: AccountId, work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#slots.run(accountId, NEVER, work);
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'EBUSY' ? new RequestError('TOO_MANY_REQUESTS') : error;
    }
  }
}
