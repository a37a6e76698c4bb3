// Accounts: who may sign in, with which password and key. Owns the stored accounts; every change of them goes through
// `edit`, which finds out what it ends and tells the listeners, so that no change can forget to.
import type { Collection } from '../../../storage/types.js';
import { ADMIN_ACCOUNT_ID, type AccountId } from '../../../shared-protocol/ids.js';
import { digestOf, newApiKey, sameDigest } from '../../auth/api-keys.js';
import type { Requester } from '../../auth/fair-queue.js';
import type { Passwords } from '../../auth/passwords.js';
import { RequestError } from '../../errors.js';
import { firstAdmin, NO_API_KEY, type Account, type AccountsData } from '../../auth/account.js';
import { credentialsDigest, endedBy, type AccountChange } from './account-rules.js';
import { isSameUser } from '../../auth/user-names.js';

export type { AccountChange } from './account-rules.js';

export interface AccountsDeps {
  readonly collection: Collection<AccountsData>;
  readonly passwords: Pick<Passwords, 'hash' | 'verify' | 'replace'>;
  readonly randomBytes: (length: number) => Uint8Array;
  /** Unix seconds. */
  readonly now: () => number;
  /** Forgets the password that was made up at the first start. */
  readonly forgetInitialPassword: () => Promise<void>;
  /** The desktop flavour: only account 1 may be used, whichever others there were before. @default false */
  readonly isSingle?: boolean;
}

export type AccountListener = (accountId: AccountId, change: AccountChange) => void;

export class Accounts {
  readonly #listeners: AccountListener[] = [];
  readonly #editListeners: (() => Promise<void>)[] = [];

  /** Accounts as listeners have been told of them last. */
  #told: readonly Account[];

