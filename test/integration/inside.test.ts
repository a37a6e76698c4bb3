// What an account may make the daemon talk to on this machine and its network: nothing without the right to change
// settings, whichever way it is named; trackers, web seeds and peers with it, and not a moment longer than that.
import { createHash } from 'node:crypto';
import bencode from 'bencode';
import t, { type Test } from 'tap';
import { httpAnswer, startCanary, type Canary } from '../support/canary.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes, type MadeTorrent } from '../support/make-torrent.js';
import { listenRaw } from '../support/peers/raw-listener.js';
import { extended, extensionMessage, handshake, ID, RawPeer } from '../support/peers/raw-peer.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { makeAccount, setPermissions } from '../support/daemon-account.js';
import { refusal } from '../support/http-tracker.js';
import { startWebSeedServer } from '../support/web-seed-server.js';

const TIMEOUT_MS = 20_000;
const PIECE = 16 * 1024;
const SECRET = 'internal secret';
/** The extensions' numbers in messages to us (BEP 10). */
const OUR_PEX = 3;
const OUR_METADATA = 4;
const NOT_ALLOWED = 'address not allowed';

t.setTimeout(180_000);

async function closedDaemon(t: Test): Promise<DaemonUnderTest> {
  const args = ['--log-level', 'debug'];
  const daemon = await startDaemon({ closedInside: true, encryption: 'off', args });
  t.teardown(() => daemon.stop());
  return daemon;
}

async function canaryAt(t: Test, host: string, answer?: string | Uint8Array): Promise<Canary> {
  const canary = await startCanary(host, answer);
  t.teardown(() => canary.close());
  return canary;
}

interface LogLine {
  readonly msg?: string;
  readonly torrent?: string;
  readonly tracker?: string;
  readonly code?: string;
  readonly reason?: string;
}

/** Lines of the log with this message. */
function logged({ stderr }: DaemonUnderTest, message: string): LogLine[] {
  const lines = stderr.split('\n').filter((line) => line.includes(`"${message}"`));
  return lines.map((line) => JSON.parse(line) as LogLine);
}

function film(seed: number, trackers: readonly string[], webSeeds: readonly string[] = []): MadeTorrent {
  const files = seededBytes(seed, PIECE);
  return makeTorrent({ name: `film-${seed}`, pieceLength: PIECE, files, trackers, webSeeds });
}

/** A magnet of nothing in particular. */
function magnetOf(text: string, ...more: readonly string[]): string {
  return [`magnet:?xt=urn:btih:${createHash('sha1').update(text).digest('hex')}`, ...more].join('&');
}

void t.test('a plain account reaches nothing inside, whichever way it names it', async (t) => {
  const daemon = await closedDaemon(t);
  const bob = await makeAccount(daemon, 'bob');
  const canaries = [
    await canaryAt(t, '127.0.0.1', httpAnswer(refusal(SECRET))),
    await canaryAt(t, '127.5.6.7', 'SSH-2.0-OpenSSH\r\n'),
    await canaryAt(t, '127.0.0.1'),
  ];
  const closed = await startCanary('127.0.0.1');
  await closed.close();

  const trackers = [
    ...[...canaries, closed].flatMap(({ address }) => [`http://${address}/announce`, `udp://${address}/announce`]),
    ...canaries.map(({ port }) => `http://localhost:${port}/announce`),
    ...canaries.map(({ port }) => `http://[::ffff:127.0.0.1]:${port}/announce`),
  ];
  const webSeeds = [...canaries, closed].map(({ address }) => `http://${address}/file`);
  const made = film(1, trackers, webSeeds);
  const id = await bob.client.addTorrentFile(made.torrentBytes);
  const magnet = magnetOf('bob', ...canaries.map(({ address }) => `x.pe=${address}`));
  await bob.client.addMagnet(magnet);
  for (const { address } of [...canaries, closed]) {
    const { status, json } = await bob.client.api('POST', `/api/torrents/${id}/peers`, {
      peers: ['8.8.8.8:6881', address],
    });
    t.equal(status, 400);
    t.match(json, { error: `peers: ${address} is not public: only accounts that may change settings may name it` });
  }
  const viewed = await bob.client.api('POST', '/api/torrents/url', { url: `http://${canaries[0]!.address}/x.torrent` });
  t.match(viewed, { status: 400, json: { error: /private address/ } });

  // What a peer says, once it is sure to have been heard: the answer to what it asks next comes after it.
  const peer = await RawPeer.connect(daemon.peerPort);
  t.teardown(() => peer.destroy());
  const numbers = `d6:ut_pexi${OUR_PEX}e11:ut_metadatai${OUR_METADATA}ee`;
  peer.send(handshake(made.infoHash, { extended: true }), extended(`d1:m${numbers}1:pi${closed.port}ee`));
  const theirs = await waitUntil('their numbers', TIMEOUT_MS, () => extensionsOf(peer));
  const added = Buffer.concat(canaries.map(({ host, port }) => compact(host, port)));
  peer.send(
    extensionMessage(theirs['ut_pex']!, bencode.encode({ added, 'added.f': Buffer.alloc(canaries.length) })),
    extensionMessage(theirs['ut_metadata']!, bencode.encode({ msg_type: 0, piece: 0 })),
  );
  await waitUntil('the metadata', TIMEOUT_MS, () => peer.messages.find(({ payload }) => payload[0] === OUR_METADATA));
  await waitUntil('all trackers judged', TIMEOUT_MS, () => {
    const failures = logged(daemon, 'announce failed').filter(({ torrent }) => torrent === made.infoHash);
    return failures.length >= trackers.length || undefined;
  });
  await waitUntil('all web seeds judged', TIMEOUT_MS, () => {
    const closedSeeds = logged(daemon, 'web seed closed').filter(({ reason }) => reason === NOT_ALLOWED);
    return closedSeeds.length >= webSeeds.length || undefined;
  });
  const failures = logged(daemon, 'announce failed').filter(({ torrent }) => torrent === made.infoHash);
  t.same([...new Set(failures.map(({ reason }) => reason))], [NOT_ALLOWED], 'one and the same, open or closed');

  // An administrator's word, after all of that, is heard at once: nothing else was on its way.
  await daemon.addPeers(id, canaries[2]!.address);
  await waitUntil('the administrator reaches it', TIMEOUT_MS, () => canaries[2]!.heard.length > 0 || undefined);
  t.same(
    canaries.map(({ heard }) => heard.length),
    [0, 0, 1],
  );
  t.notOk(daemon.stderr.includes(SECRET));
});

