// Peer exchange of one torrent (BEP 11): who is told of whom, what is believed, and nothing of either while the torrent
// is private (BEP 27).
import bencode from 'bencode';
import t from 'tap';
import { extended, extendedHandshake, frame } from '../../../../support/frames.js';
import type { ScriptedPeer } from '../../../../support/scripted-peer.js';
import { extensionsIn, TorrentBench } from '../torrent-bench.js';

/** The number by which our scripted peers want `ut_pex`. */
const PEX = 5;

interface Told {
  readonly added: string[];
  readonly flags: number[];
  readonly dropped: string[];
}

function addressesIn(bytes: Uint8Array | undefined): string[] {
  const view = Buffer.from(bytes ?? []);
  const found: string[] = [];
  for (let at = 0; at < view.length; at += 6) {
    found.push(`${[...view.subarray(at, at + 4)].join('.')}:${view.readUInt16BE(at + 4)}`);
  }
  return found.sort();
}

/** Every PEX message that the peer got. */
function toldTo(peer: ScriptedPeer): Told[] {
  return peer.frames
    .filter(({ id, payload }) => id === 20 && payload[0] === PEX)
    .map(({ payload }) => {
      const message = bencode.decode(payload.subarray(1)) as Record<string, Uint8Array | undefined>;
      return {
        added: addressesIn(message['added']),
        flags: [...(message['added.f'] ?? [])],
        dropped: addressesIn(message['dropped']),
      };
    });
}

/** A peer that listens on 7000 and takes PEX. */
async function meet(bench: TorrentBench, host: string): Promise<ScriptedPeer> {
  const peer = await bench.meet(host);
  peer.send(extendedHandshake({ m: { ut_pex: PEX }, p: 7000 }), frame(15));
  await bench.clock.settle();
  return peer;
}

function pexOf(peer: ScriptedPeer, ...hosts: readonly number[][]): Buffer {
  const added = Buffer.concat(hosts.map((host) => Buffer.of(...host, 27, 88)));
  const message = bencode.encode({ added, 'added.f': Buffer.alloc(hosts.length, 0x02) });
  return extended(extensionsIn(peer)['ut_pex'] ?? 99, message);
}

void t.test('each hears of the others, once, and of who has gone, a minute later at the earliest', async (t) => {
  const bench = await TorrentBench.start();
  const [a, b, c] = [await meet(bench, '10.0.0.7'), await meet(bench, '10.0.0.8'), await meet(bench, '10.0.0.9')];
  await bench.clock.advance(61_000);
  const added = (peer: ScriptedPeer): string[] => toldTo(peer).flatMap((message) => message.added);
  t.same(added(a).sort(), ['10.0.0.8:7000', '10.0.0.9:7000']);
  t.same(added(b).sort(), ['10.0.0.7:7000', '10.0.0.9:7000']);
  t.same(added(c).sort(), ['10.0.0.7:7000', '10.0.0.8:7000']);
  b.socket.destroy();
  await bench.clock.advance(125_000);
  t.same(
    toldTo(a).flatMap((message) => message.dropped),
    ['10.0.0.8:7000'],
  );
  t.same(added(a).sort(), ['10.0.0.8:7000', '10.0.0.9:7000']);
  await bench.stop();
});

void t.test('a seed is told of as one, a peer that we dialled as reachable', async (t) => {
  const bench = await TorrentBench.start();
  const address = { host: '10.0.0.7', port: 7000 };
  const listening = await bench.listenAt(address);
  bench.torrent.addPeers([address], 'tracker');
  await bench.clock.advance(1_000);
  listening[0]?.send(bench.handshake(), frame(14));
  const witness = await meet(bench, '10.0.0.8');
  await bench.clock.advance(2_000);
  t.same(toldTo(witness), [{ added: ['10.0.0.7:7000'], flags: [0x02 | 0x10], dropped: [] }]);
  await bench.stop();
});

void t.test('whom a peer names is dialled; strangers may not name machines of our own network', async (t) => {
  const bench = await TorrentBench.start();
  const neighbour = await meet(bench, '10.0.0.7');
  neighbour.send(pexOf(neighbour, [8, 8, 8, 8], [10, 0, 0, 50]));
  const stranger = await meet(bench, '9.9.9.9');
  stranger.send(pexOf(stranger, [8, 8, 4, 4], [10, 0, 0, 51], [127, 0, 0, 1]));
  await bench.clock.advance(2_000);
  t.same(bench.dials.map(({ to }) => to.host).sort(), ['10.0.0.50', '8.8.4.4', '8.8.8.8']);
  t.ok(bench.torrent.known.get({ host: '8.8.8.8', port: 27 * 256 + 88 })?.isSeed, 'flags are believed at first');
  await bench.stop();
});

void t.test('a private torrent neither tells nor listens, whatever the peer offers', async (t) => {
  const bench = await TorrentBench.start({ private: true });
  const [a, b] = [await meet(bench, '10.0.0.7'), await meet(bench, '10.0.0.8')];
  for (const id of [1, 2, 3, 4]) {
    a.send(extended(id, bencode.encode({ added: Buffer.of(10, 0, 0, 50, 27, 88), 'added.f': Buffer.of(0) })));
  }
  await bench.clock.advance(130_000);
  t.same([...toldTo(a), ...toldTo(b)], []);
  t.same(bench.dials, []);
  await bench.stop();
});

void t.test('a torrent that turns out private stops at once on connections that had begun it', async (t) => {
  const bench = await TorrentBench.start({ magnet: true, private: true });
  const { infoBytes } = bench.made;
  const giver = await bench.meet('10.0.0.7');
  giver.send(
    extendedHandshake({ m: { ut_metadata: 4, ut_pex: PEX }, metadata_size: infoBytes.length, p: 7000 }),
    frame(15),
  );
  await bench.clock.settle();
  const head = Buffer.from(`d8:msg_typei1e5:piecei0e10:total_sizei${infoBytes.length}ee`);
  giver.send(extended(extensionsIn(giver)['ut_metadata'] ?? 99, Buffer.concat([head, infoBytes])));
  await bench.clock.advance(200);
  t.ok(bench.torrent.facts().isPrivate);
  const late = await meet(bench, '10.0.0.8');
  t.notOk('ut_pex' in extensionsIn(late));
  giver.send(pexOf(giver, [10, 0, 0, 50]));
  await bench.clock.advance(130_000);
  t.same(toldTo(giver), []);
  t.same(bench.dials, []);
  await bench.stop();
});
