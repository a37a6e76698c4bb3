// Signing in and out, passwords and keys, over HTTP.
import { access, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { record } from '../../support/own-database.js';
import { startHarness } from '../../support/api-harness.js';

void t.test('the session cookie', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const body = { username: 'admin', password: harness.password };
  const login = await harness.call('POST', '/api/login', { body });
  const setCookie = login.headers['set-cookie']?.[0] ?? '';
  t.match(setCookie, /^service_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
  const cookie = setCookie.split(';')[0];
  t.equal((await harness.call('GET', '/api/me', { headers: { cookie: `a=b; ${cookie}` } })).status, 200);
  const logout = await harness.call('POST', '/api/logout', { headers: { cookie } });
  t.match(logout, { status: 200, headers: { 'set-cookie': [/^service_session=; .*Max-Age=0$/] } });
  t.equal((await harness.call('GET', '/api/me', { headers: { cookie } })).status, 401);
  t.equal((await harness.call('POST', '/api/logout', { headers: { cookie } })).status, 200, 'idempotent');
});

void t.test('whatever is wrong, the answer is the same; the sixth attempt has to wait', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const attempt = (username: string, password: string) =>
    harness.call('POST', '/api/login', { body: { username, password } });
  for (const [username, password] of [
    ['admin', 'wrong'],
    ['admin', ''],
    ['nobody', harness.password],
    ['', ''],
  ] as const) {
    const answer = await attempt(username, password);
    t.match([answer.status, answer.json()], [401, { error: 'invalid credentials' }]);
  }
  t.equal((await attempt('admin', harness.password)).status, 200);
  const sixth = await attempt('admin', harness.password);
  t.match(sixth, { status: 429, headers: { 'retry-after': '12' } });
  t.same(sixth.json(), { error: 'too many login attempts' });
});

void t.test('a new password ends all sessions and the file with the first one', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const file = join(harness.dataDir, 'initial-admin-password');
  t.equal(await readFile(file, 'utf8'), `${harness.password}\n`);
  t.equal((await stat(file)).mode & 0o777, 0o600);
  const [one, other] = [await harness.signIn(), await harness.signIn()];
  const body = { old_password: harness.password, new_password: 'correct horse' };
  const change = await harness.call('POST', '/api/me/password', {
    headers: { cookie: one, origin: harness.daemon.url },
    body,
  });
  t.equal(change.status, 200);
  for (const cookie of [one, other]) {
    t.equal((await harness.call('GET', '/api/me', { headers: { cookie } })).status, 401);
  }
  await t.rejects(access(file));
  await t.resolves(harness.signIn('correct horse'));
});

void t.test('a rotated key works at once, the one before no more; sessions stay', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const first = await harness.apiKey();
  const cookie = await harness.signIn();
  const me = (key: string) => harness.call('GET', '/api/me', { headers: { authorization: `bearer ${key}` } });
  t.match((await me(first)).json(), { has_api_key: true, api_key_hint: first.slice(-4), password_set: true });
  const second = await harness.apiKey();
  t.equal((await me(first)).status, 401);
  t.equal((await me(second)).status, 200);
  t.equal((await harness.call('GET', '/api/me', { headers: { cookie } })).status, 200);
  const both = { authorization: 'Bearer wrong', cookie };
  t.equal((await harness.call('GET', '/api/me', { headers: both })).status, 200, 'either credential is enough');
  t.equal((await harness.call('GET', `/api/me?api_key=${second}`)).status, 401);
  const stored = JSON.stringify(await record(harness.dataDir, 'accounts'));
  t.notOk(stored.includes(second), 'the key itself is not stored');
  t.notOk((await harness.call('GET', '/api/me', { headers: { cookie } })).text.includes('argon2'));
});
