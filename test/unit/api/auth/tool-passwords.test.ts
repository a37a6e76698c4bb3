// Passwords that tools send with each request, on a virtual clock: how often they are hashed, which failures count, and
// what ends the memory of one that was right.
import { createHash } from 'node:crypto';
import t from 'tap';
import type { Account } from '../../../../api/auth/account.js';
import { NO_API_KEY } from '../../../../api/auth/account.js';
import { ToolCredentials } from '../../../../api/auth/tool-credentials.js';
import { ToolPasswords } from '../../../../api/auth/tool-passwords.js';
import { RequestError } from '../../../../api/errors.js';
import { NO_QUOTA } from '../../../../shared-protocol/dto/accounts.js';
import { parseAccountId } from '../../../../shared-protocol/ids.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const MINUTE_MS = 60_000;
const HOST = '192.0.2.1';
const ANN: Account = {
  id: parseAccountId(2),
  username: 'ann',
  role: 'user',
  perm_add_torrents: true,
  perm_manage_rss: false,
  perm_manage_cat_tags: false,
  perm_change_settings: false,
  perm_share: false,
  password_hash: 'hash of right',
  ...NO_API_KEY,
  disabled: false,
  home: '',
  engine: '',
  quota: NO_QUOTA,
  created_at: 0,
};

/** Accounts whose passwords are kept as `hash of …`; `hashed` counts the attempts that cost something. */
class SimpleAccounts {
  hashed = 0;
  ann: Account = ANN;

  findByName = (username: string): Account | undefined => (username.toLowerCase() === 'ann' ? this.ann : undefined);
  find = (): Account => this.ann;
  findByApiKey = (key: string): Account | null => (key === 'key-of-ann' ? this.ann : null);
  signIn = async (username: string, password: string): Promise<Account> => {
    this.hashed++;
    await Promise.resolve();
    const account = this.findByName(username);
    if (!account || account.disabled || account.password_hash !== `hash of ${password}`) {
      throw new RequestError('INVALID_CREDENTIALS');
    }
    return account;
  };
}

function start() {
  const clock = new VirtualClock();
  const accounts = new SimpleAccounts();
  const randomBytes = (length: number) => createHash('sha256').update('key').digest().subarray(0, length);
  const toolPasswords = new ToolPasswords({ accounts, newestRecords: null, randomBytes, now: () => clock.nowMs() });
  const toolSessions = { accountOf: (token: string) => (token === 'session' ? ANN.id : null) };
  const credentials = new ToolCredentials({ accounts, toolSessions, toolPasswords });
  const codeOf = (username: string, password: string, address = HOST) =>
    toolPasswords.check(username, password, address).then(
      () => 'ok',
      (error: unknown) => (error instanceof RequestError ? error.code : String(error)),
    );
  return { clock, accounts, toolPasswords, credentials, codeOf };
}

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

void t.test('a right password is hashed once in ten minutes, however often it comes', async (t) => {
  const { clock, accounts, codeOf } = start();
  const all = await Promise.all(Array.from({ length: 40 }, () => codeOf('ann', 'right')));
  t.same(new Set(all), new Set(['ok']));
  t.equal(accounts.hashed, 1, 'also of those that came together');
  await clock.advance(10 * MINUTE_MS - 1);
  t.equal(await codeOf('ANN', 'right'), 'ok');
  t.equal(accounts.hashed, 1);
  await clock.advance(1);
  t.equal(await codeOf('ann', 'right'), 'ok');
  t.equal(accounts.hashed, 2);
});

void t.test('five failures of an address, then it waits; a success is no failure', async (t) => {
  const { clock, codeOf } = start();
  for (let count = 0; count < 20; count++) t.equal(await codeOf('ann', 'right'), 'ok');
  for (let count = 0; count < 5; count++) t.equal(await codeOf('ann', `wrong ${count}`), 'INVALID_CREDENTIALS');
  t.equal(await codeOf('ann', 'wrong'), 'TOO_MANY_LOGINS');
  t.equal(await codeOf('ann', 'right'), 'ok', 'one that is remembered costs nothing');
  t.equal(await codeOf('ann', 'wrong', '198.51.100.7'), 'INVALID_CREDENTIALS', 'another address has its own');
  await clock.advance(12_000);
  t.equal(await codeOf('ann', 'wrong'), 'INVALID_CREDENTIALS');
  t.equal(await codeOf('ann', 'wrong'), 'TOO_MANY_LOGINS');
});

void t.test('another password, a disabled account: what is remembered is worth nothing at once', async (t) => {
  const { accounts, codeOf } = start();
  t.equal(await codeOf('ann', 'right'), 'ok');
  accounts.ann = { ...ANN, password_hash: 'hash of new' };
  t.equal(await codeOf('ann', 'right'), 'INVALID_CREDENTIALS');
  accounts.ann = { ...ANN, disabled: true };
  t.equal(await codeOf('ann', 'right'), 'INVALID_CREDENTIALS');
});

void t.test('the account by session, by key, by Basic with password or key', async (t) => {
  const { credentials, accounts } = start();
  const nameOf = async (headers: Record<string, string>) =>
    (await credentials.principalOf(headers, HOST))?.account.username ?? null;
  t.equal(await nameOf({}), null);
  t.equal(await nameOf({ cookie: 'a=b; SID=session' }), 'ann');
  t.equal(await nameOf({ cookie: 'SID=other' }), null);
  t.equal(await nameOf({ cookie: 'service_session=session' }), null, 'a session of a browser');
  t.equal(await nameOf({ authorization: 'Bearer key-of-ann' }), 'ann');
  t.equal(await nameOf({ authorization: 'Bearer other' }), null);
  t.equal(accounts.hashed, 0);
  t.equal(await nameOf(basic('ann:right')), 'ann');
  t.equal(await nameOf(basic('ann:key-of-ann')), 'ann');
  t.equal(await nameOf(basic(':key-of-ann')), 'ann', 'the key says whose it is');
  await t.rejects(credentials.principalOf(basic('bob:key-of-ann'), HOST), { code: 'INVALID_CREDENTIALS' });
  await t.rejects(credentials.principalOf(basic('ann:wrong'), HOST), { code: 'INVALID_CREDENTIALS' });
  t.equal(await nameOf(basic('no colon')), null);
  t.equal(await nameOf({ ...basic('ann:wrong'), cookie: 'SID=session' }), 'ann', 'the session is looked at first');
  accounts.ann = { ...ANN, disabled: true };
  t.equal(await nameOf({ cookie: 'SID=session' }), null);
  t.equal(await nameOf({ authorization: 'Bearer key-of-ann' }), null);
});
