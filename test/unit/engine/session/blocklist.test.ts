// The blocklist and peers (docs/semantics.md section 9): who is on it is neither dialled nor let in nor kept, whoever
// named the address; and off it again, everything is as if it had never been on it.
import t from 'tap';
import { ADMIN_ACCOUNT_ID } from '../../../../shared-protocol/ids.js';
import type { WebSeedHttp } from '../../../../engine/webseed/index.js';
import { rangesOf } from '../../../support/address-ranges.js';
import { extended, extendedHandshake } from '../../../support/frames.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';
import { Bench } from './engine-bench.js';
import { extensionsIn, PIECE_BYTES, TorrentBench } from '../torrent/torrent-bench.js';

const BAD = { host: '66.6.6.6', port: 6881 };
const GOOD = { host: '8.8.8.8', port: 6881 };
const BLOCK = { engine: { blocklist: [rangesOf('somebody:66.6.0.0-66.6.255.255')] } };
const MINUTE_MS = 60_000;

const SOURCES = ['tracker', 'dht', 'pex', 'lsd', 'manual', 'magnet'] as const;

for (const source of SOURCES) {
  void t.test(`nobody on the list is dialled or even known: ${source}`, async (t) => {
    const bench = await TorrentBench.start(BLOCK);
    t.equal(bench.torrent.addPeers([BAD, GOOD], source), 1);
    await bench.clock.advance(10 * MINUTE_MS);
    t.ok(bench.dials.length > 0);
    t.ok(bench.dials.every(({ to }) => to.host === GOOD.host));
    t.equal(bench.torrent.known.get(BAD), null);
    await bench.stop();
  });
}

void t.test('nor one that a peer tells of', async (t) => {
  const bench = await TorrentBench.start(BLOCK);
  const witness = await bench.meet('10.0.0.8');
  witness.send(extendedHandshake({ m: { ut_pex: 5 } }));
  await bench.clock.advance(1_000);
  const added = Buffer.from([66, 6, 6, 6, 0x1a, 0xe1, 8, 8, 8, 8, 0x1a, 0xe1]);
  const message = Buffer.concat([Buffer.from('d5:added12:'), added, Buffer.from('7:added.f2:\0\0e', 'latin1')]);
  witness.send(extended(extensionsIn(witness)['ut_pex'] ?? 0, message));
  await bench.clock.advance(10_000);
  t.same([...new Set(bench.dials.map(({ to }) => to.host))], [GOOD.host]);
  await bench.stop();
});

void t.test('who is on the list is not let in: the connection ends before a word is said', async (t) => {
  const bench = await TorrentBench.start(BLOCK);
  const bad = await bench.meet('66.6.1.1');
  const good = await bench.meet('66.7.1.1');
  await bench.clock.advance(1_000);
  t.equal(bad.closed, '');
  t.equal(bad.handshake.length, 0);
  t.equal(good.closed, null);
  t.equal(bench.stats.peers, 1);
  await bench.stop();
});

void t.test('an update ends at once what is open, on its way or not introduced, and nothing else', async (t) => {
  const bench = await TorrentBench.start();
  const there = await bench.listenAt(BAD);
  bench.torrent.addPeers([BAD, { host: '66.6.6.7', port: 6881 }], 'tracker');
  const incoming = await bench.meet('66.6.1.1');
  const silent = bench.dialIn('66.6.1.2');
  const good = await bench.meet('66.7.1.1');
  await bench.clock.advance(200);
  there[0]?.send(bench.handshake());
  await bench.clock.advance(1_000);
  t.equal(bench.stats.peers, 3);

  bench.session.setBlocklist(BLOCK.engine.blocklist);
  await bench.clock.settle();
  for (const peer of [there[0], incoming, silent]) t.equal(peer?.closed, '');
  t.equal(good.closed, null);
  await bench.clock.advance(1_000);
  t.equal(bench.stats.peers, 1);
  const dials = bench.dials.length;
  await bench.clock.advance(10 * MINUTE_MS);
  t.equal(bench.dials.length, dials, 'who is known already is not dialled again');
  await bench.stop();
});

