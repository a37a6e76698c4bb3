// Private torrents (BEP 27) in whole daemons: nothing is said or believed of them but by their trackers and by hand.
// Each has a twin that is not private and otherwise the same, which shows that the test would notice.
import t, { type Test } from 'tap';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startDaemon, type DaemonUnderTest } from '../../support/daemon.js';
import { startHttpTracker, type HttpTracker } from '../../support/http-tracker.js';
import { makeNamespacePair, namespacesUnavailable } from '../../support/namespaces.js';
import { extensionsOf, pexMessage, startMagnetPeer, type MagnetPeer } from '../../support/peers/magnet-peer.js';
import { KIB, MIB, writePayload, type Payload } from '../../support/peers/payload.js';
import { privateTwin } from '../../support/peers/private-payload.js';
import { listenRaw, type RawListener } from '../../support/peers/raw-listener.js';
import {
  extended,
  extensionMessage,
  frame,
  handshake,
  ID,
  RawPeer,
  type Received,
} from '../../support/peers/raw-peer.js';
import { makeScratch } from '../../support/peers/scratch.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { startRecordingNode, type RecordingNode } from '../../support/recording-node.js';
import { udpPortsOf } from '../../support/udp-sockets.js';

const IN_NAMESPACE = fileURLToPath(new URL('./private-in-namespace.js', import.meta.url));
const TOTAL_BYTES = MIB;
const TIMEOUT_MS = 15_000;
/** What was not done this long after the twin had it done is not done at all: two of the engine's ticks. */
const GRACE_MS = 2_500;
/** Reserved byte of the handshake and its bit that says: DHT (BEP 5). */
const DHT_BYTE = 27;
const DHT_BIT = 0x01;
/** What raw peers call ut_pex, and a number that nobody has given to an extension. */
const PEX_ID = 21;
const NO_ID = 99;

t.setTimeout(120_000);
t.jobs = 3;

void t.test('known to be private from the start', async (t) => {
  const node = await startRecordingNode();
  t.teardown(() => node.close());
  const daemon = await startWithDht(t, node);
  const { secret, open } = await makeTwins(t);
  // The private one first: whatever is done for both is done for it first.
  for (const payload of [secret, open]) {
    const id = await daemon.addTorrentFile(payload.torrent(), payload.directory);
    await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  }
  const atSecret = await visit(t, daemon, secret);
  const atOpen = await visit(t, daemon, open);
  const pexId = atOpen.extensions['ut_pex'];
  t.ok(pexId, 'the twin: ut_pex in the extended handshake');
  atSecret.tellOf(atSecret.trap, NO_ID);
  atOpen.tellOf(atOpen.trap, pexId ?? NO_ID);

  await t.test('its twin', async (t) => {
    const { infoHash } = open;
    t.ok(atOpen.saysDht, 'DHT bit in the handshake');
    await seen('get_peers', () => node.asked('get_peers', infoHash) > 0);
    await seen('announce_peer', () => node.asked('announce_peer', infoHash) > 0);
    await seen('port message', () => atOpen.messages(ID.port).length > 0);
    const [dhtPort] = await udpPortsOf(daemon.pid);
    t.equal(atOpen.messages(ID.port)[0]?.payload.readUInt16BE(0), dhtPort, 'names the node that there is');
    await seen('the node that our port message named is asked', () => atOpen.named.queries > 0);
    await seen('each is told of the other by ut_pex', () => atOpen.pexMessages().length > 0);
    await seen('whom ut_pex named is dialled', () => atOpen.trap.callers.length > 0);
  });

  // Under the number that the twin's extension has, whatever that is here: it may well end the connection.
  atSecret.tellOf(atSecret.trap, pexId ?? NO_ID);
  await sleep(GRACE_MS);
  const { infoHash } = secret;
  t.notOk(atSecret.saysDht, 'no DHT bit');
  t.notOk('ut_pex' in atSecret.extensions, 'no ut_pex');
  t.equal(node.asked('get_peers', infoHash), 0, 'not looked up');
  t.equal(node.asked('announce_peer', infoHash), 0, 'not announced');
  t.same(atSecret.messages(ID.port), [], 'no port message');
  t.equal(atSecret.named.queries, 0, 'a port message means nothing');
  t.same(atSecret.pexMessages(), [], 'nobody is told of others');
  t.equal(atSecret.trap.callers.length, 0, 'nobody is believed');
});