void t.test('an administrator reaches trackers, web seeds and peers inside, but no service', async (t) => {
  const daemon = await closedDaemon(t);
  const callers: Buffer[] = [];
  const listener = await listenRaw((caller) => {
    void waitUntil('a greeting', TIMEOUT_MS, () => caller.greeting ?? undefined).then(
      (greeting) => void callers.push(greeting),
      () => undefined,
    );
  });
  t.teardown(() => listener.close());
  const peers = Buffer.concat([compact('127.0.0.1', listener.port), compact('127.0.0.1', 22), compact('10.0.0.1', 80)]);
  const telling = await canaryAt(t, '127.5.6.7', httpAnswer(bencode.encode({ interval: 1800, peers })));
  const refusing = await canaryAt(t, '127.0.0.1', httpAnswer(refusal(SECRET)));
  const seed = await startWebSeedServer({ files: { '/film-2': seededBytes(2, PIECE) } });
  t.teardown(() => seed.close());

  const trackers = [`http://${telling.address}/announce`, `http://${refusing.address}/announce`];
  const made = film(2, [...trackers, `http://${refusing.address}/admin`], [`${seed.origin}/film-2`]);
  const id = await daemon.addTorrentFile(made.torrentBytes);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  const failed = await waitUntil('the answers', TIMEOUT_MS, () => {
    const failures = logged(daemon, 'announce failed').filter(({ torrent }) => torrent === id);
    return failures.length >= 2 ? failures : undefined;
  });
  t.same(failed.map(({ code }) => code).sort(), ['TRACKER_FAILURE', 'TRACKER_REFUSED']);
  t.notOk(daemon.stderr.includes(SECRET), 'what somebody inside answers is not repeated');
  t.notOk(
    refusing.heard.some((request) => request.includes('/admin')),
    'of this machine nothing but announces',
  );

  const magnet = magnetOf('admin', `x.pe=127.0.0.1:${listener.port}`, 'x.pe=127.0.0.1:80');
  await daemon.addMagnet(magnet);
  const told = magnetOf('told', `tr=${encodeURIComponent(`http://${telling.address}/announce`)}`);
  await daemon.addMagnet(told);
  await waitUntil('both call', TIMEOUT_MS, () => {
    const hashes = callers.map((greeting) => greeting.toString('hex', 28, 48));
    return [magnet, told].every((uri) => hashes.includes(uri.slice(20, 60))) || undefined;
  });
  const refused = await daemon.api('POST', `/api/torrents/${id}/peers`, { peers: ['127.0.0.1:22'] });
  t.match(refused, { status: 400, json: { error: /127\.0\.0\.1:22 is a port below 1024 inside this network/ } });
});

void t.test('the right to reach inside comes and goes at once', async (t) => {
  const daemon = await closedDaemon(t);
  const bob = await makeAccount(daemon, 'bob');
  const [tracker, seed, peer] = [
    await canaryAt(t, '127.0.0.1'),
    await canaryAt(t, '127.0.0.1'),
    await canaryAt(t, '127.0.0.1'),
  ];
  const all = [tracker, seed, peer];
  const made = film(3, [`http://${tracker.address}/announce`], [`http://${seed.address}/film-3`]);
  const id = await bob.client.addTorrentFile(made.torrentBytes);
  await waitUntil('it is refused', TIMEOUT_MS, () => logged(daemon, 'announce failed')[0]);
  await setPermissions(daemon, bob, { perm_add_torrents: true, perm_change_settings: true });
  t.match(await bob.client.api('POST', `/api/torrents/${id}/peers`, { peers: [peer.address] }), { status: 200 });
  await waitUntil('all are reached', TIMEOUT_MS, () => all.every(({ open }) => open > 0) || undefined);
  await setPermissions(daemon, bob, { perm_add_torrents: true });
  await waitUntil('all are left', TIMEOUT_MS, () => all.every(({ open }) => open === 0) || undefined);
  const heard = all.map((one) => one.heard.length);
  await waitUntil('it is refused again', TIMEOUT_MS, () => logged(daemon, 'announce failed')[1]);
  t.match(await bob.client.api('POST', `/api/torrents/${id}/peers`, { peers: [peer.address] }), { status: 400 });
  t.same(
    all.map((one) => one.heard.length),
    heard,
  );
});

void t.test("an editor's trackers on an administrator's torrent are the editor's", async (t) => {
  const daemon = await closedDaemon(t);
  const bob = await makeAccount(daemon, 'bob');
  const [own, added, merged] = [
    await canaryAt(t, '127.0.0.1', httpAnswer('d8:intervali1800e5:peers0:e')),
    await canaryAt(t, '127.5.6.7'),
    await canaryAt(t, '127.6.7.8'),
  ];
  const announce = ({ address }: Canary) => `http://${address}/announce`;
  const id = await daemon.addTorrentFile(film(4, [announce(own)]).torrentBytes);
  await daemon.api('POST', `/api/torrents/${id}/shares`, { user_id: bob.id, access: 'editor' });
  t.match(await bob.client.api('POST', `/api/torrents/${id}/trackers`, { url: announce(added) }), { status: 200 });
  await bob.client.addTorrentFile(film(4, [announce(own), announce(merged)]).torrentBytes);
  await waitUntil('both are refused', TIMEOUT_MS, () => {
    const failures = logged(daemon, 'announce failed').filter(({ reason }) => reason === NOT_ALLOWED);
    return failures.length >= 2 || undefined;
  });
  await waitUntil('the own one is asked', TIMEOUT_MS, () => own.heard.length > 0 || undefined);
  t.same([added.heard, merged.heard], [[], []]);
});

void t.test('what one holder brought is not reached by the rights of those who stay', async (t) => {
  const daemon = await closedDaemon(t);
  const [bob, carol] = [await makeAccount(daemon, 'bob'), await makeAccount(daemon, 'carol')];
  await setPermissions(daemon, carol, { perm_add_torrents: true, perm_change_settings: true });
  const [tracker, seed, own] = [
    await canaryAt(t, '127.0.0.1'),
    await canaryAt(t, '127.5.6.7'),
    await canaryAt(t, '127.0.0.1', httpAnswer('d8:intervali1800e5:peers0:e')),
  ];
  const bobs = film(5, [`http://${tracker.address}/announce`], [`http://${seed.address}/film-5`]);
  const id = await bob.client.addTorrentFile(bobs.torrentBytes);
  await carol.client.addTorrentFile(film(5, [`http://${own.address}/announce`]).torrentBytes);
  t.match(await bob.client.api('DELETE', `/api/torrents/${id}`), { status: 200 });
  await waitUntil('her own tracker is asked', TIMEOUT_MS, () => own.heard.length > 0 || undefined);
  // Whoever may be reached at all is asked at once when rights have changed.
  const judged = () => logged(daemon, 'web seed closed').filter(({ reason }) => reason === NOT_ALLOWED).length;
  await setPermissions(daemon, carol, { perm_add_torrents: true });
  const before = judged();
  await setPermissions(daemon, carol, { perm_add_torrents: true, perm_change_settings: true });
  await waitUntil('it is judged again', TIMEOUT_MS, () => judged() > before || seed.heard.length > 0 || undefined);
  t.same([tracker.heard, seed.heard], [[], []]);
});

function compact(host: string, port: number): Buffer {
  return Buffer.from([...host.split('.').map(Number), port >> 8, port & 255]);
}

/** Their numbers, once it has said so. */
function extensionsOf({ messages }: RawPeer): Readonly<Record<string, number>> | undefined {
  const greeting = messages.find(({ id, payload }) => id === ID.extended && payload[0] === 0);
  return greeting && (bencode.decode(greeting.payload.subarray(1)) as { readonly m: Record<string, number> }).m;
}
