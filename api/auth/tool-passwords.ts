// User names and passwords that tools send, some with every request: one that was right is remembered for a while as a
// keyed digest, so that Argon2 runs once, and failures alone are limited (docs/compatible.md). A password, name or account
// that was changed is found out at once: the digest is over the password's hash as it is stored.
import { createHmac } from 'node:crypto';
import { RequestError } from '../errors.js';
import type { Account } from './account.js';
import { FairQueue, type Requester } from './fair-queue.js';
import { LoginLimit } from './login-limit.js';
import type { NewestRecords } from './newest-records.js';

const MINUTE_MS = 60_000;
const REMEMBERED_MS = 10 * MINUTE_MS;
/** No spec value; the longest remembered go first. */
const MAX_REMEMBERED = 1_000;
/** One after the other, as they are hashed: a source whose attempts succeed is never refused, however many there are. */
const ATTEMPTS = { running: 1, waiting: 64, reserved: 16 };

export interface ToolPasswordsDeps {
  readonly accounts: {
    readonly findByName: (username: string) => Account | undefined;
    readonly signIn: (username: string, password: string, requester: Requester) => Promise<Account>;
  };
  /** null: no other front changes accounts. */
  readonly newestRecords: Pick<NewestRecords, 'look'> | null;
  readonly randomBytes: (length: number) => Uint8Array;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

export class ToolPasswords {
  readonly #key: Uint8Array;
  /** Until when, by digest, in the order in which they were noted. */
  readonly #remembered = new Map<string, number>();
  readonly #attempts = new FairQueue(ATTEMPTS);
  readonly #failures: LoginLimit;

  constructor(private readonly deps: ToolPasswordsDeps) {
    this.#key = deps.randomBytes(32);
    this.#failures = new LoginLimit(deps.now);
  }

  /**
   * The account that the password opens.
   * @throws RequestError `INVALID_CREDENTIALS`, whatever the reason; `TOO_MANY_LOGINS` after five failures of the address
   */
  async check(username: string, password: string, address: string): Promise<Account> {
    const known = this.#known(username, password);
    if (known) return known;
    const requester = this.#failures.requester(address);
    const attempt = await this.#attempts.run(requester, async () => ({
      // Others that wait with the same password need not hash it again.
      account: this.#known(username, password) ?? (await this.#attempt(username, password, address)),
    }));
    if (!attempt) throw new RequestError('TOO_MANY_LOGINS');
    return attempt.account;
  }

  sweep(): void {
    this.#failures.sweep();
    for (const [digest, until] of this.#remembered) if (until <= this.deps.now()) this.#remembered.delete(digest);
  }

  async #attempt(username: string, password: string, address: string): Promise<Account> {
    if (!this.#failures.take(address)) throw new RequestError('TOO_MANY_LOGINS');
    try {
      await this.deps.newestRecords?.look();
      const account = await this.deps.accounts.signIn(username, password, this.#failures.requester(address));
      this.#failures.giveBack(address);
      this.#remember(this.#digestOf(account, password));
      return account;
    } catch (error) {
      const isGuess = error instanceof RequestError && error.code === 'INVALID_CREDENTIALS';
      if (!isGuess) this.#failures.giveBack(address);
      throw error;
    }
  }

  #known(username: string, password: string): Account | null {
    const account = this.deps.accounts.findByName(username);
    if (!account || account.disabled || account.password_hash === null) return null;
    const until = this.#remembered.get(this.#digestOf(account, password)) ?? 0;
    return until > this.deps.now() ? account : null;
  }

  #remember(digest: string): void {
    this.#remembered.delete(digest);
    this.#remembered.set(digest, this.deps.now() + REMEMBERED_MS);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MAX_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
  }

  #digestOf({ id, password_hash }: Account, password: string): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([id, password_hash, password]))
      .digest('base64');
  }
}
