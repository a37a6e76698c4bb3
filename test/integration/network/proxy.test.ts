// Everything through a proxy: a daemon whose trackers, peers and web seeds are reached by SOCKS5 or by CONNECT of HTTP,
// with libtorrent as the peer. By strace no socket of it goes anywhere else. And what strangers may have the proxy do.
import t from 'tap';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startConnectProxy } from '../../support/connect-proxy.js';
import { makeAccount } from '../../support/daemon-account.js';
import { startDaemon, type DaemonUnderTest } from '../../support/daemon.js';
import { startHttpTracker } from '../../support/http-tracker.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { libtorrent } from '../../support/peers/libtorrent.js';
import { KIB, MIB, writePayload } from '../../support/peers/payload.js';
import { makeScratch } from '../../support/peers/scratch.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { startSocksProxy } from '../../support/socks-proxy.js';
import { startUdpTracker } from '../../support/udp-tracker.js';
import { startWebSeedServer } from '../../support/web-seed-server.js';

const TOTAL_BYTES = 4 * MIB;
const TIMEOUT_MS = 30_000;
/** Several turns of what tries again. */
const QUIET_MS = 4_000;
/** Which nobody but the proxy can resolve. */
const TRACKER_NAME = 'tracker.swarm.example';
const SEED_NAME = 'seed.swarm.example';
const ANNA = { username: 'anna', password: 'se:cret' };
const EVERYTHING_ON = ['--dht', 'on', '--dht-bootstrap', '127.0.0.1:9', '--lsd', 'on', '--upnp', 'on'];

interface TrackerView {
  readonly url: string;
  readonly status: string;
}

t.setTimeout(150_000);

const skip = libtorrent.isAvailable() ? false : 'libtorrent: not installed';
const canTrace = spawnSync('strace', ['-D', '-f', '-o', '/dev/null', 'true']).status === 0;

void t.test('SOCKS5: every byte goes through it', { skip: skip || (canTrace ? false : 'strace') }, async (t) => {
  const scratch = await makeScratch('proxy', 3 * TOTAL_BYTES);
  t.teardown(() => scratch.remove());
  const tracker = await startHttpTracker();
  const udpTracker = await startUdpTracker();
  const names = { [TRACKER_NAME]: '127.0.0.1', [SEED_NAME]: '127.0.0.1' };
  const proxy = await startSocksProxy({ names, credentials: ANNA });
  t.teardown(() => Promise.all([tracker.close(), udpTracker.close(), proxy.close()]));
  const payload = await writePayload(scratch.path, TOTAL_BYTES, 64 * KIB);
  const trace = `${scratch.path}/trace`;
  const daemon = await startDaemon({
    launcher: ['strace', '-D', '-f', '-qq', '-e', 'trace=connect,sendto,sendmsg,sendmmsg,bind,listen', '-o', trace],
    args: [...['--proxy', `socks5://anna:se%3Acret@127.0.0.1:${proxy.port}?guarded`], ...EVERYTHING_ON],
  });
  t.teardown(() => daemon.stop());
  const seed = await libtorrent.start();
  t.teardown(() => seed.close());
  await seed.seed(payload.torrent(), payload.directory);
  const udpUrl = `udp://${TRACKER_NAME}:${udpTracker.port}/announce`;
  const httpUrl = `http://${TRACKER_NAME}:${tracker.port}/announce`;
  const id = await daemon.addTorrentFile(payload.torrent([httpUrl, udpUrl]));
  await daemon.addPeers(id, seed.address);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.pass('a download from libtorrent');
  const files = seededBytes(5, 300_000);
  const webSeed = await startWebSeedServer({ files: { '/film.bin': files } });
  t.teardown(() => webSeed.close());
  const seedUrl = `http://${SEED_NAME}:${webSeed.port}/film.bin`;
  const seeded = makeTorrent({ name: 'film.bin', pieceLength: 65_536, files, webSeeds: [seedUrl] });
  const seededId = await daemon.addTorrentFile(seeded.torrentBytes);
  await daemon.waitFor(seededId, ({ completed }) => completed, TIMEOUT_MS);
  t.ok(proxy.targets.includes(`${SEED_NAME}:${webSeed.port}`), 'a web seed, and its name');
  const announced = await waitUntil('announced', TIMEOUT_MS, () => tracker.announces[0]);
  t.equal(announced.port, 1, 'peers cannot reach us');
  t.ok(proxy.targets.includes(`${TRACKER_NAME}:${tracker.port}`), 'the name is resolved by the proxy');
  t.ok(proxy.targets.includes(seed.address), 'the peer');
  t.match(await waitUntil('announced by UDP', TIMEOUT_MS, () => udpTracker.announces[0]), { port: 1 });
  t.same(new Set(proxy.datagrams), new Set([`${TRACKER_NAME}:${udpTracker.port}`]), 'relayed, by name');
  t.match(await network(daemon), {
    json: { state: { peer_port: 0, proxy_address: '127.0.0.1' }, pinned: ['listen_ports', 'proxy'] },
  });
  await sleep(QUIET_MS);
  const ports = portsIn(await readFile(trace, 'utf8'));
  t.same([...ports.connected], [proxy.port], 'connected to the proxy and to nothing else');
  const toRelay = `htons(${proxy.relayPort})`;
  t.same(
    ports.sent.filter((line) => !line.includes(toRelay)),
    [],
    'no datagram but to the proxy',
  );
  const apiPort = Number(new URL(daemon.url).port);
  t.same(
    [...ports.bound].filter((port) => port !== 0 && port !== apiPort),
    [],
    'no listener for peers, DHT or neighbours',
  );
  t.notOk(JSON.stringify((await network(daemon)).json).includes('se:cret'), 'the password does not come back');
});

