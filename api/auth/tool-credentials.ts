// Turns what a tool of qBittorrent's or Transmission's interface sends into the account that it acts for: the cookie of a
// tool's session, the API key as Bearer, or Basic with the account's password or its API key (docs/compatible.md).
// A browser's session opens none of these interfaces.
import type { IncomingHttpHeaders } from 'node:http';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { Account } from './account.js';
import { bearerOf, cookieOf, type Principal } from './authenticate.js';
import type { ToolPasswords } from './tool-passwords.js';
import type { ToolSessions } from './tool-sessions.js';

/** qBittorrent's name for it. */
export const TOOL_COOKIE = 'SID';

export interface ToolCredentialsDeps {
  readonly accounts: {
    readonly find: (id: AccountId) => Account | undefined;
    readonly findByApiKey: (key: string) => Account | null;
  };
  readonly toolSessions: Pick<ToolSessions, 'accountOf'>;
  readonly toolPasswords: Pick<ToolPasswords, 'check'>;
}

export class ToolCredentials {
  constructor(private readonly deps: ToolCredentialsDeps) {}

  /**
   * The caller; null without a credential, or where its session or key is worth nothing.
   * @throws RequestError `INVALID_CREDENTIALS` for a user name and password that open nothing, `TOO_MANY_LOGINS`
   */
  async principalOf(headers: IncomingHttpHeaders, address: string): Promise<Principal | null> {
    const account =
      this.#bySession(headers) ?? this.#byKey(bearerOf(headers)) ?? (await this.#byBasic(headers, address));
    return account && !account.disabled ? { account, credential: { kind: 'tool' } } : null;
  }

  /** The account that a user name opens with its password, or with its API key in place of one. @throws as {@link principalOf} */
  async accountOf(username: string, password: string, address: string): Promise<Account> {
    const owner = this.#byKey(password);
    const isOwner = owner && (username === '' || owner.username.toLowerCase() === username.toLowerCase());
    return isOwner && !owner.disabled ? owner : this.deps.toolPasswords.check(username, password, address);
  }

  #bySession(headers: IncomingHttpHeaders): Account | null {
    const token = cookieOf(headers, TOOL_COOKIE);
    const id = token === null ? null : this.deps.toolSessions.accountOf(token);
    return id === null ? null : (this.deps.accounts.find(id) ?? null);
  }

  #byKey(key: string | null): Account | null {
    return key ? this.deps.accounts.findByApiKey(key) : null;
  }

  async #byBasic(headers: IncomingHttpHeaders, address: string): Promise<Account | null> {
    const [, encoded] = /^basic +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    if (encoded === undefined) return null;
    const text = Buffer.from(encoded, 'base64').toString('utf8');
    const colon = text.indexOf(':');
    return colon < 0 ? null : this.accountOf(text.slice(0, colon), text.slice(colon + 1), address);
  }
}
