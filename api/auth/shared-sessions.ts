// Sessions of signed-in browsers that several fronts share: whoever signs in at one is signed in at all. Bounds as those of a front
// alone (sessions.ts). Owns: what is stored of a token opens nothing.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseAccountId, type AccountId } from '../../shared-protocol/ids.js';
import { RequestError } from '../errors.js';
import type { Collection } from '../../storage/types.js';
import { SESSION_TOKEN_BYTES, SESSION_TTL_MS, yieldingTo, type SessionDeps, type Sessions } from './sessions.js';

export const sharedSessionsSchema = z.object({
  /** In the order of issue. */
  sessions: z.array(
    z.object({
      /** SHA-256 of the token in hex. */
      digest: z.string(),
      accountId: z.int().transform(parseAccountId),
      expiresAtMs: z.number(),
    }),
  ),
});
export type SharedSessionsData = z.infer<typeof sharedSessionsSchema>;
export const NO_SHARED_SESSIONS: SharedSessionsData = { sessions: [] };

/** Sessions as they are asked for, wherever they are. */
export interface SessionStore extends Pick<Sessions, 'size' | 'accountOf' | 'sweep' | 'onRevoked'> {
  /** `isStill`: the account is as it was when it was let in. @throws RequestError `UNAUTHORIZED` where it is not */
  create(accountId: AccountId, isStill?: () => boolean): string | Promise<string>;
  revoke(token: string): void | Promise<void>;
  revokeAccount(accountId: AccountId): void | Promise<void>;
}

export class SharedSessions implements SessionStore {
  readonly #revokedListeners: (() => void)[] = [];

  constructor(private readonly deps: SessionDeps & { readonly collection: Collection<SharedSessionsData> }) {
    deps.collection.onChanged(() => this.#tellRevoked());
  }

  get size(): number {
    return this.#live.length;
  }

  /** @throws RequestError `UNAUTHORIZED`; AppError `STORAGE_FAILED` */
  async create(accountId: AccountId, isStill: () => boolean = () => true): Promise<string> {
    const { now, randomBytes } = this.deps;
    const token = Buffer.from(randomBytes(SESSION_TOKEN_BYTES)).toString('base64url');
    let isYielding = false;
    await this.deps.collection.update((data) => {
      if (!isStill()) throw new RequestError('UNAUTHORIZED');
      data.sessions = data.sessions.filter(({ expiresAtMs }) => expiresAtMs > now());
      const yielding = yieldingTo(accountId, data.sessions);
      isYielding = yielding >= 0;
      if (isYielding) data.sessions.splice(yielding, 1);
      data.sessions.push({ digest: digestOf(token), accountId, expiresAtMs: now() + SESSION_TTL_MS });
    });
    if (isYielding) this.#tellRevoked();
    return token;
  }

  accountOf(token: string): AccountId | null {
    const digest = digestOf(token);
    return this.#live.find((session) => session.digest === digest)?.accountId ?? null;
  }

  /** @throws AppError `STORAGE_FAILED` */
  async revoke(token: string): Promise<void> {
    const digest = digestOf(token);
    if (this.#live.some((session) => session.digest === digest))
      await this.#drop((session) => session.digest === digest);
  }

  /** @throws AppError `STORAGE_FAILED` */
  async revokeAccount(accountId: AccountId): Promise<void> {
    await this.#drop((session) => session.accountId === accountId);
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

  get #live(): SharedSessionsData['sessions'] {
    const nowMs = this.deps.now();
    return this.deps.collection.data.sessions.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  }

  async #drop(isRevoked: (session: SharedSessionsData['sessions'][number]) => boolean): Promise<void> {
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
