// A magnet among liars (docs/limits.md 2.9): whoever gives false metadata is named by its hash and let go, in whatever
// order they come, and the honest peer's is taken.
import bencode from 'bencode';
import t from 'tap';
import { extended, extendedHandshake } from '../../../support/frames.js';
import type { ScriptedPeer } from '../../../support/scripted-peer.js';
import { extensionsIn, TorrentBench } from './torrent-bench.js';

const PIECE = 16 * 1024;
const OUR_ID = 5;

type Answer = (piece: number, bytes: Uint8Array) => Uint8Array;

const HONEST: Answer = (piece, bytes) => bytes.subarray(piece * PIECE, (piece + 1) * PIECE);
const LIARS: readonly Answer[] = [
  (piece, bytes) => Buffer.alloc(HONEST(piece, bytes).length, 7),
  (piece, bytes) => Buffer.from(HONEST(piece, bytes)).reverse(),
  () => new Uint8Array(0),
];

/** All orders of four. */
function orders(left: readonly Answer[]): Answer[][] {
  if (left.length === 0) return [[]];
  return left.flatMap((first) => orders(left.filter((other) => other !== first)).map((rest) => [first, ...rest]));
}

/** Answers what it was asked since the last time. */
function reply(bench: TorrentBench, peer: ScriptedPeer, answer: Answer): void {
  const asked = peer.frames
    .filter(({ id, payload }) => id === 20 && payload[0] === OUR_ID)
    .map(({ payload }) => bencode.decode(payload.subarray(1)) as { msg_type: number; piece: number });
  for (const { msg_type, piece } of asked) {
    if (msg_type !== 0) continue;
    const head = bencode.encode({ msg_type: 1, piece, total_size: bench.made.infoBytes.length });
    const data = answer(piece, bench.made.infoBytes);
    peer.send(extended(extensionsIn(peer)['ut_metadata'] ?? 0, Buffer.concat([head, data])));
  }
}

void t.test('three liars and one honest peer, in every order', async (t) => {
  for (const order of orders([HONEST, ...LIARS])) {
    const bench = await TorrentBench.start({ magnet: true });
    const peers: ScriptedPeer[] = [];
    for (const [i] of order.entries()) {
      const peer = await bench.meet(`10.0.0.${10 + i}`);
      peer.send(extendedHandshake({ m: { ut_metadata: OUR_ID }, metadata_size: bench.made.infoBytes.length }));
      peers.push(peer);
    }
    await bench.clock.settle();
    for (const [i, answer] of order.entries()) {
      reply(bench, peers[i]!, answer);
      await bench.clock.settle();
    }
    await bench.clock.advance(100);
    const liars = peers.slice(0, order.indexOf(HONEST));
    if (!bench.facts?.hasMetadata) t.fail('no metadata');
    if (liars.some(({ closed }) => closed === null)) t.fail('a liar that answered first is still there');
    if (peers[order.indexOf(HONEST)]?.closed !== null) t.fail('the honest peer was let go');
    await bench.stop();
  }
  t.pass('24 orders');
});

void t.test('metadata of tiny pieces is refused, and people are told why', async (t) => {
  const bench = await TorrentBench.start({ magnet: true, pieceLength: 60 });
  const peer = await bench.meet('10.0.0.10');
  peer.send(extendedHandshake({ m: { ut_metadata: OUR_ID }, metadata_size: bench.made.infoBytes.length }));
  await bench.clock.settle();
  reply(bench, peer, HONEST);
  await bench.clock.advance(100);
  const message = 'info.piece length: 60, expected at least 16384 in a torrent of several pieces';
  t.match(bench.facts, { hasMetadata: false, error: { code: 'TORRENT_INVALID', message } });
  t.equal(bench.store.infoBytes(bench.made.infoHash), undefined);
  await bench.stop();
});
