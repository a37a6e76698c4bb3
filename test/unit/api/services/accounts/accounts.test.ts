// Accounts over a real file, with Argon2 that stands still where a test wants to change something in the middle of it.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { hash, verify } from 'argon2';
import t from 'tap';
import { Passwords } from '../../../../../api/auth/passwords.js';
import { Accounts } from '../../../../../api/services/accounts/accounts.js';
import { UserAdmin } from '../../../../../api/services/accounts/user-admin.js';
import { ADMIN_ACCOUNT_ID, parseAccountId } from '../../../../../shared-protocol/ids.js';
import { openAccountsFile } from '../../../../support/accounts-file.js';
import { CHEAP_ARGON2 } from '../../../../support/api-harness.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';
import { ANYWHERE } from '../../../../support/save-paths.js';

const BOB = parseAccountId(2);
const PASSWORD = 'correct horse';
const OTHER = 'battery staple';
const REQUESTER = { key: '192.0.2.1', isFresh: true };

type Act = () => Promise<unknown>;

/** Argon2 that counts, and lets something happen where it is told to. */
class WatchedArgon2 {
  readonly calls: string[] = [];
  /** Happens in the middle of the next verification, or of the hashing of this password. */
  duringVerify: Act | null = null;
  readonly duringHash = new Map<string, Act>();

  readonly hash = async (password: string, options: object) => {
    this.calls.push('hash');
    await this.duringHash.get(password)?.();
    return hash(password, options);
  };

  readonly verify = async (passwordHash: string, password: string) => {
    this.calls.push(`verify ${/m=\d+,t=\d+,p=\d+/.exec(passwordHash)?.[0]}`);
    const act = this.duringVerify;
    this.duringVerify = null;
    await act?.();
    return verify(passwordHash, password);
  };
}

/** admin and bob, each with PASSWORD. */
async function start({ isSingle = false } = {}) {
  const file = join(await temporaryDirectory(), 'accounts.json');
  const argon2 = new WatchedArgon2();
  const forgotten: number[] = [];
  const accounts = new Accounts({
    collection: await openAccountsFile(file),
    passwords: new Passwords(CHEAP_ARGON2, argon2),
    randomBytes,
    now: () => 1_700_000_000,
    forgetInitialPassword: async () => void forgotten.push(1),
  });
  await accounts.ensureAdmin(PASSWORD);
  await new UserAdmin({ accounts, savePaths: ANYWHERE, engines: { names: [''] }, isSingle: false }).create({
    username: 'bob',
    password: PASSWORD,
  });
  const told: string[] = [];
  accounts.onChange((accountId, change) => told.push(`${accountId} ${change}`));
  argon2.calls.length = 0;
  return {
    accounts,
    admin: new UserAdmin({ accounts, savePaths: ANYWHERE, engines: { names: [''] }, isSingle }),
    argon2,
    told,
    forgotten,
  };
}

void t.test('a login costs one verification of the same cost, whatever is wrong with it', async (t) => {
  const { accounts, admin, argon2 } = await start();
  await admin.create({ username: 'dis', password: PASSWORD, disabled: true });
  await accounts.edit(({ accounts }) => void Object.assign(accounts[1] ?? {}, { password_hash: null }));
  const attempts: [string, string][] = [
    ['nobody', PASSWORD],
    ['bob', PASSWORD],
    ['bob', ''],
    ['dis', PASSWORD],
    ['admin', 'wrong'],
  ];
  // The first of all pays for the hash that stands for none.
  await t.rejects(accounts.signIn('nobody', PASSWORD, REQUESTER));
  for (const [username, password] of attempts) {
    argon2.calls.length = 0;
    await t.rejects(accounts.signIn(username, password, REQUESTER), { code: 'INVALID_CREDENTIALS' }, username);
    t.same(argon2.calls, ['verify m=8,t=1,p=1'], username);
  }
  argon2.calls.length = 0;
  t.equal((await accounts.signIn('ADMIN', PASSWORD, REQUESTER)).id, ADMIN_ACCOUNT_ID);
  t.same(argon2.calls, ['verify m=8,t=1,p=1']);
});

void t.test('what changes while a login is being checked decides', async (t) => {
  const { accounts, admin, argon2 } = await start();
  const during = async (act: Act) => {
    argon2.duringVerify = act;
    return accounts.signIn('bob', PASSWORD, REQUESTER);
  };
  t.equal((await during(async () => undefined)).id, BOB);
  await t.rejects(
    during(() => admin.change(BOB, { disabled: true })),
    { code: 'INVALID_CREDENTIALS' },
  );
  await admin.change(BOB, { disabled: false });
  await t.rejects(
    during(() => admin.setPassword(BOB, OTHER)),
    { code: 'INVALID_CREDENTIALS' },
  );
  await admin.setPassword(BOB, PASSWORD);
  await t.rejects(
    during(() => admin.change(BOB, { username: 'robert' })),
    { code: 'INVALID_CREDENTIALS' },
  );
  await admin.change(BOB, { username: 'bob' });
  t.equal((await during(() => admin.change(BOB, { perm_share: true }))).perm_share, true, 'as it is then');
  await t.rejects(
    during(() => admin.delete(ADMIN_ACCOUNT_ID, BOB)),
    { code: 'INVALID_CREDENTIALS' },
  );
});

