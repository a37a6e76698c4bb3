// The run contract as far as it does not need a process: what lies in the data directory, what survives a restart,
// which ports are taken, who else may start, and HTTPS.
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import https from 'node:https';
import net from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { startHarness } from '../../support/api-harness.js';
import { MemoryEngine } from '../../support/memory-engine.js';
import { TEST_CERTIFICATE, TEST_KEY } from '../../support/tls-fixture.js';
import { wantsDatabase } from '../../support/own-database.js';
import { wantedLink, wantsGroup } from '../../support/own-engine.js';

const IN_A_THREAD = wantedLink() === null && !wantsGroup();
/** One of its own process is started again by who runs it. */
const THREAD_ONLY = { skip: !IN_A_THREAD && 'the engine is in a process of its own' };

async function temporary(t: { teardown(handler: () => Promise<void>): void }): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'swarmd-daemon-'));
  t.teardown(() => rm(path, { recursive: true }));
  return path;
}

void t.test('runtime.json says where it runs, while it runs', async (t) => {
  const harness = await startHarness({ dataDir: await temporary(t), args: ['--peer-port', '6881'] });
  const file = join(harness.dataDir, 'runtime.json');
  const runtime: unknown = JSON.parse(await readFile(file, 'utf8'));
  t.same(runtime, {
    pid: process.pid,
    http_url: harness.daemon.url,
    peer_port: 6881,
    version: (await harness.call('GET', '/api/bootstrap')).json()['version'],
  });
  t.equal((await stat(harness.dataDir)).mode & 0o777, 0o700);
  await t.rejects(startHarness({ dataDir: harness.dataDir }), { code: 'STORAGE_LOCKED' });
  await harness.close();
  await t.rejects(access(file));
});

void t.test('a restart keeps accounts, keys, the save path and torrents; sessions end', async (t) => {
  const dataDir = await temporary(t);
  const first = await startHarness({ dataDir });
  const cookie = await first.signIn();
  const headers = { authorization: `Bearer ${await first.apiKey(cookie)}` };
  const magnet = `magnet:?xt=urn:btih:${'a'.repeat(40)}`;
  await first.call('POST', '/api/torrents/magnet', { headers, body: { magnet } });
  t.equal(first.notices.length, 1, 'the password is shown once');
  await first.close();
  const second = await startHarness({ dataDir, engine: first.engine });
  t.equal(second.notices.length, 0);
  t.match((await second.call('GET', '/api/torrents', { headers })).json(), [{ id: 'a'.repeat(40) }]);
  const { status } = await second.call('GET', '/api/me', { headers: { cookie } });
  t.equal(status, wantsDatabase() ? 200 : 401, 'sessions in a database are those of all fronts, whichever has ended');
  await t.resolves(second.signIn(first.password), 'the first password is not made up again');
  await second.close();
});

void t.test('the password of --admin-password-file, on the first start only', async (t) => {
  const dataDir = await temporary(t);
  const file = join(dataDir, 'password.txt');
  const args = ['--admin-password-file', file];
  await t.rejects(startHarness({ dataDir, args }), { message: /cannot be read/ });
  await writeFile(file, 'short\n');
  await t.rejects(startHarness({ dataDir, args }), { message: /expected 8 to 1024 characters/ });
  await writeFile(file, 'from the file\n');
  const first = await startHarness({ dataDir, args });
  t.equal(first.notices.length, 0);
  await t.rejects(access(join(dataDir, 'initial-admin-password')));
  await t.resolves(first.signIn('from the file'));
  await first.close();
  await writeFile(file, 'another one\n');
  const second = await startHarness({ dataDir, args });
  await t.resolves(second.signIn('from the file'));
  await second.close();
});

void t.test('a stored peer port that is taken gives way; one that was asked for does not', async (t) => {
  const dataDir = await temporary(t);
  const engine = new MemoryEngine({ takenPorts: [51_413, 6881] });
  const harness = await startHarness({ dataDir, engine });
  t.equal(harness.engine.started?.peerPort, 0);
  t.match(harness.engine.started, {
    ...(IN_A_THREAD && { dataDir }),
    maxPeersPerTorrent: 80,
    slabBytes: 48 * 1024 * 1024,
  });
  await harness.close();
  // A start waits for none of several engines.
  if (wantsGroup()) return;
  await t.rejects(startHarness({ dataDir, engine, args: ['--peer-port', '6881'] }), { code: 'LISTEN_FAILED' });
});

void t.test('an HTTP port that is taken is one clear error, and the directory is free again', async (t) => {
  const dataDir = await temporary(t);
  const squatter = net.createServer().listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => squatter.once('listening', resolve));
  const { port } = squatter.address() as net.AddressInfo; // a TCP listener
  const started = startHarness({ dataDir, args: ['--port', `${port}`] });
  await t.rejects(started, { code: 'LISTEN_FAILED', message: /cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/ });
  squatter.close();
  await (await startHarness({ dataDir })).close();
});