void t.test('a magnet that turns out to be private', async (t) => {
  const node = await startRecordingNode();
  t.teardown(() => node.close());
  const tracker = await startHttpTracker();
  t.teardown(() => tracker.close());
  const home = await makeScratch('home', 2 * TOTAL_BYTES);
  t.teardown(() => home.remove());
  const daemon = await startWithDht(t, node, `${home.path}/data`);
  const { secret, open } = await makeTwins(t);
  const [atSecret, atOpen] = await Promise.all([
    gather(t, { daemon, node, tracker, payload: secret, savePath: `${home.path}/secret` }),
    gather(t, { daemon, node, tracker, payload: open, savePath: `${home.path}/open` }),
  ]);
  for (const { byHand } of [atSecret, atOpen]) await byHand.giveInfo();
  for (const { infoHash } of [secret, open]) {
    await daemon.waitFor(infoHash, ({ total_bytes }) => total_bytes === TOTAL_BYTES, TIMEOUT_MS);
  }
  await seen('the one from the DHT is left', () => !atSecret.fromDht.isConnected);
  await seen('the one from PEX is left', () => !atSecret.fromPex.isConnected);
  const lookups = node.asked('get_peers', secret.infoHash);
  const announces = node.asked('announce_peer', secret.infoHash);
  t.ok(lookups > 0 && announces > 0, 'nobody could know before');

  // All ways again, now that it is known; and a torrent that starts again is looked up at once.
  for (const { byHand, late } of [atSecret, atOpen]) byHand.tellOf(late);
  await seen('the twin: whom ut_pex named is dialled', () => atOpen.late.calls > 0);
  await sleep(GRACE_MS);
  t.equal(atSecret.late.calls, 0, 'ut_pex is not believed');
  for (const [name, swarm, stay] of [
    ['private', atSecret, false],
    ['twin', atOpen, true],
  ] as const) {
    const { byHand, fromTracker, fromDht, fromPex } = swarm;
    t.ok(byHand.isConnected && fromTracker.isConnected, `${name}: by hand and from the tracker stay`);
    t.equal(fromDht.isConnected, stay, `${name}: from the DHT`);
    t.equal(fromPex.isConnected, stay, `${name}: from PEX`);
    t.same([fromDht.calls, fromPex.calls], [1, 1], `${name}: dialled once`);
  }

  const before = node.asked('get_peers', open.infoHash);
  for (const { infoHash } of [secret, open]) {
    for (const change of ['pause', 'resume']) {
      t.match(await daemon.api('POST', `/api/torrents/${infoHash}/${change}`), { status: 200 });
    }
  }
  await seen('the twin is looked up again', () => node.asked('get_peers', open.infoHash) > before);
  await daemon.stop();
  const beforeRestart = node.asked('get_peers', open.infoHash);
  await startWithDht(t, node, `${home.path}/data`);
  await seen('and after a restart', () => node.asked('get_peers', open.infoHash) > beforeRestart);
  await sleep(GRACE_MS);
  t.equal(node.asked('get_peers', secret.infoHash), lookups, 'the private one is not');
  t.equal(node.asked('announce_peer', secret.infoHash), announces, 'nor announced');
  t.same([atSecret.fromDht.calls, atSecret.fromPex.calls], [1, 1], 'nor are those dialled that were left');
});

