// Who stays when a torrent has as many peers as it may: BEP 40 decides about newcomers, and the useless go in time.
import t from 'tap';
import { peerPriority } from '../../../../../engine/peers/peer-priority.js';
import { extendedHandshake } from '../../../../support/frames.js';
import type { ScriptedPeer } from '../../../../support/scripted-peer.js';
import { ENGINE_PORT, TorrentBench } from '../torrent-bench.js';

/** Where peers see the engine; once two networks have said so it counts. */
const OURS = { host: '203.0.113.5', port: ENGINE_PORT };
const YOURIP = Buffer.of(203, 0, 113, 5);

const isOpen = (peer: ScriptedPeer): boolean => peer.closed === null;

/** Hosts by their priority to us, the least first. Of different /16, so that ports do not count. */
function hostsByPriority(count: number): string[] {
  const hosts = Array.from({ length: count }, (_, i) => `${i + 60}.${i + 7}.1.2`);
  const priority = (host: string): number => peerPriority(OURS, { host, port: 1 });
  return hosts.sort((a, b) => priority(a) - priority(b));
}

async function meetAt(bench: TorrentBench, host: string): Promise<ScriptedPeer> {
  const peer = await bench.meet(host);
  peer.send(extendedHandshake({ m: {}, yourip: YOURIP }));
  await bench.clock.settle();
  return peer;
}

void t.test('to a full torrent comes who is preferred to the least preferred, and nobody else', async (t) => {
  const bench = await TorrentBench.start({ engine: { maxPeersPerTorrent: 3 } });
  const [worst = '', low = '', middle = '', high = '', best = ''] = hostsByPriority(5);
  const [first, second, third] = [await meetAt(bench, low), await meetAt(bench, middle), await meetAt(bench, high)];
  const tooSoon = await meetAt(bench, best);
  t.notOk(isOpen(tooSoon), 'nobody yields in the first minute');
  await bench.clock.advance(61_000);
  t.notOk(isOpen(await meetAt(bench, worst)), 'less than any');
  t.same([first, second, third].map(isOpen), [true, true, true]);
  t.ok(isOpen(await meetAt(bench, best)));
  t.same([first, second, third].map(isOpen), [false, true, true]);
  t.equal(bench.torrent.peerCount, 3);
  await bench.stop();
});

void t.test('while nobody knows where we are all are alike, and nobody yields', async (t) => {
  const bench = await TorrentBench.start({ engine: { maxPeersPerTorrent: 2 } });
  const peers = [await bench.meet('60.7.1.2'), await bench.meet('61.8.1.2')];
  await bench.clock.advance(61_000);
  t.notOk(isOpen(await bench.meet('62.9.1.2')));
  t.same(peers.map(isOpen), [true, true]);
  await bench.stop();
});

void t.test('a full torrent exchanges a peer every five minutes; one with room keeps all', async (t) => {
  for (const [maxPeersPerTorrent, left] of [
    [10, 9],
    [20, 10],
  ] as const) {
    const bench = await TorrentBench.start({ engine: { maxPeersPerTorrent } });
    const peers: ScriptedPeer[] = [];
    for (let i = 0; i < 10; i++) peers.push(await bench.meet(`${60 + i}.7.1.2`));
    // They are alive, and of no use.
    for (let waited = 0; waited < 310_000; waited += 31_000) {
      await bench.clock.advance(31_000);
      for (const peer of peers) if (isOpen(peer)) peer.send(Buffer.alloc(4));
    }
    t.equal(peers.filter(isOpen).length, left, `of 10 where ${maxPeersPerTorrent} may be`);
    await bench.stop();
  }
});