void t.test('the engine is replaced three times; then that is that', THREAD_ONLY, async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  for (let death = 1; death <= 4; death++) {
    harness.transport().kill(`death ${death}`);
    // The memory engine starts within a few turns of the event loop.
    for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => void setImmediate(resolve));
    t.equal(harness.fatal.length, death < 4 ? 0 : 1, `after death ${death}`);
  }
  t.match(harness.fatal, [{ code: 'ENGINE_EXITED', message: /death 4/ }]);
});

void t.test('over HTTPS cookies are Secure', async (t) => {
  const dataDir = await temporary(t);
  const [cert, key] = [join(dataDir, 'cert.pem'), join(dataDir, 'key.pem')];
  await t.rejects(startHarness({ dataDir, args: ['--tls-cert', cert, '--tls-key', key] }), { message: /^TLS: ENOENT/ });
  await writeFile(cert, TEST_CERTIFICATE);
  await writeFile(key, TEST_KEY);
  const harness = await startHarness({ dataDir, args: ['--tls-cert', cert, '--tls-key', key] });
  t.match(harness.daemon.url, /^https:\/\/127\.0\.0\.1:\d+$/);
  const setCookie = await new Promise<string | undefined>((resolve, reject) => {
    const options = { method: 'POST', ca: TEST_CERTIFICATE, checkServerIdentity: () => undefined, agent: false };
    const request = https.request(`${harness.daemon.url}/api/logout`, options, (response) => {
      response.resume();
      resolve(response.headers['set-cookie']?.[0]);
    });
    request.on('error', reject).end();
  });
  t.match(setCookie, /; Secure$/);
  await harness.close();
});

void t.test('names that could be rebound: refused on the desktop and outside --allowed-hosts', async (t) => {
  for (const args of [
    ['--flavor', 'desktop'],
    ['--allowed-hosts', 'box.local'],
  ]) {
    const harness = await startHarness({ args });
    const answer = await harness.call('GET', '/api/bootstrap', { headers: { host: 'evil.example' } });
    t.match([answer.status, answer.json()], [421, { error: 'host not allowed' }]);
    t.equal((await harness.call('GET', '/api/bootstrap')).status, 200);
    await harness.close();
  }
});

void t.test('which names are answered without --allowed-hosts', async (t) => {
  const own = hostname().toLowerCase();
  const statusOf = async (args: readonly string[], host: string) => {
    const harness = await startHarness({ args });
    const { status } = await harness.call('GET', '/api/bootstrap', { headers: { host } });
    await harness.close();
    return status;
  };
  for (const host of ['localhost', '127.0.0.1', '[::1]:80', own, `${own.split('.')[0]}.local:9480`]) {
    t.equal(await statusOf([], host), 200, host);
  }
  for (const host of ['evil.example', 'evil@localhost']) t.equal(await statusOf([], host), 421, host);
  t.equal(await statusOf(['--host', '0.0.0.0'], 'seedbox.example'), 200, 'nobody knows how others are called');
  t.equal(await statusOf(['--host', '0.0.0.0'], 'evil@seedbox.example'), 421);
  t.equal(await statusOf(['--trusted-proxies', '127.0.0.1'], 'seedbox.example'), 200, 'nor how proxies are');
});

void t.test('a client that also offers h2c is answered in HTTP/1.1', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
  t.match((await harness.call('GET', '/api/bootstrap', { headers })).json(), { flavor: 'daemon' });
  const body = { username: 'admin', password: harness.password };
  t.equal((await harness.call('POST', '/api/login', { headers, body })).status, 200);
});

void t.test('a WebSocket client that never answers does not hold up the end', async (t) => {
  const harness = await startHarness();
  const key = await harness.apiKey();
  const { port } = new URL(harness.daemon.url);
  const socket = net.connect(Number(port), '127.0.0.1');
  socket.write(
    `GET /api/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nConnection: Upgrade\r\n` +
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  const [first] = (await once(socket, 'data')) as [Buffer];
  t.match(first.toString('latin1'), /^HTTP\/1\.1 101 /);
  const closed = once(socket, 'close');
  await harness.close();
  await closed;
});

void t.test('what is not HTTP gets JSON too', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const { port } = new URL(harness.daemon.url);
  const say = (text: string) =>
    new Promise<string>((resolve) => {
      let heard = '';
      const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(text));
      socket.on('data', (chunk) => (heard += String(chunk))).on('close', () => resolve(heard));
    });
  t.match(await say('nonsense\r\n\r\n'), /^HTTP\/1\.1 400 .*\{"error":"not a valid HTTP request"\}$/s);
  t.match(await say(`GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`), /^HTTP\/1\.1 431 .*\{"error":/s);
});
