// 1,500 connections that say nothing, to a process that may have 1,024 descriptors: who is at work stays, and the API, peers
// and the disk go on. In plain and over TLS.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { handshake, RawPeer } from '../support/peers/raw-peer.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { TEST_CERTIFICATE, TEST_KEY } from '../support/tls-fixture.js';

const LIMIT = 1_024;
const SILENT = 1_500;
/** An eighth of the descriptors, and some that are on their way out. */
const MOST_OPEN = 2 * (LIMIT / 8);
const TIMEOUT_MS = 30_000;

t.setTimeout(180_000);
// The daemon's certificate is for tests only.
process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';

void t.test('in plain', (t) => flood(t, []));

void t.test('over TLS', async (t) => {
  const scratch = await makeScratch('silent');
  t.teardown(() => scratch.remove());
  const [cert, key] = [join(scratch.path, 'cert.pem'), join(scratch.path, 'key.pem')];
  await Promise.all([writeFile(cert, TEST_CERTIFICATE), writeFile(key, TEST_KEY)]);
  await flood(t, ['--tls-cert', cert, '--tls-key', key]);
});

async function flood(t: Test, args: readonly string[]): Promise<void> {
  const daemon = await startDaemon({ args, launcher: ['sh', '-c', `ulimit -n ${LIMIT} && exec "$@"`, 'sh'] });
  t.teardown(() => daemon.stop());
  const made = makeTorrent({ name: 'x.bin', pieceLength: 16_384, files: seededBytes(1, 50_000) });
  const watcher = await openSocket(daemon);
  t.teardown(() => watcher.terminate());
  const before = descriptorsOf(daemon);

  const silent: Socket[] = [];
  t.teardown(() => silent.forEach((socket) => socket.destroy()));
  const port = Number(new URL(daemon.url).port);
  for (let count = 0; count < SILENT; count++) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    silent.push(socket.resume());
    // As fast as they are accepted, but not faster than this process can open them.
    if (count % 50 === 0) await once(socket, 'connect');
  }
  await waitUntil(
    'those that are too many go',
    TIMEOUT_MS,
    () => descriptorsOf(daemon) < before + MOST_OPEN || undefined,
  );
  t.ok(silent.filter(({ destroyed }) => !destroyed).length > 0, 'while others are still there');

  t.equal((await daemon.api('GET', '/api/healthz')).status, 200);
  const id = await daemon.addTorrentFile(made.torrentBytes);
  const peer = await RawPeer.connect(daemon.peerPort);
  t.teardown(() => peer.destroy());
  peer.send(handshake(made.infoHash));
  await waitUntil('a peer is greeted', TIMEOUT_MS, () => peer.isGreeted || undefined);
  t.ok((await daemon.torrent(id)).total_bytes === 50_000);
  t.equal(watcher.readyState, WebSocket.OPEN, 'who had come before is still there');
  t.notMatch(daemon.stderr, /"level":"(error|fatal)"/);
}

async function openSocket({ url, adminPassword }: DaemonUnderTest): Promise<WebSocket> {
  const headers = { 'content-type': 'application/json', origin: url };
  const body = JSON.stringify({ username: 'admin', password: adminPassword });
  const login = await fetch(`${url}/api/login`, { method: 'POST', headers, body });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws`, { headers: { cookie, origin: url } });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return socket;
}

function descriptorsOf({ pid }: DaemonUnderTest): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
