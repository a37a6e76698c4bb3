// Wrong guesses at the password of an account that is signed in already, by account: a stranger who got hold of a
// session or a key finds the password out no faster than by signing in.
import type { AccountId } from '../../shared-protocol/ids.js';
import { RequestError } from '../errors.js';
import { AttemptLimit } from './attempt-limit.js';

export class WrongPasswords {
  readonly #attempts: AttemptLimit;

  /** `now` in milliseconds, monotonic. */
  constructor(now: () => number) {
    this.#attempts = new AttemptLimit(now);
  }

  /** Counted from the start, so that many at once are no more than many in turn. @throws RequestError `TOO_MANY_LOGINS` */
  async counted(accountId: AccountId, attempt: () => Promise<void>): Promise<void> {
    const key = String(accountId);
    if (!this.#attempts.take(key)) throw new RequestError('TOO_MANY_LOGINS');
    try {
      await attempt();
    } catch (error) {
      const isGuess = error instanceof RequestError && error.code === 'PASSWORD_INCORRECT';
      if (!isGuess) this.#attempts.giveBack(key);
      throw error;
    }
    this.#attempts.giveBack(key);
  }

  sweep(): void {
    this.#attempts.sweep();
  }
}
