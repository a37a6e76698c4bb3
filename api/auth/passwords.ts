// Password hashing with Argon2id. A hash takes memory and one of libuv's four threads, which the disk works on as well, so
// one runs of each kind: of sign-ins, of changes of an own password, of what administrators set. None takes another's place,
// and a flood is refused. Verifying against nothing costs the same as against something.
import { RequestError } from '../errors.js';
import { FairQueue, type Requester } from './fair-queue.js';

export interface Argon2Cost {
  /** KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** OWASP's minimum for Argon2id (19 MiB, 2 passes, 1 lane): about 30 ms here. */
const DEFAULT_ARGON2_COST: Argon2Cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Reads of the disk take as long with one to three hashes under way as with none; with four they wait for the pool. */
const SIGN_INS = { running: 1, waiting: 16, reserved: 4 };
const CHANGES = { running: 1, waiting: 8, reserved: 0 };
const ADMINISTRATION = { running: 1, waiting: 8, reserved: 0 };
const ADMINISTRATORS: Requester = { key: 'administrators', isFresh: true };

/** The part of the package argon2 that is used; it works on a thread of libuv's pool. */
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
  readonly #signIns = new FairQueue(SIGN_INS);
  readonly #changes = new FairQueue(CHANGES);
  readonly #administration = new FairQueue(ADMINISTRATION);
  #dummyHash: Promise<string> | null = null;

  constructor(
    private readonly cost: Argon2Cost = DEFAULT_ARGON2_COST,
    private readonly argon2: Argon2 = argon2OnDemand,
  ) {}

  /** For an account that an administrator makes or lets in again. @throws RequestError `TOO_MANY_LOGINS` */
  hash(password: string): Promise<string> {
    return inTurn(this.#administration, ADMINISTRATORS, () => this.#newHash(password));
  }

  /** For signing in. False for a null hash, after the same time. @throws RequestError `TOO_MANY_LOGINS` */
  verify(passwordHash: string | null, password: string, requester: Requester): Promise<boolean> {
    return inTurn(this.#signIns, requester, () => this.#verify(passwordHash, password));
  }

  /** The hash of the new password; null when the old one is wrong. @throws RequestError `TOO_MANY_LOGINS` */
  replace(
    oldHash: string | null,
    oldPassword: string,
    newPassword: string,
    requester: Requester,
  ): Promise<string | null> {
    return inTurn(this.#changes, requester, async () =>
      (await this.#verify(oldHash, oldPassword)) ? this.#newHash(newPassword) : null,
    );
  }

  async #verify(passwordHash: string | null, password: string): Promise<boolean> {
    // Made for the first password of all, whether it is needed for that or not: the time tells nothing.
    const dummyHash = await this.#dummy();
    const matches = await this.argon2.verify(passwordHash ?? dummyHash, password);
    return matches && passwordHash !== null;
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

async function inTurn<Result>(queue: FairQueue, requester: Requester, work: () => Promise<Result>): Promise<Result> {
  const outcome = await queue.run(requester, async () => ({ result: await work() }));
  if (!outcome) throw new RequestError('TOO_MANY_LOGINS');
  return outcome.result;
}
