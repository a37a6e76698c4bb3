// Sessions of tools that signed in as they would to qBittorrent (docs/compatible.md), in memory only. Apart from those of
// browsers: a tool that signs in anew each minute and never out ends none but its own.
import type { AccountId } from '../../shared-protocol/ids.js';

const HOUR_MS = 3_600_000;
/** qBittorrent's own default is an hour without use; a day's work of one that is in use. No spec values. */
const IDLE_MS = HOUR_MS;
const TTL_MS = 12 * HOUR_MS;
const CAP = 500;
const ACCOUNT_CAP = 50;
const TOKEN_BYTES = 32;

interface ToolSession {
  readonly accountId: AccountId;
  readonly endsAtMs: number;
  usedAtMs: number;
}

export interface ToolSessionsDeps {
  /** The milliseconds of `SessionDeps`. */
  readonly now: () => number;
  readonly randomBytes: (length: number) => Uint8Array;
}

export class ToolSessions {
  /** In the order of last use, the longest unused first. */
  readonly #byToken = new Map<string, ToolSession>();

  constructor(private readonly deps: ToolSessionsDeps) {}

  get size(): number {
    return this.#byToken.size;
  }

  /** A new token: letters, digits, `-` and `_`. The longest unused session of the account, or of all, makes room. */
  create(accountId: AccountId): string {
    this.sweep();
    const own = [...this.#byToken].filter(([, session]) => session.accountId === accountId);
    const yielding = own.length >= ACCOUNT_CAP ? own[0] : this.#byToken.size >= CAP ? this.#fullest() : undefined;
    if (yielding) this.#byToken.delete(yielding[0]);
    const token = Buffer.from(this.deps.randomBytes(TOKEN_BYTES)).toString('base64url');
    const now = this.deps.now();
    this.#byToken.set(token, { accountId, endsAtMs: now + TTL_MS, usedAtMs: now });
    return token;
  }

  /** Returns the account of the session, which counts as a use of it; null when there is none or its time is over. */
  accountOf(token: string): AccountId | null {
    const session = this.#byToken.get(token);
    if (!session || this.#isOver(session)) return null;
    session.usedAtMs = this.deps.now();
    this.#byToken.delete(token);
    this.#byToken.set(token, session);
    return session.accountId;
  }

  revoke(token: string): void {
    this.#byToken.delete(token);
  }

  revokeAccount(accountId: AccountId): void {
    for (const [token, session] of this.#byToken) if (session.accountId === accountId) this.#byToken.delete(token);
  }

  /** Forgets those whose time is over. */
  sweep(): void {
    for (const [token, session] of this.#byToken) if (this.#isOver(session)) this.#byToken.delete(token);
  }

  #isOver({ endsAtMs, usedAtMs }: ToolSession): boolean {
    const now = this.deps.now();
    return now >= endsAtMs || now >= usedAtMs + IDLE_MS;
  }

  /** The longest unused session of the account that has most. */
  #fullest(): [string, ToolSession] | undefined {
    const counts = new Map<AccountId, number>();
    for (const { accountId } of this.#byToken.values()) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    const most = Math.max(...counts.values());
    return [...this.#byToken].find(([, { accountId }]) => counts.get(accountId) === most);
  }
}
