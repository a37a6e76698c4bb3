// A web seed is a peer to the download and to nobody else: not to those who count peers, not to PEX, not to whoever
// turns up under its name; and it is tried again when it failed, unless it lied.
import t from 'tap';
import { webSeedPeerId } from '../../../../../engine/webseed/identity.js';
import type { WebSeedHttp } from '../../../../../engine/webseed/index.js';
import type { RangeAnswer } from '../../../../../engine/webseed/types.js';
import { WebSeeds } from '../../../../../engine/torrent/swarm/web-seeds.js';
import { extendedHandshake } from '../../../../support/frames.js';
import { TorrentBench } from '../torrent-bench.js';

const URL_A = 'http://seed.example/payload';

interface Server {
  readonly http: WebSeedHttp;
  asked: number;
}

function serverThat(answer: (first: number, last: number) => Promise<RangeAnswer>): Server {
  const server = {
    asked: 0,
    http: {
      newClient: () => ({
        get: (_url: URL, { first, last }: { first: number; last: number }) => {
          server.asked++;
          return answer(first, last);
        },
        close: () => undefined,
      }),
    },
  };
  return server;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

void t.test('it is nobody to those who count, list, and exchange peers', async (t) => {
  const server = serverThat(() => new Promise<never>(() => undefined));
  const bench = await TorrentBench.start({ webSeeds: [URL_A], webSeedHttp: server.http });
  await bench.clock.advance(2_000);
  t.equal(server.asked, 1, 'it is asked');
  t.equal(bench.stats.peers, 0);
  t.equal(bench.stats.seeds, 0);
  t.same(bench.peers, []);
  t.equal(bench.torrent.known.size, 0);
  const witness = await bench.meet('10.0.0.8');
  witness.send(extendedHandshake({ m: { ut_pex: 5 } }));
  await bench.clock.advance(10_000);
  t.notOk(witness.frames.some(({ id, payload }) => id === 20 && payload[0] === 5));
  t.equal(bench.stats.peers, 1);
  await bench.stop();
});

void t.test('who comes under its name does not take its place, and is a peer like others', async (t) => {
  const server = serverThat(() => new Promise<never>(() => undefined));
  const bench = await TorrentBench.start({ webSeeds: [URL_A], webSeedHttp: server.http });
  await bench.clock.advance(1_000);
  const impostor = await bench.meet('10.0.0.7', { peerId: webSeedPeerId(URL_A) });
  await bench.clock.advance(10_000);
  t.equal(impostor.closed, null);
  t.equal(bench.torrent.peerCount, 2);
  t.equal(server.asked, 1, 'not connected to anew');
  await bench.stop();
});

void t.test('it downloads all there is, without any peer', async (t) => {
  const { payload } = new TorrentBench().made;
  const server = serverThat(async (first, last) => ({ kind: 'body', chunks: once(payload.subarray(first, last + 1)) }));
  const bench = await TorrentBench.start({ webSeeds: [URL_A], webSeedHttp: server.http });
  await bench.clock.advance(5_000);
  t.ok(bench.isComplete);
  t.equal(bench.torrent.peerCount, 0, 'let go when there is nothing more to ask');
  t.ok(Buffer.from(payload).equals(bench.disk.content('/save/payload') ?? Buffer.alloc(0)));
  await bench.stop();
});

void t.test('one that fails is asked again for hours, less and less often', async (t) => {
  const server = serverThat(async () => ({ kind: 'failed', reason: 'no route' }));
  const bench = await TorrentBench.start({ webSeeds: [URL_A], webSeedHttp: server.http });
  await bench.clock.advance(5_000);
  t.equal(server.asked, 1);
  await bench.clock.advance(60_000);
  t.equal(server.asked, 2);
  await bench.clock.advance(3 * 3_600_000);
  t.ok(server.asked >= 8, `${server.asked} times`);
  t.ok(server.asked <= 14, `${server.asked} times`);
  await bench.stop();
});

void t.test('one that lied is never asked again', async (t) => {
  const server = serverThat(async (first, last) => ({ kind: 'body', chunks: once(new Uint8Array(last + 1 - first)) }));
  const bench = await TorrentBench.start({ webSeeds: [URL_A], webSeedHttp: server.http });
  await bench.clock.advance(5_000);
  const asked = server.asked;
  t.ok(asked > 0);
  t.equal(bench.torrent.peerCount, 0);
  await bench.clock.advance(2 * 3_600_000);
  t.equal(server.asked, asked);
  await bench.stop();
});

void t.test('whether there is anything to hope for', async (t) => {
  t.notOk(new WebSeeds([], []).mayServe);
  t.notOk(new WebSeeds([], []).isDue(0));
  const none = new WebSeeds(['ftp://seed.example/'], []);
  t.notOk(none.isDue(0));
  t.notOk(none.mayServe);
  const seeds = new WebSeeds([URL_A, 'http://b.example/'], []);
  const taken: string[] = [];
  t.ok(seeds.isDue(0));
  seeds.connect(
    0,
    (url) => taken.push(url),
    () => false,
  );
  t.equal(taken.length, 2);
  for (const url of taken) {
    t.ok(seeds.mayServe);
    seeds.onClosed(url, 'BAD_DATA', '', 1);
  }
  t.notOk(seeds.mayServe);
});

void t.test('one that lied in another torrent, or is found out while it is away, is not connected to', async (t) => {
  const seeds = new WebSeeds([URL_A, 'http://b.example/'], []);
  const taken: string[] = [];
  t.ok(seeds.isDue(0));
  seeds.connect(
    0,
    (url) => taken.push(url),
    (url) => url === URL_A,
  );
  t.same(taken, ['http://b.example/']);
  t.ok(seeds.mayServe);
  seeds.onClosed('http://b.example/', 'TORRENT_STOPPED', '', 1);
  seeds.ban('http://b.example/');
  t.notOk(seeds.mayServe);
  t.notOk(seeds.isDue(1e9));
});

void t.test('the seeds of both lists, and a URL that is in both is asked for files', async (t) => {
  const seeds = new WebSeeds([URL_A], ['http://b.example/', URL_A]);
  const connected: string[] = [];
  t.ok(seeds.isDue(0));
  seeds.connect(
    0,
    (url, form) => connected.push(`${url} ${form}`),
    () => false,
  );
  t.same(connected, [`${URL_A} files`, 'http://b.example/ pieces']);
  t.ok(new WebSeeds([], ['http://b.example/']).mayServe);
});
