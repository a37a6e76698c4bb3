// Whole daemons in a DHT of their own (BEP 5): magnets without a tracker or a peer, nodes that are kept, and no socket
// where there is to be none.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import bencode, { type BencodeInput } from 'bencode';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../../support/daemon.js';
import { freePort } from '../../support/free-port.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { startLibtorrentDhtSeed } from '../../support/peers/libtorrent-dht-seed.js';
import { libtorrent, testWith } from '../../support/peers/index.js';
import { digestsOf, KIB, MIB, writePayload, type Payload } from '../../support/peers/payload.js';
import { makeScratch } from '../../support/peers/scratch.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { startPrivateDht, type PrivateDht } from '../../support/private-dht.js';
import { udpPortsOf } from '../../support/udp-sockets.js';

const TOTAL_BYTES = 4 * MIB + 3;
const PIECE_LENGTH = 64 * KIB;
const TIMEOUT_MS = 20_000;
const NODES = 20;

t.setTimeout(300_000);
t.jobs = 2;

void t.test('a DHT of 20 nodes', async (t) => {
  const dht = await startPrivateDht(NODES);
  t.teardown(() => dht.close());
  const source = await makeScratch('source', 3 * TOTAL_BYTES);
  t.teardown(() => source.remove());
  const payload = (seed: number): Promise<Payload> => writePayload(source.path, TOTAL_BYTES, PIECE_LENGTH, seed);

  // Before any daemon has come and gone: libtorrent waits 15 s for nodes that are no more before it announces.
  await testWith(t, libtorrent, 'a magnet that libtorrent seeds', async (t) => {
    const film = await payload(1);
    const seed = await startLibtorrentDhtSeed(film, dht.bootstrap);
    t.teardown(() => seed.close());
    await stored(dht, film);
    await fetchMagnet(t, await start(t, dht.bootstrap), film);
  });

  await t.test('a magnet and nothing else; nodes outlive a restart', async (t) => {
    const seed = await start(t, dht.bootstrap);
    const home = await makeHome(t);
    const leech = await start(t, dht.bootstrap, home);

    const first = await payload(2);
    await seedInto(seed, first, dht);
    await fetchMagnet(t, leech, first);
    t.match(await leech.stop(), { code: 0 });

    // Nobody answers there: whom it asks now it must have known before.
    const again = await start(t, `127.0.0.1:${await freePort()}`, home);
    const second = await payload(3);
    await seedInto(seed, second, dht);
    await fetchMagnet(t, again, second);
  });
});

void t.test('off: no UDP socket; on: one, on the number of the peer port', async (t) => {
  const off = await startDaemon();
  t.teardown(() => off.stop());
  t.same(await udpPortsOf(off.pid), []);
  const on = await start(t, `127.0.0.1:${await freePort()}`);
  t.same(await udpPortsOf(on.pid), [on.peerPort]);
});

void t.test('nodes that a torrent file names are asked, but not those of a private one', async (t) => {
  const [named, secret] = [await listener(t), await listener(t)];
  const daemon = await start(t, `127.0.0.1:${await freePort()}`);
  await daemon.addTorrentFile(withNodes(secret.port, true));
  await daemon.addTorrentFile(withNodes(named.port, false));
  await named.asked;
  t.equal(secret.count(), 0);
});

/** A node that never answers. */
async function listener(t: Test): Promise<{ port: number; asked: Promise<unknown>; count: () => number }> {
  const socket = createSocket('udp4');
  let count = 0;
  socket.on('message', () => count++);
  const asked = once(socket, 'message');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  return { port: socket.address().port, asked, count: () => count };
}

function withNodes(port: number, isPrivate: boolean): Uint8Array {
  const files = seededBytes(port, 1_000);
  const { infoBytes } = makeTorrent({ name: `n${port}`, pieceLength: 16_384, files, private: isPrivate });
  return bencode.encode({ info: bencode.decode(infoBytes) as BencodeInput, nodes: [['127.0.0.1', port]] });
}

interface Home {
  readonly dataDir: string;
  readonly savePath: string;
}

async function makeHome(t: Test): Promise<Home> {
  const scratch = await makeScratch('home', 3 * TOTAL_BYTES);
  t.teardown(() => scratch.remove());
  return { dataDir: `${scratch.path}/data`, savePath: `${scratch.path}/downloads` };
}

async function start(t: Test, bootstrap: string, home?: Home): Promise<DaemonUnderTest> {
  const args = ['--dht', 'on', '--dht-bootstrap', bootstrap];
  const daemon = await startDaemon({ args, bytes: 2 * TOTAL_BYTES, ...home });
  t.teardown(() => daemon.stop());
  return daemon;
}

async function seedInto(daemon: DaemonUnderTest, payload: Payload, dht: PrivateDht): Promise<void> {
  const id = await daemon.addTorrentFile(payload.torrent(), payload.directory);
  await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  await stored(dht, payload);
}

/** Whoever looks before that looks again only a minute later. */
async function stored(dht: PrivateDht, { infoHash }: Payload): Promise<void> {
  await waitUntil('announced', TIMEOUT_MS, async () => (await dht.holders(infoHash)) > 0 || undefined);
}

async function fetchMagnet(t: Test, daemon: DaemonUnderTest, payload: Payload): Promise<void> {
  const magnet = payload.magnet();
  t.notMatch(magnet, /[?&](tr|x\.pe)=/, 'only the DHT can help');
  const id = await daemon.addMagnet(magnet);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.same(await digestsOf(payload, daemon.savePath), payload.digests, 'the same files');
}
