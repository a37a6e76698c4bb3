// Sessions of signed-in browsers, in memory only. Owns: at most 100, each dead 12 h after its issue whatever its use; and
// that an account which signs in over and over ends its own sessions before those of others.
import type { AccountId } from '../../shared-protocol/ids.js';

const HOUR_MS = 3_600_000;
/** docs/api.md: 12 hours from issue. */
export const SESSION_TTL_MS = 12 * HOUR_MS;
const SESSION_CAP = 100;
/** Sessions of one account, as soon as others have some too: more than the devices of a person. No spec value. */
const ACCOUNT_CAP = 20;
export const SESSION_TOKEN_BYTES = 32;

interface Session {
  readonly accountId: AccountId;
  readonly expiresAtMs: number;
}

export interface SessionDeps {
  /** Milliseconds that pass also while the machine sleeps, and that no setting of its clock changes. */
  readonly now: () => number;
  readonly randomBytes: (length: number) => Uint8Array;
}

export class Sessions {
  /** In the order of issue, which for one TTL is also the order of expiry. */
  readonly #byToken = new Map<string, Session>();
  readonly #revokedListeners: (() => void)[] = [];

  constructor(private readonly deps: SessionDeps) {}

  get size(): number {
    return this.#byToken.size;
  }

  /** A new token: 43 characters of URL-safe base64. */
  create(accountId: AccountId): string {
    this.sweep();
    const yielding = yieldingTo(accountId, [...this.#byToken.values()]);
    if (yielding >= 0) this.revoke([...this.#byToken.keys()][yielding]!);
    const token = Buffer.from(this.deps.randomBytes(SESSION_TOKEN_BYTES)).toString('base64url');
    this.#byToken.set(token, { accountId, expiresAtMs: this.deps.now() + SESSION_TTL_MS });
    return token;
  }

  /** Returns the account of the session; null when it is unknown, revoked or past its time. */
  accountOf(token: string): AccountId | null {
    const session = this.#byToken.get(token);
    return session && session.expiresAtMs > this.deps.now() ? session.accountId : null;
  }

  revoke(token: string): void {
    if (this.#byToken.delete(token)) this.#tellRevoked();
  }

  revokeAccount(accountId: AccountId): void {
    for (const [token, session] of this.#byToken) if (session.accountId === accountId) this.#byToken.delete(token);
    this.#tellRevoked();
  }

  /** Forgets what has expired. */
  sweep(): void {
    for (const [token, session] of this.#byToken) {
      if (session.expiresAtMs > this.deps.now()) return;
      this.#byToken.delete(token);
    }
  }

  /** Called after sessions were revoked, so that their sockets can be closed at once. */
  onRevoked(listener: () => void): void {
    this.#revokedListeners.push(listener);
  }

  #tellRevoked(): void {
    for (const listener of this.#revokedListeners) listener();
  }
}

/** Place of the session that yields to one more of the account, of all in the order of their issue; -1 while there is room. */
export function yieldingTo(accountId: AccountId, sessions: readonly { readonly accountId: AccountId }[]): number {
  const counts = new Map<AccountId, number>();
  for (const { accountId: holder } of sessions) counts.set(holder, (counts.get(holder) ?? 0) + 1);
  const own = counts.get(accountId) ?? 0;
  const isAlone = own === sessions.length;
  if (!isAlone && own >= ACCOUNT_CAP) return sessions.findIndex((session) => session.accountId === accountId);
  if (sessions.length < SESSION_CAP) return -1;
  const most = Math.max(...counts.values());
  return sessions.findIndex((session) => counts.get(session.accountId) === most);
}
