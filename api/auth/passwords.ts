// Password hashing with Argon2id. A hash takes memory and a libuv thread, so few run at a time and a flood of logins
// is refused instead of starving the engine's disk. Verifying against nothing costs the same as against something.
import { RequestError } from '../errors.js';
import { Semaphore } from './semaphore.js';

export interface Argon2Cost {
  /** KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** OWASP's minimum for Argon2id (19 MiB, 2 passes, 1 lane): about 30 ms here. */
export const DEFAULT_ARGON2_COST: Argon2Cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

const CONCURRENT_HASHES = 2;
const WAITING_HASHES = 16;

/** What is used of the package argon2; it works on a thread of libuv's pool. */
export interface Argon2 {
  hash(password: string, cost: Argon2Cost): Promise<string>;
  verify(passwordHash: string, password: string): Promise<boolean>;
}

/** Most runs of the program see no password, and none at their start. */
const argon2OnDemand: Argon2 = {
  async hash(password, cost) {
    const { argon2id, hash } = await import('argon2');
    return hash(password, { type: argon2id, ...cost });
  },
  verify: async (passwordHash, password) => (await import('argon2')).verify(passwordHash, password),
};

export class Passwords {
  readonly #semaphore = new Semaphore(CONCURRENT_HASHES, WAITING_HASHES);
  #dummyHash: Promise<string> | null = null;

  constructor(
    private readonly cost: Argon2Cost = DEFAULT_ARGON2_COST,
    private readonly argon2: Argon2 = argon2OnDemand,
  ) {}

  /** @throws RequestError `TOO_MANY_LOGINS` when too many wait. */
  async hash(password: string): Promise<string> {
    return this.#inTurn(() => this.#newHash(password));
  }

  /** False for a null hash, after the same time. @throws RequestError `TOO_MANY_LOGINS` when too many wait. */
  async verify(passwordHash: string | null, password: string): Promise<boolean> {
    return this.#inTurn(async () => {
      // Made for the first password of all, whether it is needed for that or not: the time tells nothing.
      const dummyHash = await this.#dummy();
      const matches = await this.argon2.verify(passwordHash ?? dummyHash, password);
      return matches && passwordHash !== null;
    });
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const outcome = await this.#semaphore.run(async () => ({ result: await work() }));
    if (!outcome) throw new RequestError('TOO_MANY_LOGINS');
    return outcome.result;
  }

  #dummy(): Promise<string> {
    this.#dummyHash ??= this.#newHash('no account has this password').catch((error: unknown) => {
      this.#dummyHash = null;
      throw error;
    });
    return this.#dummyHash;
  }

  #newHash(password: string): Promise<string> {
    return this.argon2.hash(password, this.cost);
  }
}