void t.test('it fails closed: wrong credentials, and a proxy that has gone', { skip }, async (t) => {
  const tracker = await startHttpTracker();
  const proxy = await startSocksProxy({ names: { [TRACKER_NAME]: '127.0.0.1' }, credentials: ANNA });
  t.teardown(() => tracker.close());
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const settings = (change: object) => ({
    ...{ bind: '', listen_ports: '', anonymous: false },
    proxy: {
      ...{ kind: 'socks5', host: '127.0.0.1', port: proxy.port, username: ANNA.username, password: 'wrong' },
      ...{ peers: true, trackers: true, guarded: true, ...change },
    },
  });
  const put = async (change: object = {}) =>
    t.match(await daemon.api('PUT', '/api/settings/network', settings(change)), { status: 200 });
  await put();
  const id = await daemon.addTorrentFile(
    torrentWith([`http://${TRACKER_NAME}:${tracker.port}/announce`, tracker.announceUrl]),
  );
  await waitUntil('turned away', TIMEOUT_MS, () => proxy.turnedAway > 0 || undefined);
  await waitUntil('told', TIMEOUT_MS, async () => /error/.test(await statusOf(daemon, id, 'http:')) || undefined);
  t.equal(tracker.requests.length, 0, 'not in any other way');

  await put({ password: ANNA.password });
  await waitUntil('by the right one, at once', TIMEOUT_MS, () => tracker.requests.length > 0 || undefined);
  t.match(await network(daemon), { json: { proxy: { has_password: true } } });
  await put({ password: undefined });
  t.match(await network(daemon), { json: { proxy: { has_password: true } } }, 'it stays with the same proxy and user');
  await put({ password: undefined, host: 'localhost' });
  t.match(await network(daemon), { json: { proxy: { has_password: false } } }, 'and is not sent to another one');

  await put({ password: ANNA.password });
  await proxy.close();
  const before = tracker.requests.length;
  await daemon.addTorrentFile(torrentWith([tracker.announceUrl], 9));
  await sleep(QUIET_MS);
  t.equal(tracker.requests.length, before, 'nor when the proxy has gone');
  await put({ kind: 'none' });
  await waitUntil('directly, as it is told to', TIMEOUT_MS, () => tracker.requests.length > before || undefined);
});

