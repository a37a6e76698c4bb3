// Administrators at the same moment: what each sees must not let both get around a rule.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import t from 'tap';
import { Passwords } from '../../../../../api/auth/passwords.js';
import { Accounts } from '../../../../../api/services/accounts/accounts.js';
import { UserAdmin } from '../../../../../api/services/accounts/user-admin.js';
import { ADMIN_ACCOUNT_ID, parseAccountId } from '../../../../../shared-protocol/ids.js';
import { openAccountsFile } from '../../../../support/accounts-file.js';
import { CHEAP_ARGON2 } from '../../../../support/api-harness.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';
import { ANYWHERE } from '../../../../support/save-paths.js';

const PASSWORD = 'correct horse';
const EVE = parseAccountId(2);

async function start(isSingle = false) {
  const file = join(await temporaryDirectory(), 'accounts.json');
  const accounts = new Accounts({
    collection: await openAccountsFile(file),
    passwords: new Passwords(CHEAP_ARGON2),
    randomBytes,
    now: () => 1_700_000_000,
    forgetInitialPassword: async () => undefined,
  });
  await accounts.ensureAdmin(PASSWORD);
  return {
    accounts,
    admin: new UserAdmin({ accounts, savePaths: ANYWHERE, engines: { names: [''] }, isSingle }),
    reopen: async () => (await openAccountsFile(file)).data,
  };
}

const outcomes = async (acts: Promise<unknown>[]) =>
  (await Promise.allSettled(acts)).map((outcome) =>
    outcome.status === 'fulfilled' ? 'done' : (outcome.reason as { code: string }).code,
  );

void t.test('of two who ask for one name, one gets it', async (t) => {
  const { accounts, admin } = await start();
  const create = (username: string) => admin.create({ username, password: PASSWORD });
  t.same((await outcomes([create('bob'), create('BOB')])).sort(), ['NAME_TAKEN', 'done']);
  await create('eve');
  t.same(await outcomes([admin.change(2, { username: 'x' }), admin.change(3, { username: 'X' })]), [
    'done',
    'NAME_TAKEN',
  ]);
  t.same(
    accounts.all.map(({ id, username }) => [id, username]),
    [
      [1, 'admin'],
      [2, 'x'],
      [3, 'eve'],
    ],
    'and what was refused took no number',
  );
});

void t.test('two who demote, disable or delete each other leave one', async (t) => {
  const acts: Record<string, (admin: UserAdmin) => Promise<unknown>[]> = {
    'both demoted': (admin) => [1, 2].map((id) => admin.change(id, { role: 'user' })),
    'both disabled': (admin) => [1, 2].map((id) => admin.change(id, { disabled: true })),
    'demoted and deleted': (admin) => [admin.change(1, { role: 'user' }), admin.delete(ADMIN_ACCOUNT_ID, EVE)],
    'deleted by one who was demoted': (admin) => [
      admin.delete(ADMIN_ACCOUNT_ID, EVE),
      admin.change(1, { role: 'user' }),
    ],
  };
  for (const [name, act] of Object.entries(acts)) {
    const { accounts, admin } = await start();
    await admin.create({ username: 'eve', password: PASSWORD, role: 'admin' });
    t.same(await outcomes(act(admin)), ['done', 'ACCOUNT_PROTECTED'], name);
    t.equal(accounts.all.filter(({ role, disabled }) => role === 'admin' && !disabled).length, 1, name);
  }
});

void t.test('hashing holds up nobody else', async (t) => {
  const { accounts, admin } = await start();
  await admin.create({ username: 'eve', password: PASSWORD });
  const order: string[] = [];
  await Promise.all([
    admin.setPassword(EVE, 'battery staple').then(() => order.push('hashed')),
    admin.change(EVE, { perm_share: true }).then(() => order.push('changed')),
  ]);
  t.same(order, ['changed', 'hashed']);
  await t.resolves(accounts.signIn('eve', 'battery staple', { key: '192.0.2.1', isFresh: true }));
});

void t.test('what was done is there after a restart', async (t) => {
  const { admin, reopen } = await start();
  await admin.create({ username: 'eve', password: PASSWORD, perm_share: true });
  await admin.create({ username: 'bob', password: PASSWORD });
  await admin.change(EVE, { role: 'admin' });
  await admin.delete(EVE, 3);
  t.match(await reopen(), { next_id: 4, accounts: [{ id: 1 }, { id: 2, role: 'admin', perm_manage_rss: true }] });
  t.equal((await reopen()).accounts.length, 2);
});

void t.test('on the desktop there is one account, and it stays an enabled administrator', async (t) => {
  const { admin } = await start(true);
  await t.rejects(admin.create({ username: 'bob', password: PASSWORD }), { code: 'SINGLE_ACCOUNT' });
  await t.rejects(admin.change(1, { role: 'user' }), { code: 'ACCOUNT_PROTECTED' });
  await t.rejects(admin.change(1, { disabled: true }), { code: 'ACCOUNT_PROTECTED' });
  await t.rejects(admin.delete(ADMIN_ACCOUNT_ID, 1), { code: 'ACCOUNT_PROTECTED' });
  await t.rejects(admin.setPassword(2, PASSWORD), { code: 'NOT_FOUND' });
  t.match(await admin.change(1, { username: 'me' }), { username: 'me', role: 'admin' });
  await t.resolves(admin.setPassword(1, 'battery staple'));
});
