// `PUT /api/settings/web` on a listener of real sockets: who is answered, who is closed and where it listens then.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { httpCall, startHarness, type Harness, type HarnessOptions } from '../../support/api-harness.js';
import { freePort } from '../../support/free-port.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const STORED = { enabled: true, port: 9480, bind_all: false, username: 'admin' };

async function start(t: Test, options: HarnessOptions = {}) {
  const harness = await startHarness(options);
  t.teardown(() => harness.close());
  const authorization = `Bearer ${await harness.apiKey()}`;
  const put = (change: Partial<typeof STORED>) =>
    harness.call('PUT', '/api/settings/web', { headers: { authorization }, body: { ...STORED, ...change } });
  return { harness, authorization, put };
}

/** The URL that `runtime.json` shows once it is another one. */
async function moved({ daemon, dataDir }: Harness, from: string): Promise<string> {
  for (;;) {
    const { http_url } = JSON.parse(await readFile(join(dataDir, 'runtime.json'), 'utf8')) as { http_url: string };
    if (http_url !== from && daemon.url === http_url) return http_url;
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
}

async function openSocket(url: string, authorization: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws`, { headers: { authorization } });
  const closed = once(socket, 'close') as Promise<[number, Buffer]>;
  await once(socket, 'open');
  return { socket, closed };
}

void t.test('to another port: answered there, sockets closed with 1001, then at home here', async (t) => {
  const { harness, authorization, put } = await start(t);
  const from = harness.daemon.url;
  const { closed } = await openSocket(from, authorization);
  const port = await freePort();
  t.match(await put({ port }), { status: 200, text: '{"ok":true}' });
  const to = await moved(harness, from);
  t.equal(to, `http://127.0.0.1:${port}`);
  const [code, reason] = await closed;
  t.same([code, reason.toString()], [1001, 'listener restarting']);
  await t.rejects(httpCall(`${from}/api/bootstrap`, 'GET'), { code: 'ECONNREFUSED' });
  const stored = await harness.call('GET', '/api/settings/web', { headers: { authorization } });
  t.match(stored.json(), { ...STORED, port });
  const { socket } = await openSocket(to, authorization);
  t.equal(socket.readyState, WebSocket.OPEN, 'the hub goes on');
  socket.terminate();
});

void t.test('what does not move the listener closes nothing', async (t) => {
  const { harness, authorization, put } = await start(t);
  const { socket } = await openSocket(harness.daemon.url, authorization);
  const url = harness.daemon.url;
  for (const change of [{}, { enabled: false }, { enabled: true }]) t.equal((await put(change)).status, 200);
  t.match((await harness.call('GET', '/api/settings/web', { headers: { authorization } })).json(), STORED);
  t.same([socket.readyState, harness.daemon.url], [WebSocket.OPEN, url]);
  socket.terminate();
});

void t.test('a port that is taken is refused, and nothing is stored', async (t) => {
  const { harness, authorization, put } = await start(t);
  const squatter = net.createServer().listen(0, '127.0.0.1');
  t.teardown(() => void squatter.close());
  await once(squatter, 'listening');
  const { port } = squatter.address() as net.AddressInfo; // a TCP listener
  const answer = await put({ port, bind_all: false, enabled: false, username: 'root' });
  t.match([answer.status, answer.json()], [400, { error: 'port: in use by another program' }]);
  t.match((await harness.call('GET', '/api/settings/web', { headers: { authorization } })).json(), STORED);
});