void t.test('off the list again, everybody is let in, and who was known is dialled', async (t) => {
  const bench = await TorrentBench.start();
  const there = await bench.listenAt(BAD);
  bench.torrent.addPeers([BAD], 'tracker');
  await bench.clock.advance(200);
  there[0]?.send(bench.handshake());
  await bench.clock.settle();
  bench.session.setBlocklist(BLOCK.engine.blocklist);
  await bench.clock.advance(5 * MINUTE_MS);
  t.equal(bench.dials.length, 1);

  bench.session.setBlocklist([]);
  const incoming = await bench.meet('66.6.1.1');
  await bench.clock.advance(1_000);
  t.equal(incoming.closed, null);
  await bench.clock.advance(MINUTE_MS);
  t.equal(bench.dials.length, 2);
  t.equal(bench.torrent.addPeers([{ host: '66.6.6.9', port: 6881 }], 'tracker'), 1, 'and learnt of');
  await bench.stop();
});

void t.test('other lists take the place of those before, and each of them holds', async (t) => {
  const bench = await TorrentBench.start(BLOCK);
  bench.session.setBlocklist([rangesOf('8.8.8.0/24'), rangesOf('2001:db8::/32')]);
  t.equal(bench.torrent.addPeers([BAD, GOOD, { host: '2001:db8::1', port: 6881 }], 'tracker'), 1);
  await bench.clock.advance(1_000);
  t.same(
    bench.dials.map(({ to }) => to),
    [BAD],
  );
  await bench.stop();
});

void t.test('web seeds are connected to again, so that they resolve their names under the new list', async (t) => {
  let clients = 0;
  const webSeedHttp: WebSeedHttp = {
    newClient: () => {
      clients++;
      return { get: () => new Promise<never>(() => undefined), close: () => undefined };
    },
  };
  const bench = await TorrentBench.start({ webSeeds: ['http://seed.example/payload'], webSeedHttp });
  await bench.clock.advance(2_000);
  t.equal(clients, 1);
  bench.session.setBlocklist(BLOCK.engine.blocklist);
  await bench.clock.advance(2_000);
  t.equal(clients, 2);
  await bench.stop();
});

void t.test('the command, over many torrents at once', async (t) => {
  const bench = new Bench();
  await bench.start({ maxPeers: 100 });
  const made = [1, 2, 3].map((seed) =>
    makeTorrent({ name: `t${seed}`, pieceLength: PIECE_BYTES, files: seededBytes(seed, PIECE_BYTES) }),
  );
  for (const { torrentBytes, infoHash } of made) {
    await bench.add(torrentBytes);
    await bench.engine.addPeers({
      id: infoHash,
      peers: ['66.6.6.6:6881', '8.8.8.8:6881'],
      accountId: ADMIN_ACCOUNT_ID,
    });
  }
  const dialled: string[] = [];
  for (const host of ['66.6.6.6', '8.8.8.8']) {
    await bench.network.host(host).listen(host, 6881, (socket) => {
      dialled.push(host);
      socket.setHandler({
        onConnect: () => undefined,
        onData: () => undefined,
        onDrain: () => undefined,
        onClose: () => dialled.splice(dialled.indexOf(host), 1),
      });
    });
  }
  await bench.clock.advance(500);
  t.same(dialled.sort(), ['66.6.6.6', '66.6.6.6', '66.6.6.6', '8.8.8.8', '8.8.8.8', '8.8.8.8']);
  await bench.engine.setBlocklist({ lists: [rangesOf('1.2.3.4'), rangesOf('66.6.6.6')] });
  await bench.clock.settle();
  t.same(dialled, ['8.8.8.8', '8.8.8.8', '8.8.8.8']);
  await bench.stop();
});
