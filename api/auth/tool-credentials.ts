// Turns what a tool of qBittorrent's or Transmission's interface sends into the account that it acts for: the cookie of a
// tool's session, the API key as Bearer, or Basic with the account's password or its API key (docs/compatible.md).
// A browser's session opens none of these interfaces.
import type { IncomingHttpHeaders } from 'node:http';
import { assertNever } from '../../shared-protocol/errors.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { Account } from './account.js';
import { bearerOf, cookieOf, type Credential, type Principal } from './authenticate.js';
import type { ToolPasswords } from './tool-passwords.js';
import type { ToolSessions } from './tool-sessions.js';
import { isSameUser } from './user-names.js';

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
    const opened =
      this.#bySession(headers) ?? this.#byKey(bearerOf(headers)) ?? (await this.#byBasic(headers, address));
    return opened && !opened.account.disabled ? opened : null;
  }

  /** The caller as it is now; null where it is gone or disabled, or the session, key or password that let it in has ended. */
  principalNow({ account: first, credential }: Principal): Principal | null {
    const account = this.deps.accounts.find(first.id);
    const isValid = account && !account.disabled && this.#stillOpens(credential, first, account);
    return isValid ? { account, credential } : null;
  }

  /** The account that a user name opens with its password, or with its API key in place of one. @throws as {@link principalOf} */
  async accountOf(username: string, password: string, address: string): Promise<Account> {
    return (await this.#byName(username, password, address)).account;
  }

  #stillOpens(credential: Credential, first: Account, now: Account): boolean {
    if (credential.kind !== 'tool') return false;
    switch (credential.by) {
      case 'session':
        return this.deps.toolSessions.accountOf(credential.token) === now.id;
      case 'key':
        return now.api_key_digest === first.api_key_digest;
      case 'password':
        return now.password_hash === first.password_hash && now.username === first.username;
      default:
        return assertNever(credential);
    }
  }

  #bySession(headers: IncomingHttpHeaders): Principal | null {
    const token = cookieOf(headers, TOOL_COOKIE);
    const id = token === null ? null : this.deps.toolSessions.accountOf(token);
    const account = id === null ? undefined : this.deps.accounts.find(id);
    return account && token !== null ? { account, credential: { kind: 'tool', by: 'session', token } } : null;
  }

  #byKey(key: string | null): Principal | null {
    const account = key ? this.deps.accounts.findByApiKey(key) : null;
    return account && { account, credential: { kind: 'tool', by: 'key' } };
  }

  async #byBasic(headers: IncomingHttpHeaders, address: string): Promise<Principal | null> {
    const [, encoded] = /^basic +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    if (encoded === undefined) return null;
    const text = Buffer.from(encoded, 'base64').toString('utf8');
    const colon = text.indexOf(':');
    return colon < 0 ? null : this.#byName(text.slice(0, colon), text.slice(colon + 1), address);
  }

  async #byName(username: string, password: string, address: string): Promise<Principal> {
    const owner = this.#byKey(password);
    const isNamed = owner !== null && (username === '' || isSameUser(owner.account.username, username));
    if (isNamed && !owner.account.disabled) return owner;
    const account = await this.deps.toolPasswords.check(username, password, address);
    return { account, credential: { kind: 'tool', by: 'password' } };
  }
}
