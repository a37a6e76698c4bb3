// The rules about accounts, on drafts of the stored data.
import t from 'tap';
import { PERMISSIONS } from '../../../../../shared-protocol/dto/accounts.js';
import { firstAdmin, type AccountsData } from '../../../../../api/auth/account.js';
import {
  addAccount,
  changeAccount,
  endedBy,
  removeAccount,
} from '../../../../../api/services/accounts/account-rules.js';
import { ADMIN_ACCOUNT_ID, parseAccountId } from '../../../../../shared-protocol/ids.js';

const BOB = parseAccountId(2);
const EVE = parseAccountId(3);

/** admin; bob, a user; eve, an administrator. */
function start(): AccountsData {
  const data: AccountsData = { next_id: 2, accounts: [firstAdmin('hash', 5)] };
  addAccount(data, { username: 'bob', password: 'correct horse', perm_share: true }, 'bobs', 6);
  addAccount(data, { username: 'eve', password: 'correct horse', role: 'admin' }, 'eves', 7);
  return data;
}

const permissionsOf = (account: object | undefined) =>
  PERMISSIONS.filter((name) => (account as Record<string, unknown> | undefined)?.[name]);

void t.test('what a new account is unless it is said', async (t) => {
  const { accounts, next_id } = start();
  t.match(accounts[1], { id: 2, username: 'bob', role: 'user', disabled: false, password_hash: 'bobs', created_at: 6 });
  t.same(permissionsOf(accounts[1]), ['perm_share']);
  t.same(permissionsOf(accounts[2]), PERMISSIONS, 'administrators have all, in the record too');
  t.equal(next_id, 4);
  t.notOk(JSON.stringify(accounts).includes('correct horse'));
});

void t.test('no id is given out twice, not even the last one', async (t) => {
  const data = start();
  removeAccount(data, ADMIN_ACCOUNT_ID, EVE);
  t.equal(addAccount(data, { username: 'eve', password: '' }, '', 8).id, 4);
});

void t.test('names are taken whatever their case; an account may change the case of its own', async (t) => {
  const data = start();
  const taken = { code: 'NAME_TAKEN', message: 'username: already taken' };
  t.throws(() => addAccount(data, { username: 'BOB', password: '' }, '', 8), taken);
  t.throws(() => changeAccount(data, EVE, { username: 'Admin' }), taken);
  t.equal(data.accounts.length, 3);
  t.equal(changeAccount(data, BOB, { username: 'Bob' }).username, 'Bob');
});

void t.test('what is left out of a change stays', async (t) => {
  const data = start();
  const before = structuredClone(data.accounts[1]);
  t.same(changeAccount(data, BOB, {}), before);
  t.same(changeAccount(data, BOB, { perm_manage_rss: true, disabled: true }), {
    ...before,
    perm_manage_rss: true,
    disabled: true,
  });
  t.match(changeAccount(data, BOB, { perm_share: false }), {
    perm_share: false,
    perm_manage_rss: true,
    disabled: true,
  });
});

void t.test('promotion gives every permission, demotion leaves what is not taken', async (t) => {
  const data = start();
  t.same(permissionsOf(changeAccount(data, BOB, { role: 'admin', perm_share: false })), PERMISSIONS);
  t.same(permissionsOf(changeAccount(data, BOB, { perm_share: false })), PERMISSIONS, 'while it is one');
  const demoted = changeAccount(data, BOB, { role: 'user', perm_share: false, perm_manage_rss: false });
  t.same(permissionsOf(demoted), ['perm_add_torrents', 'perm_manage_cat_tags', 'perm_change_settings']);
});

void t.test('an enabled administrator remains, whoever it is', async (t) => {
  const data = start();
  const refusal = (field: string) => ({
    code: 'ACCOUNT_PROTECTED',
    message: `${field}: at least one enabled administrator must remain`,
  });
  changeAccount(data, ADMIN_ACCOUNT_ID, { role: 'user' });
  t.throws(() => changeAccount(structuredClone(data), EVE, { role: 'user' }), refusal('role'));
  t.throws(() => changeAccount(structuredClone(data), EVE, { disabled: true }), refusal('disabled'));
  t.throws(() => removeAccount(structuredClone(data), ADMIN_ACCOUNT_ID, EVE), refusal('id'));
  changeAccount(data, BOB, { role: 'admin', disabled: true });
  t.throws(() => changeAccount(structuredClone(data), EVE, { disabled: true }), refusal('disabled'), 'bob is disabled');
  changeAccount(data, BOB, { disabled: false });
  t.equal(changeAccount(data, EVE, { disabled: true }).disabled, true);
});

void t.test('who cannot be deleted or changed', async (t) => {
  const data = start();
  t.throws(() => removeAccount(data, EVE, ADMIN_ACCOUNT_ID), { code: 'ACCOUNT_PROTECTED', message: /^id: the first/ });
  t.throws(() => removeAccount(data, EVE, EVE), { code: 'ACCOUNT_PROTECTED', message: /^id: your own/ });
  for (const missing of [() => removeAccount(data, EVE, 9), () => changeAccount(data, 9, {})]) {
    t.throws(missing, { code: 'NOT_FOUND', message: 'user not found' });
  }
  removeAccount(data, EVE, BOB);
  t.same(
    data.accounts.map(({ id }) => id),
    [1, 3],
  );
});

void t.test('what a change ends', async (t) => {
  const account = firstAdmin('hash', 5);
  t.equal(endedBy(account, { ...account }), null);
  t.equal(endedBy(account, undefined), 'deleted');
  t.equal(endedBy(account, { ...account, api_key_digest: 'ab', api_key_hint: 'abcd' }), 'key');
  const changes = [
    { username: 'root' },
    { role: 'user' as const },
    { disabled: true },
    { password_hash: 'other' },
    ...PERMISSIONS.map((name) => ({ [name]: false })),
  ];
  for (const change of changes) {
    t.equal(endedBy(account, { ...account, ...change }), 'credentials', JSON.stringify(change));
    t.equal(endedBy({ ...account, ...change }, account), 'credentials', `${JSON.stringify(change)} taken back`);
  }
});