void t.test('CONNECT of HTTP, for trackers and peers', { skip }, async (t) => {
  const scratch = await makeScratch('connect', 3 * TOTAL_BYTES);
  t.teardown(() => scratch.remove());
  const tracker = await startHttpTracker();
  const udpTracker = await startUdpTracker();
  t.teardown(() => udpTracker.close());
  const proxy = await startConnectProxy({ names: { [TRACKER_NAME]: '127.0.0.1' }, credentials: 'anna:se:cret' });
  t.teardown(() => Promise.all([tracker.close(), proxy.close()]));
  const payload = await writePayload(scratch.path, TOTAL_BYTES, 64 * KIB);
  const daemon = await startDaemon({
    args: ['--proxy', `http://anna:se%3Acret@127.0.0.1:${proxy.port}?guarded`, ...EVERYTHING_ON],
  });
  t.teardown(() => daemon.stop());
  const seed = await libtorrent.start({ encryption: 'required' });
  t.teardown(() => seed.close());
  await seed.seed(payload.torrent(), payload.directory);
  const httpUrl = `http://${TRACKER_NAME}:${tracker.port}/announce`;
  const id = await daemon.addTorrentFile(payload.torrent([httpUrl, udpTracker.announceUrl]));
  await daemon.addPeers(id, seed.address);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  await waitUntil('announced', TIMEOUT_MS, () => tracker.announces[0]);
  const refused = async () => /not asked/.test(await statusOf(daemon, id, 'udp:')) || undefined;
  await waitUntil('trackers over UDP are not asked', TIMEOUT_MS, refused);
  t.equal(udpTracker.packets.length, 0, 'in no way');
  t.same(
    new Set(proxy.targets),
    new Set([`${TRACKER_NAME}:${tracker.port}`, seed.address]),
    'both through it, the peer encrypted',
  );
  t.equal(proxy.turnedAway, 0);
});

void t.test('strangers cannot have the proxy do what they may not do themselves', async (t) => {
  const tracker = await startHttpTracker();
  const proxy = await startSocksProxy({ names: { [TRACKER_NAME]: '127.0.0.1', 'nas.local': '127.0.0.1' } });
  t.teardown(() => Promise.all([tracker.close(), proxy.close()]));
  // The proxy is on this machine, and would lead to it.
  const daemon = await startDaemon({ closedInside: true, args: ['--proxy', `socks5://127.0.0.1:${proxy.port}`] });
  t.teardown(() => daemon.stop());
  const bob = await makeAccount(daemon, 'bob');
  const add = (client: Pick<DaemonUnderTest, 'addTorrentFile'>, host: string, seed: number) =>
    client.addTorrentFile(torrentWith([`http://${host}:${tracker.port}/announce`], seed));
  const hosts = [TRACKER_NAME, '127.0.0.1', 'localhost', 'nas.local', '10.0.0.1', '169.254.169.254'];
  for (const [index, host] of hosts.entries()) await add(bob.client, host, 20 + index);
  for (const [index] of hosts.entries()) {
    const { id } = (await bob.client.torrents())[index] ?? { id: '' };
    await waitUntil(
      'refused',
      TIMEOUT_MS,
      async () => /error/.test(await statusOf(bob.client, id, 'http:')) || undefined,
    );
  }
  const udp = await bob.client.addTorrentFile(torrentWith([`udp://${TRACKER_NAME}:${tracker.port}/announce`], 30));
  await waitUntil(
    'refused',
    TIMEOUT_MS,
    async () => /error/.test(await statusOf(bob.client, udp, 'udp:')) || undefined,
  );
  t.same([proxy.targets, proxy.datagrams], [[], []], 'nothing of a stranger is asked for');
  t.match(await bob.client.api('GET', '/api/settings/network'), { status: 403 });

  await add(daemon, TRACKER_NAME, 40);
  await waitUntil('asked for an administrator', TIMEOUT_MS, () => tracker.requests.length > 0 || undefined);
  t.same(new Set(proxy.targets), new Set([`${TRACKER_NAME}:${tracker.port}`]));
});

function torrentWith(trackers: readonly string[], seed = 7): Uint8Array {
  const files = seededBytes(seed, 100_000);
  return makeTorrent({ name: `film-${seed}.bin`, pieceLength: 65_536, files, trackers: [trackers] }).torrentBytes;
}

function network(daemon: DaemonUnderTest) {
  return daemon.api('GET', '/api/settings/network');
}

async function statusOf(client: Pick<DaemonUnderTest, 'api'>, id: string, scheme: string): Promise<string> {
  const { json } = await client.api<readonly TrackerView[]>('GET', `/api/torrents/${id}/trackers`);
  return json.find(({ url }) => url.startsWith(scheme))?.status ?? '';
}

/** Of strace's lines: ports that were connected to, bound, and sent to. */
function portsIn(trace: string) {
  const [connected, bound, sent] = [new Set<number>(), new Set<number>(), new Array<string>()];
  for (const line of trace.split('\n')) {
    const [, port] = /sin6?_port=htons\((\d+)\)/.exec(line) ?? [];
    if (port === undefined) continue;
    if (line.includes('connect(')) connected.add(Number(port));
    else if (line.includes('bind(')) bound.add(Number(port));
    else sent.push(line);
  }
  return { connected, bound, sent };
}