void t.test('to all interfaces and back, on the port that it has', async (t) => {
  const { harness, put } = await start(t);
  const { port } = new URL(harness.daemon.url);
  const others = ['127.0.0.2', ...(hasIPv6() ? ['[::1]'] : [])].map((host) => `http://${host}:${port}/api/bootstrap`);
  const reachable = async () =>
    Promise.all(
      others.map((url) =>
        httpCall(url, 'GET').then(
          (answer) => answer.status,
          () => 'refused',
        ),
      ),
    );
  t.same(new Set(await reachable()), new Set(['refused']));
  t.equal((await put({ bind_all: true })).status, 200);
  // The same URL: wait for the new listener by asking.
  while ((await reachable()).includes('refused'));
  t.equal(harness.daemon.url, `http://127.0.0.1:${port}`);
  t.equal((await put({ bind_all: false })).status, 200);
  while (!(await reachable()).every((status) => status === 'refused'));
  t.equal((await harness.call('GET', '/api/bootstrap')).status, 200);
});

void t.test('requests under way are finished', async (t) => {
  const { harness, authorization, put } = await start(t);
  const from = harness.daemon.url;
  const slow = http.request(`${from}/api/login`, { method: 'POST', headers: { 'content-length': 2 } });
  slow.flushHeaders();
  await once(slow, 'socket').then(([socket]: net.Socket[]) => socket && once(socket, 'connect'));
  // The server has it once it has answered another one on a later connection.
  await harness.call('GET', '/api/version', { headers: { authorization } });
  await put({ port: await freePort() });
  await moved(harness, from);
  slow.end('{}');
  const [answer] = (await once(slow, 'response')) as [http.IncomingMessage];
  t.equal(answer.statusCode, 400);
  answer.resume();
});

void t.test('what is stored holds at the next start, unless a flag says otherwise', async (t) => {
  const dataDir = await temporaryDirectory();
  const first = await start(t, { dataDir });
  const from = first.harness.daemon.url;
  const port = await freePort();
  await first.put({ port, username: 'root' });
  await moved(first.harness, from);
  await first.harness.close();
  const second = await startHarness({ dataDir, withPort: false });
  t.equal(second.daemon.url, `http://127.0.0.1:${port}`);
  await second.close();
  const third = await startHarness({ dataDir, args: ['--host', '127.0.0.2'] });
  t.match(third.daemon.url, /^http:\/\/127\.0\.0\.2:\d+$/);
  t.not(new URL(third.daemon.url).port, `${port}`);
  await third.close();
});

void t.test('another name: account 1 has it, and its sessions end', async (t) => {
  const { harness, authorization } = await start(t);
  const cookie = await harness.signIn();
  const { closed } = await openSocket(harness.daemon.url, authorization);
  const headers = { cookie, origin: harness.daemon.url };
  const answer = await harness.call('PUT', '/api/settings/web', { headers, body: { ...STORED, username: 'root' } });
  t.equal(answer.status, 200, 'the one who asked is answered');
  t.equal((await closed)[0], 1008);
  t.equal((await harness.call('GET', '/api/me', { headers })).status, 401);
  t.match((await harness.call('GET', '/api/me', { headers: { authorization } })).json(), { id: 1, username: 'root' });
});

void t.test('a password without the old one: sessions end, keys stay', async (t) => {
  const { harness, authorization } = await start(t);
  const cookie = await harness.signIn();
  const body = { password: 'battery staple' };
  const answer = await harness.call('PUT', '/api/settings/web/password', { headers: { authorization }, body });
  t.equal(answer.status, 200);
  t.equal((await harness.call('GET', '/api/me', { headers: { cookie } })).status, 401);
  await t.rejects(harness.signIn());
  await t.resolves(harness.signIn('battery staple'));
});

void t.test('the key of the caller: its hint is shown, the key never again', async (t) => {
  const { harness, authorization } = await start(t);
  const headers = { authorization };
  const rotated = await harness.call('POST', '/api/settings/web/api_key/rotate', { headers });
  const { api_key } = rotated.json<{ api_key: string }>();
  const stored = await harness.call('GET', '/api/settings/web', { headers: { authorization: `Bearer ${api_key}` } });
  t.match(stored.json(), { api_key: api_key.slice(-4) });
  t.notOk(stored.text.includes(api_key));
  t.equal((await harness.call('GET', '/api/settings/web', { headers })).status, 401, 'the one before');
});

function hasIPv6(): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
}
