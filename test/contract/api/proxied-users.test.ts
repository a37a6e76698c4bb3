// Signing in by the word of a reverse proxy, over HTTP.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { startHarness, type Answer, type Harness } from '../../support/api-harness.js';

const KEY = 'k'.repeat(32);

async function argumentsOf(t: Test, key = KEY): Promise<string[]> {
  const keyFile = join(t.testdir(), 'key');
  await writeFile(keyFile, `${key}\n`);
  return ['--trusted-proxies', '127.0.0.0/8', '--proxy-user-header', 'Remote-User', '--proxy-key-file', keyFile];
}

async function startBehindProxy(t: Test): Promise<Harness> {
  const harness = await startHarness({ args: await argumentsOf(t) });
  t.teardown(() => harness.close());
  const key = await harness.apiKey();
  const body = { username: 'bob', password: 'bob has one too' };
  await harness.call('POST', '/api/users', { headers: { authorization: `Bearer ${key}` }, body });
  return harness;
}

const as = (user: string) => ({ 'swarmd-proxy-key': KEY, 'remote-user': user });
const cookieOf = ({ headers }: Answer) => (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
const nameOf = (answer: Answer) => answer.json()['username'] ?? answer.status;

void t.test('the user of the proxy gets a session of its account, without a password', async (t) => {
  const { call, daemon } = await startBehindProxy(t);
  t.match((await call('GET', '/api/bootstrap')).json(), { proxy_sign_in: true });
  t.equal((await call('GET', '/api/me', { headers: as('bob') })).status, 401, 'a header alone is no session');
  const signedIn = await call('POST', '/api/signin/proxy', { headers: { ...as('BOB'), origin: daemon.url } });
  t.same(signedIn.json(), { ok: true });
  const cookie = cookieOf(signedIn);
  t.equal(nameOf(await call('GET', '/api/me', { headers: { ...as('bob'), cookie } })), 'bob');
});

void t.test('who is not named by the proxy is not let in, and is told why', async (t) => {
  const { call, apiKey } = await startBehindProxy(t);
  const refusal = async (headers: Record<string, string>) => {
    const answer = await call('POST', '/api/signin/proxy', { headers });
    t.notOk(answer.headers['set-cookie']);
    return [answer.status, answer.json()];
  };
  const code = 'PROXY_USER_REFUSED';
  const nobody = [401, { error: 'the proxy names no user', code }];
  t.same(await refusal({ 'remote-user': 'admin' }), nobody, 'another program of this machine');
  t.same(await refusal({ ...as('admin'), 'swarmd-proxy-key': 'x'.repeat(32) }), nobody);
  const unknown = (name: string) => {
    const error = `no account has the name "${name}"`;
    return [401, { error, code, data: { account: 'unknown', name } }];
  };
  t.same(await refusal(as('eve')), unknown('eve'));
  t.same(await refusal(as('bob, admin')), unknown('bob, admin'));
  await call('POST', '/api/users', {
    headers: { authorization: `Bearer ${await apiKey()}` },
    body: { username: 'kate', password: 'kate has one too' },
  });
  const kelvin = '\u212Aate';
  t.same(await refusal(as(Buffer.from(kelvin).toString('latin1'))), unknown(kelvin));
});

void t.test('a page of another site signs nobody in', async (t) => {
  const { call } = await startBehindProxy(t);
  const headers = { ...as('bob'), origin: 'https://evil.example' };
  t.match((await call('POST', '/api/signin/proxy', { headers })).json(), { error: 'origin mismatch' });
});

void t.test('a session ends where the proxy names another user', async (t) => {
  const { call, daemon } = await startBehindProxy(t);
  const cookie = cookieOf(await call('POST', '/api/signin/proxy', { headers: as('admin') }));
  const asked = { headers: { ...as('bob'), cookie, origin: daemon.url } };
  t.equal(nameOf(await call('GET', '/api/me', asked)), 401, 'bob is not admin');
  t.equal((await call('POST', '/api/me/api-key', asked)).status, 401);
  const socket = new WebSocket(`${daemon.url.replace('http', 'ws')}/api/ws`, asked);
  socket.on('error', () => undefined);
  t.match(await once(socket, 'unexpected-response'), [{}, { statusCode: 401 }]);
  t.equal(nameOf(await call('GET', '/api/me', { headers: { ...as('admin'), cookie } })), 'admin');
  t.equal(nameOf(await call('GET', '/api/me', { headers: { cookie } })), 'admin', 'past the proxy');
});

void t.test('a disabled account is not opened', async (t) => {
  const { call, apiKey } = await startBehindProxy(t);
  const headers = { authorization: `Bearer ${await apiKey()}` };
  await call('PUT', '/api/users/2', { headers, body: { disabled: true } });
  const answer = await call('POST', '/api/signin/proxy', { headers: as('bob') });
  t.match(answer.json(), { error: 'the account "bob" is disabled' });
});

void t.test('without the options no proxy is believed', async (t) => {
  const harness = await startHarness({ args: ['--trusted-proxies', '127.0.0.0/8'] });
  t.teardown(() => harness.close());
  t.notOk('proxy_sign_in' in (await harness.call('GET', '/api/bootstrap')).json());
  t.equal((await harness.call('POST', '/api/signin/proxy', { headers: as('admin') })).status, 404);
});

void t.test('a key that is none stops the start, with its file', async (t) => {
  for (const key of ['short', `${'k'.repeat(40)} `, 'ü'.repeat(40), '']) {
    const args = await argumentsOf(t, key);
    await t.rejects(startHarness({ args }), { message: /--proxy-key-file .*key: expected 32 characters or more/ }, key);
  }
  const args = (await argumentsOf(t)).with(-1, '/nonexistent');
  await t.rejects(startHarness({ args }), { message: '--proxy-key-file /nonexistent: cannot be read' });
});