  constructor(private readonly deps: AccountsDeps) {
    this.#told = this.all;
    // The front that has changed them tells the engines.
    deps.collection.onChanged(() => void this.#tell());
  }

  get all(): readonly Account[] {
    return this.deps.collection.data.accounts;
  }

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  find(id: AccountId): Account | undefined {
    return this.all.find((account) => account.id === id);
  }

  /** User names differ by more than case. */
  findByName(username: string): Account | undefined {
    return this.#usable.find((account) => isSameUser(account.username, username));
  }

  /** A digest of what sessions of the account hang on; null: there is no such account. */
  credentialsOf(id: AccountId): string | null {
    const account = this.find(id);
    return account ? credentialsDigest(account) : null;
  }

  /** Looks at every account, so that the time taken does not tell which one it was. */
  findByApiKey(key: string): Account | null {
    const digest = digestOf(key);
    let found: Account | null = null;
    for (const account of this.#usable) {
      if (account.api_key_digest !== null && sameDigest(account.api_key_digest, digest)) found = account;
    }
    return found;
  }

  /**
   * Resolves with the account whose session may be opened: at once, without waiting for anything in between, so that a
   * change that comes after ends it.
   * @throws RequestError `INVALID_CREDENTIALS`, whatever the reason and after the same time; `TOO_MANY_LOGINS`
   */
  async signIn(username: string, password: string, requester: Requester): Promise<Account> {
    const passwordHash = this.findByName(username)?.password_hash ?? null;
    const isCorrect = await this.deps.passwords.verify(passwordHash, password, requester);
    // As it is now: it may have got another password or name, or be disabled or gone.
    const account = this.findByName(username);
    if (!account || !isCorrect || account.password_hash !== passwordHash || account.disabled) {
      throw new RequestError('INVALID_CREDENTIALS');
    }
    return account;
  }

  /** Returns the account of a user whom a proxy has signed in. @throws RequestError `PROXY_USER_REFUSED` */
  signInProxied(username: string): Account {
    const account = this.findByName(username);
    const said = JSON.stringify(username);
    if (!account) {
      const facts = { account: 'unknown', name: username };
      throw new RequestError('PROXY_USER_REFUSED', `no account has the name ${said}`, facts);
    }
    if (account.disabled) {
      const facts = { account: 'disabled', name: username };
      throw new RequestError('PROXY_USER_REFUSED', `the account ${said} is disabled`, facts);
    }
    return account;
  }

  /** @throws RequestError `PASSWORD_INCORRECT`; `UNAUTHORIZED` when the account has gone; `TOO_MANY_LOGINS` */
  async changePassword(id: AccountId, oldPassword: string, newPassword: string): Promise<void> {
    const oldHash = this.find(id)?.password_hash ?? null;
    // Each account waits behind its own changes first.
    const requester = { key: `account ${id}`, isFresh: true };
    const newHash = await this.deps.passwords.replace(oldHash, oldPassword, newPassword, requester);
    callerAmong(this.all, id);
    if (newHash === null) throw new RequestError('PASSWORD_INCORRECT');
    await this.edit(({ accounts }) => {
      const account = callerAmong(accounts, id);
      // An administrator has set another one meanwhile, which is not to be undone with the old one.
      if (account.password_hash !== oldHash) throw new RequestError('PASSWORD_INCORRECT');
      account.password_hash = newHash;
    });
  }

  /**
   * The new key, in clear for the only time; the one before is worth nothing from here on.
   * @throws RequestError `UNAUTHORIZED` when the account has gone
   */
  async rotateApiKey(id: AccountId): Promise<string> {
    const { key, digest, hint } = newApiKey(this.deps.randomBytes);
    await this.edit(({ accounts }) => {
      Object.assign(callerAmong(accounts, id), { api_key_digest: digest, api_key_hint: hint });
    });
    return key;
  }

  /** The key is worth nothing from here on; no error where there is none. @throws RequestError `UNAUTHORIZED` */
  async endApiKey(id: AccountId): Promise<void> {
    await this.edit(({ accounts }) => void Object.assign(callerAmong(accounts, id), NO_API_KEY));
  }

  /** Makes a `password_hash`; before an edit, as other edits would wait. @throws RequestError `TOO_MANY_LOGINS` */
  hashPassword(password: string): Promise<string> {
    return this.deps.passwords.hash(password);
  }

  /** Account 1; false where there are accounts, made by another front just now. null leaves its password unset. */
  async ensureAdmin(password: string | null): Promise<boolean> {
    const passwordHash = password === null ? null : await this.hashPassword(password);
    return this.edit((data) => {
      if (data.accounts.length > 0) return false;
      data.accounts.push(firstAdmin(passwordHash, this.deps.now()));
      data.next_id = ADMIN_ACCOUNT_ID + 1;
      return true;
    });
  }

  /**
   * One change of the stored accounts, after those before it; durable when it resolves, and what it ended has ended.
   * Its result is what `change` returns, which gets the creation time for a new account. @throws what `change` throws
   */
  async edit<Result>(change: (data: AccountsData, nowUnixSeconds: number) => Result): Promise<Result> {
    const seen: { result?: Result } = {};
    await this.deps.collection.update((draft) => {
      seen.result = change(draft, this.deps.now());
    });
    const told = this.#tell();
    await Promise.all(this.#editListeners.map((listener) => listener()));
    await told;
    // It is there: the update resolves only after it has run the change.
    return seen.result as Result;
  }

  /** Resolves when what other fronts have changed before holds here. @throws AppError `STORAGE_FAILED` */
  refresh(): Promise<void> {
    return this.deps.collection.refresh();
  }

  onChange(listener: AccountListener): void {
    this.#listeners.push(listener);
  }

  /** After every edit, and awaited by it: what accounts may do has to be known elsewhere before it is answered. */
  onEdited(listener: () => Promise<void>): void {
    this.#editListeners.push(listener);
  }

  get #usable(): readonly Account[] {
    return this.deps.isSingle ? this.all.filter(({ id }) => id === ADMIN_ACCOUNT_ID) : this.all;
  }

  /** Tells listeners at once of what has changed since they were told last. */
  async #tell(): Promise<void> {
    const [before, after] = [this.#told, this.all];
    this.#told = after;
    const remaining = new Map(after.map((account) => [account.id, account]));
    for (const account of before) {
      const change = endedBy(account, remaining.get(account.id));
      if (change !== null) for (const listener of this.#listeners) listener(account.id, change);
    }
    if (hasNewPassword(ADMIN_ACCOUNT_ID, before, after)) await this.deps.forgetInitialPassword();
  }
}

/** The account that a request acts for. @throws RequestError `UNAUTHORIZED` when it may not any more */
function callerAmong<Kept extends Account>(accounts: readonly Kept[], id: AccountId): Kept {
  const account = accounts.find((candidate) => candidate.id === id);
  if (!account || account.disabled) throw new RequestError('UNAUTHORIZED');
  return account;
}

function hasNewPassword(id: AccountId, before: readonly Account[], after: readonly Account[]): boolean {
  const [then, now] = [before, after].map((accounts) => accounts.find((account) => account.id === id));
  return then !== undefined && then.password_hash !== now?.password_hash;
}
