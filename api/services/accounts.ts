// Accounts: who may sign in, with which password and key. Owns the stored accounts and tells listeners when one was
// changed in a way that ends what was opened in its name.
import type { Collection } from '../../storage/types.js';
import { ADMIN_ACCOUNT_ID, type AccountId } from '../../shared-protocol/ids.js';
import { digestOf, newApiKey, sameDigest } from '../auth/api-keys.js';
import type { Passwords } from '../auth/passwords.js';
import { RequestError } from '../errors.js';
import { firstAdmin, type Account, type AccountsData } from './account-records.js';

export type { Account } from './account-records.js';

/** `credentials`: password, name, role or permissions changed, or it was disabled. `key`: its API key was rotated. */
export type AccountChange = 'credentials' | 'key';

export interface AccountsDeps {
  readonly collection: Collection<AccountsData>;
  readonly passwords: Passwords;
  readonly randomBytes: (length: number) => Uint8Array;
  /** Unix seconds. */
  readonly now: () => number;
  /** Forgets the password that was made up at the first start. */
  readonly forgetInitialPassword: () => Promise<void>;
}

export class Accounts {
  readonly #listeners: ((accountId: AccountId, change: AccountChange) => void)[] = [];

  constructor(private readonly deps: AccountsDeps) {}

  find(id: AccountId): Account | undefined {
    return this.deps.collection.data.accounts.find((account) => account.id === id);
  }

  /** Looks at every account, so that the time taken does not tell which one it was. */
  findByApiKey(key: string): Account | null {
    const digest = digestOf(key);
    let found: Account | null = null;
    for (const account of this.deps.collection.data.accounts) {
      if (account.api_key_digest !== null && sameDigest(account.api_key_digest, digest)) found = account;
    }
    return found;
  }

  /** User names differ by more than case. @throws RequestError `INVALID_CREDENTIALS`, whatever the reason. */
  async signIn(username: string, password: string): Promise<Account> {
    const name = username.toLowerCase();
    const account = this.deps.collection.data.accounts.find((candidate) => candidate.username.toLowerCase() === name);
    const isCorrect = await this.deps.passwords.verify(account?.password_hash ?? null, password);
    if (!account || !isCorrect || account.disabled) throw new RequestError('INVALID_CREDENTIALS');
    return account;
  }

  /** @throws RequestError `PASSWORD_INCORRECT` */
  async changePassword(id: AccountId, oldPassword: string, newPassword: string): Promise<void> {
    const isCorrect = await this.deps.passwords.verify(this.find(id)?.password_hash ?? null, oldPassword);
    if (!isCorrect) throw new RequestError('PASSWORD_INCORRECT');
    const passwordHash = await this.deps.passwords.hash(newPassword);
    await this.#change(id, { password_hash: passwordHash });
    if (id === ADMIN_ACCOUNT_ID) await this.deps.forgetInitialPassword();
    this.#tell(id, 'credentials');
  }

  /** The new key, in clear for the only time; the one before is worth nothing from here on. */
  async rotateApiKey(id: AccountId): Promise<string> {
    const { key, digest, hint } = newApiKey(this.deps.randomBytes);
    await this.#change(id, { api_key_digest: digest, api_key_hint: hint });
    this.#tell(id, 'key');
    return key;
  }

  /** Account 1, unless it exists. */
  async ensureAdmin(password: string): Promise<void> {
    const passwordHash = await this.deps.passwords.hash(password);
    await this.deps.collection.update((data) => {
      if (data.accounts.length > 0) return;
      data.accounts.push(firstAdmin(passwordHash, this.deps.now()));
      data.next_id = ADMIN_ACCOUNT_ID + 1;
    });
  }

  get isEmpty(): boolean {
    return this.deps.collection.data.accounts.length === 0;
  }

  onChange(listener: (accountId: AccountId, change: AccountChange) => void): void {
    this.#listeners.push(listener);
  }

  async #change(id: AccountId, change: Partial<Omit<Account, 'id'>>): Promise<void> {
    await this.deps.collection.update((data) => {
      const account = data.accounts.find((candidate) => candidate.id === id);
      if (!account) throw new RequestError('UNAUTHORIZED');
      Object.assign(account, change);
    });
  }

  #tell(id: AccountId, change: AccountChange): void {
    for (const listener of this.#listeners) listener(id, change);
  }
}
