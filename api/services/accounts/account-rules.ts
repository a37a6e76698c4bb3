// What may become of the accounts (docs/semantics.md section 3): user names differ by more than case, administrators
// have every permission, one of them who is enabled always remains, and account 1 is never deleted. Pure: each function
// edits the draft of a change, or throws and leaves the change unmade.
import { createHash } from 'node:crypto';
import {
  NO_QUOTA,
  PERMISSIONS,
  type AccountQuota,
  type NewUser,
  type UserChange,
} from '../../../shared-protocol/dto/accounts.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, type AccountId } from '../../../shared-protocol/ids.js';
import { because } from '../../../shared-protocol/reasons.js';
import { notFound, RequestError } from '../../errors.js';
import { ALL_PERMISSIONS, NO_API_KEY, type Account, type AccountsData } from '../../auth/account.js';
import { isSameUser } from '../../auth/user-names.js';

/**
 * The things that end with a change: `credentials`, all that was opened in the account's name (its password, name, role
 * or a permission changed, or it was disabled); `key`, its sockets, while sessions stay (its API key was rotated);
 * `deleted`, all of it for good.
 */
export type AccountChange = 'credentials' | 'key' | 'deleted';

const CREDENTIALS = ['username', 'role', ...PERMISSIONS, 'disabled', 'password_hash'] as const;
const NO_PERMISSIONS = {
  perm_add_torrents: false,
  perm_manage_rss: false,
  perm_manage_cat_tags: false,
  perm_change_settings: false,
  perm_share: false,
};

/** A digest of what sessions of the account hang on: they end when it is another one. */
export function credentialsDigest(account: Account): string {
  return createHash('sha256')
    .update(JSON.stringify(CREDENTIALS.map((field) => account[field])))
    .digest('hex');
}

/** null when nothing ends: nothing that counts was changed. */
export function endedBy(before: Account, after: Account | undefined): AccountChange | null {
  if (!after) return 'deleted';
  if (CREDENTIALS.some((field) => before[field] !== after[field])) return 'credentials';
  return before.api_key_digest === after.api_key_digest ? null : 'key';
}

/** @throws RequestError `NAME_TAKEN` */
export function addAccount(data: AccountsData, user: NewUser, passwordHash: string, createdAt: number): Account {
  refuseTakenName(data.accounts, user.username, null);
  const { username, role = 'user', disabled = false, home = '', engine = '', quota = {} } = user;
  const account: Account = {
    id: parseAccountId(data.next_id),
    username,
    role,
    ...(role === 'admin' ? ALL_PERMISSIONS : { ...NO_PERMISSIONS, ...permissionsGiven(user) }),
    password_hash: passwordHash,
    ...NO_API_KEY,
    disabled,
    home,
    engine,
    quota: { ...NO_QUOTA, ...given(quota) },
    created_at: createdAt,
  };
  data.next_id++;
  data.accounts.push(account);
  return account;
}

/** Changes what is given and leaves the rest. @throws RequestError `NOT_FOUND`, `NAME_TAKEN`, `ACCOUNT_PROTECTED` */
export function changeAccount(data: AccountsData, id: number, change: UserChange): Account {
  const account = findUser(data.accounts, id);
  const { username = account.username, role = account.role, disabled = account.disabled } = change;
  const { home = account.home, engine = account.engine } = change;
  refuseTakenName(data.accounts, username, account.id);
  const permissions = role === 'admin' ? ALL_PERMISSIONS : permissionsGiven(change);
  const quota = { ...account.quota, ...given(change.quota ?? {}) };
  const changed: Account = { ...account, username, role, ...permissions, disabled, home, engine, quota };
  data.accounts[data.accounts.indexOf(account)] = changed;
  const isEnabledAdmin = account.role === 'admin' && !account.disabled;
  if (isEnabledAdmin) refuseWithoutAdmin(data.accounts, role === 'admin' ? 'disabled' : 'role');
  return changed;
}

/** @throws RequestError `NOT_FOUND`, `ACCOUNT_PROTECTED` for account 1, the caller, and the last administrator */
export function removeAccount(data: AccountsData, callerId: AccountId, id: number): void {
  if (id === ADMIN_ACCOUNT_ID)
    throw new RequestError('ACCOUNT_PROTECTED', 'id: the first account cannot be deleted', because('ACCOUNT_FIRST'));
  if (id === callerId)
    throw new RequestError('ACCOUNT_PROTECTED', 'id: your own account cannot be deleted', because('ACCOUNT_OWN'));
  data.accounts.splice(data.accounts.indexOf(findUser(data.accounts, id)), 1);
  // The caller may have lost its role to the one it deletes, a moment ago.
  refuseWithoutAdmin(data.accounts, 'id');
}

/** @throws RequestError `NOT_FOUND` */
export function findUser<Kept extends Account>(accounts: readonly Kept[], id: number): Kept {
  const account = accounts.find((candidate) => candidate.id === id);
  if (!account) throw notFound('user');
  return account;
}

/** @throws RequestError `NAME_TAKEN` when another account than `own` has the name */
export function refuseTakenName(accounts: readonly Account[], username: string, own: AccountId | null): void {
  const isTaken = accounts.some((account) => account.id !== own && isSameUser(account.username, username));
  if (isTaken) throw new RequestError('NAME_TAKEN', 'username: already taken');
}

/** Without what stands there as undefined. */
function given(quota: NonNullable<UserChange['quota']>): Partial<AccountQuota> {
  return Object.fromEntries(Object.entries(quota).filter(([, bound]) => bound !== undefined));
}

function permissionsGiven(given: UserChange): Partial<typeof NO_PERMISSIONS> {
  return Object.fromEntries(PERMISSIONS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}

function refuseWithoutAdmin(accounts: readonly Account[], field: string): void {
  if (accounts.some(({ role, disabled }) => role === 'admin' && !disabled)) return;
  const said = `${field}: at least one enabled administrator must remain`;
  throw new RequestError('ACCOUNT_PROTECTED', said, because('ACCOUNT_LAST_ADMINISTRATOR'));
}
