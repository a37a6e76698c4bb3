// A process that may have 256 descriptors (docs/limits.md 2.31): two hundred peers come, clients hold sockets, and
// torrents of three hundred files are written and served all the same. Nothing fails for want of a descriptor; who is
// one too many is turned away.
import t from 'tap';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { digestsOf, KIB, writeFiles } from '../support/peers/payload.js';
import { handshake, RawPeer } from '../support/peers/raw-peer.js';
import { connectSeed } from '../support/peers/scripted-seed.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const LIMIT = 256;
const FILES = 300;
const PEERS = 200;
const CLIENTS = 50;
/** For clients that come later, state files and trackers. */
const SPARE = 24;
const TIMEOUT_MS = 60_000;

t.setTimeout(180_000);

void t.test('200 peers, 300 files and 50 clients with 256 descriptors', async (t) => {
  const scratch = await makeScratch('few-descriptors', 40 * KIB * KIB);
  t.teardown(() => scratch.remove());
  const payload = await writeFiles({
    directory: join(scratch.path, 'source'),
    name: 'many',
    seed: 1,
    pieceLength: 64 * KIB,
    files: Array.from({ length: FILES }, (_, i) => [`folder-${i % 7}/file-${i}.bin`, 40_000 + i] as const),
  });
  const launcher = ['sh', '-c', `ulimit -n ${LIMIT} && exec "$@"`, 'sh'];
  const daemon = await startDaemon({ launcher, bytes: payload.totalBytes });
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent());

  const cookie = await signIn(daemon);
  const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => openClient(daemon, cookie)));
  t.teardown(() => sockets.forEach((socket) => socket.close()));
  const crowd = await Promise.all(Array.from({ length: PEERS }, (_, i) => comeFrom(daemon, i)));
  t.teardown(() => crowd.forEach((peer) => peer?.destroy()));
  for (const peer of crowd) peer?.send(handshake(payload.infoHash));
  let before = 0;
  const met = await waitUntil('the crowd', TIMEOUT_MS, async () => {
    const { peers } = await daemon.torrent(id);
    const isSettled = peers === before;
    before = peers;
    return peers >= LIMIT / 4 && isSettled ? peers : undefined;
  });
  t.ok(met < PEERS, `${met} of them were let in`);
  // Whoever was one too many is gone by the time this is answered.
  await daemon.api('GET', '/api/healthz');
  t.ok(descriptorsOf(daemon) < LIMIT - SPARE, `${descriptorsOf(daemon)} are open`);

  for (const peer of crowd.splice(0, PEERS / 4)) peer?.destroy();
  await daemon.waitFor(id, ({ peers }) => peers < met, TIMEOUT_MS);
  const seed = await connectSeed(payload, daemon.peerPort, Infinity);
  t.teardown(() => seed.destroy());
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.same(await digestsOf(payload, daemon.savePath), payload.digests);
  t.match((await daemon.api('GET', `/api/torrents/${id}/diagnosis`)).json, { error: null });

  const leech = await startDaemon({ bytes: payload.totalBytes });
  t.teardown(() => leech.stop());
  await leech.addTorrentFile(payload.torrent());
  for (const peer of crowd.splice(0, PEERS / 4)) peer?.destroy();
  // It is one too many as well, until those who went are seen to have gone.
  await waitUntil('a place', TIMEOUT_MS, async () => {
    await leech.addPeers(id, daemon.peerAddress);
    const { peers, completed } = await leech.torrent(id);
    return peers > 0 || completed || undefined;
  });
  await leech.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.ok(
    sockets.every(({ readyState }) => readyState === WebSocket.OPEN),
    'clients are there still',
  );
});

/** As a browser's. */
async function signIn({ url, adminPassword }: DaemonUnderTest): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: url };
  const body = JSON.stringify({ username: 'admin', password: adminPassword });
  const { headers: answered } = await fetch(`${url}/api/login`, { method: 'POST', headers, body });
  return answered.get('set-cookie')?.split(';')[0] ?? '';
}

async function openClient({ url }: DaemonUnderTest, cookie: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/ws`, { headers: { cookie, origin: url } });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return socket;
}

/** From addresses of their own; null when it was turned away at once. */
function comeFrom({ peerPort }: DaemonUnderTest, index: number): Promise<RawPeer | null> {
  return RawPeer.connect(peerPort, { localAddress: `127.0.1.${index + 1}` }).catch(() => null);
}

function descriptorsOf({ pid }: DaemonUnderTest): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
