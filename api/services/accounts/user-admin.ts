// What administrators do with accounts. The rules are in account-rules.ts and are looked at inside the one change, so
// two administrators at the same moment cannot get around them together; passwords are hashed before it.
import type { NewUser, UserChange } from '../../../shared-protocol/dto/accounts.js';
import { PLACED_BY_FLEET } from '../../../shared-protocol/engine-choice.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { RequestError } from '../../errors.js';
import { addAccount, changeAccount, findUser, refuseTakenName, removeAccount } from './account-rules.js';
import type { Engines } from '../../engines/engines.js';
import type { SavePaths } from '../settings/save-paths.js';
import { NO_API_KEY, type Account } from '../../auth/account.js';
import type { Accounts } from './accounts.js';

export interface UserAdminDeps {
  readonly accounts: Pick<Accounts, 'all' | 'edit' | 'hashPassword'>;
  readonly savePaths: Pick<SavePaths, 'choose'>;
  readonly engines: Pick<Engines, 'names'>;
  /** The desktop flavour: account 1 and no other. */
  readonly isSingle: boolean;
}

export class UserAdmin {
  constructor(private readonly deps: UserAdminDeps) {}

  /** @throws RequestError `SINGLE_ACCOUNT`, `NAME_TAKEN`, `TOO_MANY_LOGINS`, `PATH_UNUSABLE` */
  async create(user: NewUser): Promise<Account> {
    const { accounts, isSingle } = this.deps;
    if (isSingle) throw new RequestError('SINGLE_ACCOUNT');
    refuseTakenName(accounts.all, user.username, null);
    this.#checkEngine(user.engine);
    const home = await this.#home(user.engine ?? '', user.home ?? '');
    const passwordHash = await accounts.hashPassword(user.password);
    return accounts.edit((data, now) => addAccount(data, { ...user, ...home }, passwordHash, now));
  }

  /** The account as it is then. @throws RequestError `NOT_FOUND`, `NAME_TAKEN`, `ACCOUNT_PROTECTED`, `PATH_UNUSABLE` */
  async change(id: number, change: UserChange): Promise<Account> {
    this.#checkEngine(change.engine);
    const before = this.deps.accounts.all.find((account) => account.id === id);
    const isAsked = change.home !== undefined || (change.engine ?? before?.engine) !== before?.engine;
    const home = isAsked ? await this.#changedHome(before, change) : {};
    return this.deps.accounts.edit((data) => changeAccount(data, id, { ...change, ...home }));
  }

  /**
   * Deletes the account. What it owned is account 1's from then on, and what was shared with it is not any more:
   * readers see to that (shared-protocol/library-record.ts).
   * @throws RequestError `NOT_FOUND`, `ACCOUNT_PROTECTED`
   */
  delete(callerId: AccountId, id: number): Promise<void> {
    return this.deps.accounts.edit((data) => removeAccount(data, callerId, id));
  }

  /** Without the one before. `endsKey`: the API key goes too. @throws RequestError `NOT_FOUND`, `TOO_MANY_LOGINS` */
  async setPassword(id: number, password: string, { endsKey = false } = {}): Promise<void> {
    const { accounts } = this.deps;
    findUser(accounts.all, id);
    const passwordHash = await accounts.hashPassword(password);
    await accounts.edit((data) => {
      Object.assign(findUser(data.accounts, id), { password_hash: passwordHash }, endsKey ? NO_API_KEY : {});
    });
  }

  /** No error where there is none. @throws RequestError `NOT_FOUND` */
  endApiKey(id: number): Promise<void> {
    return this.deps.accounts.edit((data) => void Object.assign(findUser(data.accounts, id), NO_API_KEY));
  }

  /** The home as it is to be. Where the account is given another engine, it has to be there. */
  #changedHome(before: Account | undefined, change: UserChange): Promise<Pick<Account, 'home'>> {
    const { home = before?.home ?? '', engine = before?.engine ?? '' } = change;
    return this.#home(engine, home, engine === before?.engine ? before.home : '');
  }

  /** In its normal form; an administrator gives it, and may give what administrators may save to. */
  async #home(engine: string, path: string, before = ''): Promise<Pick<Account, 'home'>> {
    return { home: await this.deps.savePaths.choose({ role: 'admin', engine }, path, 'home', before) };
  }

  /** @throws RequestError `BODY_INVALID` */
  #checkEngine(engine = ''): void {
    const { names } = this.deps.engines;
    const known = names.filter((name) => name !== '');
    if (engine === '' || known.includes(engine) || (engine === PLACED_BY_FLEET && known.length > 0)) return;
    const reason =
      known.length === 0
        ? 'there is one engine alone, which has no name'
        : `expected ${known.join(', ')}, or ${PLACED_BY_FLEET}`;
    throw new RequestError('BODY_INVALID', `engine: ${reason}`);
  }
}