void t.test('on a local network', { skip: namespacesUnavailable() }, async (t) => {
  const pair = await makeNamespacePair();
  t.teardown(() => pair.remove());
  // The other end of the cable is only there so that there is a cable.
  const child = pair.run('a', process.execPath, [IN_NAMESPACE]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const code = await new Promise((resolve) => void child.once('exit', resolve));
  t.equal(code, 0, 'see private-in-namespace.ts');
  if (code !== 0) t.comment(said);
});

interface Visit {
  readonly saysDht: boolean;
  readonly extensions: Readonly<Record<string, number>>;
  /** The node that the visitor's port message named. */
  readonly named: RecordingNode;
  readonly trap: RawListener;
  messages(id: number): readonly Received[];
  /** By which the visitor was told of others. */
  pexMessages(): readonly Received[];
  tellOf(peer: { readonly host: string; readonly port: number }, extensionId: number): void;
}

/** Two raw peers come, say that they listen, and offer all that BEP 27 forbids. */
async function visit(t: Test, daemon: DaemonUnderTest, { infoHash }: Payload): Promise<Visit> {
  const named = await startRecordingNode();
  const [trap, home, otherHome] = [await listenRaw(), await listenRaw(), await listenRaw()];
  const [visitor, other] = [await RawPeer.connect(daemon.peerPort), await RawPeer.connect(daemon.peerPort)];
  t.teardown(async () => {
    visitor.destroy();
    other.destroy();
    await Promise.all([named.close(), trap.close(), home.close(), otherHome.close()]);
  });
  for (const [peer, { port }] of [
    [visitor, home],
    [other, otherHome],
  ] as const) {
    peer.send(handshake(infoHash, { dht: true, extended: true }));
    peer.send(extended(`d1:md6:ut_pexi${PEX_ID}ee1:pi${port}ee`));
  }
  visitor.send(frame(ID.port, Buffer.from([named.port >> 8, named.port & 255])));
  const extensions = await waitUntil('greeted', TIMEOUT_MS, () => extensionsOf(visitor) ?? undefined);
  const messages = (id: number): readonly Received[] => visitor.messages.filter((message) => message.id === id);
  return {
    saysDht: ((visitor.greeting?.[DHT_BYTE] ?? 0) & DHT_BIT) !== 0,
    extensions,
    named,
    trap,
    messages,
    pexMessages: () => messages(ID.extended).filter(({ payload }) => payload[0] === PEX_ID),
    tellOf: (peer, extensionId) => visitor.send(extensionMessage(extensionId, pexMessage(peer))),
  };
}

interface Place {
  readonly daemon: DaemonUnderTest;
  readonly node: RecordingNode;
  readonly tracker: HttpTracker;
  readonly payload: Payload;
  readonly savePath: string;
}

interface Gathering {
  readonly byHand: MagnetPeer;
  readonly fromTracker: MagnetPeer;
  readonly fromDht: MagnetPeer;
  readonly fromPex: MagnetPeer;
  /** Nobody knows of it yet. */
  readonly late: MagnetPeer;
}

/** Adds the magnet and brings the daemon together with a peer from everywhere; the one by hand has the metadata. */
async function gather(t: Test, { daemon, node, tracker, payload, savePath }: Place): Promise<Gathering> {
  const { infoHash, infoBytes } = payload;
  await mkdir(savePath);
  const [byHand, fromTracker, fromDht, fromPex, late] = [
    await startMagnetPeer(infoHash, { infoBytes }),
    await startMagnetPeer(infoHash),
    await startMagnetPeer(infoHash),
    await startMagnetPeer(infoHash),
    await startMagnetPeer(infoHash),
  ];
  t.teardown(() => Promise.all([byHand, fromTracker, fromDht, fromPex, late].map((peer) => peer.close())));
  await announceTo(tracker, payload, fromTracker.port);
  node.name(infoHash, fromDht);
  await daemon.addMagnet(payload.magnet({ trackers: [tracker.announceUrl] }), savePath);
  await daemon.addPeers(infoHash, byHand.address);
  await seen('connected by hand', () => byHand.isConnected);
  byHand.tellOf(fromPex);
  await seen('connected from the tracker', () => fromTracker.isConnected);
  await seen('connected from the DHT', () => fromDht.isConnected);
  await seen('connected from PEX', () => fromPex.isConnected);
  return { byHand, fromTracker, fromDht, fromPex, late };
}

async function announceTo({ announceUrl }: HttpTracker, { infoHash }: Payload, port: number): Promise<void> {
  const hash = infoHash.replace(/../g, '%$&');
  const figures = `port=${port}&uploaded=0&downloaded=0&left=1&compact=1`;
  const { status } = await fetch(`${announceUrl}?info_hash=${hash}&peer_id=-RP0001-of-the-tracker&${figures}`);
  if (status !== 200) throw new Error(`tracker: ${status}`);
}

/** The daemon dials without MSE, which raw peers do not speak. */
async function startWithDht(t: Test, node: RecordingNode, dataDir?: string): Promise<DaemonUnderTest> {
  const args = ['--dht', 'on', '--dht-bootstrap', node.address];
  const daemon = await startDaemon({ args, encryption: 'allowed', ...(dataDir ? { dataDir } : {}) });
  t.teardown(() => daemon.stop());
  return daemon;
}

async function makeTwins(t: Test): Promise<{ readonly secret: Payload; readonly open: Payload }> {
  const source = await makeScratch('source', TOTAL_BYTES);
  t.teardown(() => source.remove());
  const open = await writePayload(source.path, TOTAL_BYTES, 64 * KIB);
  return { open, secret: privateTwin(open) };
}

async function seen(what: string, condition: () => boolean): Promise<void> {
  await waitUntil(what, TIMEOUT_MS, () => condition() || undefined);
}