void t.test('one who is gone is unauthorized, and does not come back', async (t) => {
  const { accounts, admin, argon2 } = await start();
  argon2.duringVerify = () => admin.delete(ADMIN_ACCOUNT_ID, BOB);
  await t.rejects(accounts.changePassword(BOB, PASSWORD, OTHER), { code: 'UNAUTHORIZED' });
  await t.rejects(accounts.changePassword(BOB, PASSWORD, OTHER), { code: 'UNAUTHORIZED' });
  await t.rejects(accounts.rotateApiKey(BOB), { code: 'UNAUTHORIZED' });
  await t.rejects(admin.setPassword(BOB, OTHER), { code: 'NOT_FOUND' });
  const eve = await admin.create({ username: 'eve', password: PASSWORD });
  argon2.duringHash.set(OTHER, () => admin.delete(ADMIN_ACCOUNT_ID, eve.id));
  await t.rejects(admin.setPassword(eve.id, OTHER), { code: 'NOT_FOUND' });
  t.same(
    accounts.all.map(({ id }) => id),
    [ADMIN_ACCOUNT_ID],
  );
});

void t.test('one who was disabled meanwhile gets neither password nor key', async (t) => {
  const { accounts, admin, argon2 } = await start();
  argon2.duringVerify = () => admin.change(BOB, { disabled: true });
  await t.rejects(accounts.changePassword(BOB, PASSWORD, OTHER), { code: 'UNAUTHORIZED' });
  await t.rejects(accounts.rotateApiKey(BOB), { code: 'UNAUTHORIZED' });
  t.equal(accounts.find(BOB)?.api_key_digest, null);
});

void t.test('the old password does not undo what an administrator has set meanwhile', async (t) => {
  const { accounts, admin, argon2 } = await start();
  argon2.duringVerify = () => admin.setPassword(BOB, OTHER);
  await t.rejects(accounts.changePassword(BOB, PASSWORD, 'a third one'), { code: 'PASSWORD_INCORRECT' });
  argon2.duringHash.set('a third one', () => admin.setPassword(BOB, PASSWORD));
  await t.rejects(accounts.changePassword(BOB, OTHER, 'a third one'), { code: 'PASSWORD_INCORRECT' });
  await t.resolves(accounts.signIn('bob', PASSWORD, REQUESTER));
});

void t.test('listeners hear what ended, and only that', async (t) => {
  const { accounts, admin, told } = await start();
  const heard = async (act: Promise<unknown>) => {
    await act.catch(() => undefined);
    return told.splice(0);
  };
  t.same(await heard(admin.change(BOB, {})), []);
  t.same(await heard(admin.change(BOB, { username: 'bob', role: 'user', perm_share: false, disabled: false })), []);
  t.same(await heard(admin.change(BOB, { username: 'ADMIN' })), [], 'refused');
  t.same(await heard(admin.change(BOB, { perm_share: true })), ['2 credentials']);
  t.same(await heard(accounts.rotateApiKey(BOB)), ['2 key']);
  t.same(await heard(accounts.changePassword(BOB, 'wrong', OTHER)), []);
  t.same(await heard(accounts.changePassword(BOB, PASSWORD, PASSWORD)), ['2 credentials'], 'the same one again');
  t.same(await heard(admin.setPassword(BOB, OTHER)), ['2 credentials']);
  t.same(await heard(admin.create({ username: 'eve', password: PASSWORD })), []);
  t.same(await heard(admin.delete(ADMIN_ACCOUNT_ID, BOB)), ['2 deleted']);
});

void t.test('the file with the first password goes with any new one of account 1, and with no other', async (t) => {
  const { accounts, admin, forgotten } = await start();
  await admin.setPassword(BOB, OTHER);
  await admin.change(ADMIN_ACCOUNT_ID, { username: 'root' });
  await accounts.rotateApiKey(ADMIN_ACCOUNT_ID);
  t.equal(forgotten.length, 0);
  await accounts.changePassword(ADMIN_ACCOUNT_ID, PASSWORD, OTHER);
  t.equal(forgotten.length, 1);
  await admin.setPassword(ADMIN_ACCOUNT_ID, PASSWORD);
  t.equal(forgotten.length, 2);
});

void t.test('a key finds its account until it is rotated', async (t) => {
  const { accounts } = await start();
  const first = await accounts.rotateApiKey(BOB);
  t.match(accounts.findByApiKey(first), { id: BOB, api_key_hint: first.slice(-4) });
  const second = await accounts.rotateApiKey(BOB);
  t.equal(accounts.findByApiKey(first), null);
  t.equal(accounts.findByApiKey(second)?.id, BOB);
  t.equal(accounts.findByApiKey(''), null);
});
