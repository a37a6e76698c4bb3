// Nothing that a socket does ends the process: strangers who reset a connection at the wrong moment, servers that answer
// what nobody asked for. Against the real program, which must be the same process afterwards, without an error that
// nobody handled.
import { once } from 'node:events';
import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../../support/daemon.js';
import { startRudeServer } from '../../support/rude-server.js';

const RESETS = 60;
const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: anything\r\n\r\n';

t.setTimeout(120_000);

async function start(t: Test, args: readonly string[] = []): Promise<DaemonUnderTest> {
  const daemon = await startDaemon({ args });
  t.teardown(() => daemon.stop());
  return daemon;
}

async function isUnmoved(t: Test, { url, stderr }: DaemonUnderTest, when: string): Promise<void> {
  const answer = await fetch(`${url}/api/healthz`).catch(() => null);
  t.equal(answer?.status, 200, `it answers after ${when}: ${stderr.slice(-1_000)}`);
  t.notMatch(stderr, /bug:/, `everything was handled: ${when}`);
}

async function resetAfter(url: string, text: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  await new Promise((resolve) => socket.write(text, resolve));
  socket.resetAndDestroy();
}

void t.test('strangers who leave at once', async (t) => {
  const daemon = await start(t);
  const upgrade = 'Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  for (const [name, text] of [
    ['a proxy request', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['a WebSocket without a credential', `GET /api/ws HTTP/1.1\r\n${upgrade}`],
    ['a WebSocket elsewhere', `GET /elsewhere HTTP/1.1\r\n${upgrade}`],
    [
      'another protocol',
      'GET /api/bootstrap HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    ],
  ] as const) {
    for (let count = 0; count < RESETS; count++) await resetAfter(daemon.url, text);
    await isUnmoved(t, daemon, name);
  }
});

void t.test('servers that switch protocols unasked', async (t) => {
  const daemon = await start(t, ['--fetch-allow', '127.0.0.0/8']);
  const server = await startRudeServer((head, socket) => {
    if (/^GET \/moved/.test(head)) socket.end('HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n');
    else socket.write(SWITCHING);
  });
  t.teardown(() => server.close());
  for (const path of ['/at-once', '/moved']) {
    const { status, json } = await daemon.api('POST', '/api/torrents/url', { url: `${server.origin}${path}` });
    t.match([status, json], [400, { error: /^url: / }], path);
  }
  await isUnmoved(t, daemon, 'torrents by URL');

  const feed = await daemon.api<{ id: number }>('POST', '/api/feeds', { url: `${server.origin}/feed`, name: 'x' });
  t.equal((await daemon.api('GET', `/api/feeds/${feed.json.id}/items`)).status, 502);
  await isUnmoved(t, daemon, 'a feed');

  await daemon.api('PUT', '/api/settings/blocklist', { url: `${server.origin}/list`, enabled: true });
  const refreshed = await daemon.api('POST', '/api/settings/blocklist/refresh');
  t.match(refreshed.json, { error: /./ });
  await isUnmoved(t, daemon, 'the blocklist');
});
