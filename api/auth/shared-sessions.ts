// Sessions of signed-in browsers that several fronts share: whoever signs in at one is signed in at all. Bounds as those of a front
// alone (sessions.ts). Owns: what is stored of a token opens nothing; and a session is worth nothing once its account is known to
// have changed, whichever front ends it when; nor for longer than others, whatever clock it was stored by.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseAccountId, type AccountId } from '../../shared-protocol/ids.js';
import { RequestError } from '../errors.js';
import type { Collection } from '../../storage/types.js';
import { SESSION_TOKEN_BYTES, SESSION_TTL_MS, yieldingTo, type SessionDeps, type Sessions } from './sessions.js';

/** A session that ends later than so long from now was stored by a clock that was ahead, by more than clocks are. No spec value. */
const LONGEST_MS = SESSION_TTL_MS + 3_600_000;

export const sharedSessionsSchema = z.object({
  /** In the order of issue. */
  sessions: z.array(
    z.object({
      /** SHA-256 of the token in hex. */
      digest: z.string(),
      accountId: z.int().transform(parseAccountId),
      /** Digest of what it hangs on of its account, as that was when it was let in. Absent in sessions of before it was kept. */
      credentials: z.string().default(''),
      expiresAtMs: z.number(),
    }),
  ),
});
export type SharedSessionsData = z.infer<typeof sharedSessionsSchema>;
type SharedSession = SharedSessionsData['sessions'][number];
export const NO_SHARED_SESSIONS: SharedSessionsData = { sessions: [] };

/** Sessions as they are asked for, wherever they are. */
export interface SessionStore extends Pick<Sessions, 'size' | 'accountOf' | 'sweep' | 'onRevoked'> {
  /** `isStill`: the account is as it was when it was let in. @throws RequestError `UNAUTHORIZED` where it is not */
  create(accountId: AccountId, isStill?: () => boolean): string | Promise<string>;
  revoke(token: string): void | Promise<void>;
  /** Ends those that the account has from before it became what it is. */
  revokeAccount(accountId: AccountId): void | Promise<void>;
}

export interface SharedSessionsDeps extends Pick<SessionDeps, 'randomBytes'> {
  /** Wall clock in milliseconds, alike at all fronts. */
  readonly now: () => number;
  readonly collection: Collection<SharedSessionsData>;
  /** A digest of what sessions of the account hang on, as this front knows it; null: there is no such account. */
  readonly credentialsOf: (accountId: AccountId) => string | null;
}

export class SharedSessions implements SessionStore {
  readonly #revokedListeners: (() => void)[] = [];

  constructor(private readonly deps: SharedSessionsDeps) {
    deps.collection.onChanged(() => this.#tellRevoked());
  }

  get size(): number {
    return this.deps.collection.data.sessions.filter((session) => this.#isLive(session)).length;
  }

  /** @throws RequestError `UNAUTHORIZED`; AppError `STORAGE_FAILED` */
  async create(accountId: AccountId, isStill: () => boolean = () => true): Promise<string> {
    const { now, randomBytes, credentialsOf } = this.deps;
    const token = Buffer.from(randomBytes(SESSION_TOKEN_BYTES)).toString('base64url');
    let isYielding = false;
    await this.deps.collection.update((data) => {
      const credentials = credentialsOf(accountId);
      if (credentials === null || !isStill()) throw new RequestError('UNAUTHORIZED');
      data.sessions = data.sessions.filter((session) => this.#isInTime(session));
      const yielding = yieldingTo(accountId, data.sessions);
      isYielding = yielding >= 0;
      if (isYielding) data.sessions.splice(yielding, 1);
      data.sessions.push({ digest: digestOf(token), accountId, credentials, expiresAtMs: now() + SESSION_TTL_MS });
    });
    if (isYielding) this.#tellRevoked();
    return token;
  }

  accountOf(token: string): AccountId | null {
    const digest = digestOf(token);
    const found = this.deps.collection.data.sessions.find((session) => session.digest === digest);
    return found && this.#isLive(found) ? found.accountId : null;
  }

  /** @throws AppError `STORAGE_FAILED` */
  async revoke(token: string): Promise<void> {
    if (this.accountOf(token) === null) return;
    const digest = digestOf(token);
    await this.#drop((session) => session.digest === digest);
  }

  /** @throws AppError `STORAGE_FAILED` */
  async revokeAccount(accountId: AccountId): Promise<void> {
    // As it is now: another front may be about to open one for what it has become since.
    const credentials = this.deps.credentialsOf(accountId);
    await this.#drop((session) => session.accountId === accountId && session.credentials !== credentials);
  }

  /** Resolves when those are known that other fronts have made before. @throws AppError `STORAGE_FAILED` */
  refresh(): Promise<void> {
    return this.deps.collection.refresh();
  }

  /** Sessions that have expired are forgotten with the next one that is made. */
  sweep(): void {}

  onRevoked(listener: () => void): void {
    this.#revokedListeners.push(listener);
  }

  #isLive({ accountId, credentials, expiresAtMs }: SharedSession): boolean {
    return this.#isInTime({ expiresAtMs }) && credentials === this.deps.credentialsOf(accountId);
  }

  #isInTime({ expiresAtMs }: Pick<SharedSession, 'expiresAtMs'>): boolean {
    const leftMs = expiresAtMs - this.deps.now();
    return leftMs > 0 && leftMs <= LONGEST_MS;
  }

  async #drop(isRevoked: (session: SharedSession) => boolean): Promise<void> {
    await this.deps.collection.update((data) => {
      data.sessions = data.sessions.filter((session) => !isRevoked(session));
    });
    this.#tellRevoked();
  }

  #tellRevoked(): void {
    for (const listener of this.#revokedListeners) listener();
  }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
