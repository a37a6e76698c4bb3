// Super-seeding as peers see it: nothing at first, then one piece after the other, whatever they speak; and everything
// once it ends, at once.
import t from 'tap';
import { Bitfield } from '../../../../../engine/torrent/pieces/bitfield.js';
import { frame, request } from '../../../../support/frames.js';
import type { ScriptedPeer } from '../../../../support/scripted-peer.js';
import { BLOCK_BYTES, piecesIn, TorrentBench } from '../torrent-bench.js';

const [UNCHOKE, INTERESTED, HAVE, BITFIELD, PIECE] = [1, 2, 4, 5, 7];
const [HAVE_ALL, HAVE_NONE, REJECT, ALLOWED_FAST] = [14, 15, 16, 17];
const PIECES = 8;

const ids = (peer: ScriptedPeer): number[] => peer.frames.map(({ id }) => id);
const haves = (peer: ScriptedPeer): number[] => piecesIn(peer, HAVE);

async function superSeed(): Promise<TorrentBench> {
  const bench = await TorrentBench.start({ has: 'all' });
  await bench.torrent.edits.setSuperSeeding(true);
  return bench;
}

async function ask(bench: TorrentBench, peer: ScriptedPeer, piece: number): Promise<void> {
  peer.send(request(piece, 0, BLOCK_BYTES));
  await bench.clock.settle();
}

async function comeWanting(bench: TorrentBench, host: string, fast = true): Promise<ScriptedPeer> {
  const peer = await bench.meet(host, { fast });
  peer.send(...(fast ? [frame(HAVE_NONE)] : []), frame(INTERESTED));
  await bench.clock.advance(10_000);
  return peer;
}

void t.test(
  'one piece is all that a peer is told of, and may fetch; the next comes when it was passed on',
  async (t) => {
    const bench = await superSeed();
    const ann = await comeWanting(bench, '60.7.1.2');
    const bob = await comeWanting(bench, '61.7.1.2', false);
    t.ok(ids(ann).includes(HAVE_NONE));
    for (const peer of [ann, bob]) {
      t.ok(ids(peer).includes(UNCHOKE));
      t.equal(haves(peer).length, 1);
      for (const id of [HAVE_ALL, BITFIELD, ALLOWED_FAST]) t.notOk(ids(peer).includes(id), `no ${id}`);
      t.notOk('upload_only' in (peer.extendedHandshake as object));
    }
    const [mine = -1] = haves(ann);
    t.not(mine, haves(bob)[0]);
    await ask(bench, ann, (mine + 1) % PIECES);
    t.same(piecesIn(ann, REJECT), [(mine + 1) % PIECES]);
    await ask(bench, ann, mine);
    t.same(piecesIn(ann, PIECE), [mine]);
    ann.send(frame(HAVE, [mine]));
    await bench.clock.settle();
    t.equal(haves(ann).length, 1);
    bob.send(frame(HAVE, [mine]));
    await bench.clock.settle();
    t.equal(haves(ann).length, 2);
    t.equal(haves(bob).length, 1);
    await bench.stop();
  },
);

void t.test(
  'when it ends peers are told of the rest and may fetch it at once; who was here before knew it all',
  async (t) => {
    const bench = await TorrentBench.start({ has: 'all' });
    const early = await comeWanting(bench, '60.7.1.2');
    await bench.torrent.edits.setSuperSeeding(true);
    const late = await comeWanting(bench, '61.7.1.2');
    t.ok(ids(early).includes(HAVE_ALL));
    t.equal(haves(early).length, 0);
    const [first = -1] = haves(late);
    await bench.torrent.edits.setSuperSeeding(false);
    await bench.clock.settle();
    t.same(
      haves(late).sort((a, b) => a - b),
      Array.from({ length: PIECES }, (_, piece) => piece),
      'each once',
    );
    await ask(bench, late, (first + 1) % PIECES);
    t.same(piecesIn(late, PIECE), [(first + 1) % PIECES]);
    t.ok(ids(await comeWanting(bench, '62.7.1.2')).includes(HAVE_ALL));
    await bench.stop();
  },
);

void t.test('of a torrent that is not whole nothing is held back; it begins with the last piece', async (t) => {
  const bench = await TorrentBench.start();
  await bench.torrent.edits.setSuperSeeding(true);
  const seed = await bench.meet('60.7.1.2');
  const full = new Bitfield(PIECES);
  full.fill();
  seed.send(frame(BITFIELD, [], full.bytes), frame(UNCHOKE));
  const leech = await comeWanting(bench, '61.7.1.2');
  await bench.clock.settle();
  const answered = new Set<string>();
  for (let round = 0; round < 200 && !bench.isComplete; round++) {
    for (const { id, payload } of seed.frames) {
      if (id !== 6) continue;
      const [piece, begin] = [payload.readUInt32BE(0), payload.readUInt32BE(4)];
      if (answered.has(`${piece} ${begin}`)) continue;
      answered.add(`${piece} ${begin}`);
      seed.send(frame(PIECE, [piece, begin], bench.blockAt(piece, begin)));
    }
    await bench.clock.advance(100);
  }
  t.ok(bench.isComplete);
  t.equal(haves(leech).length, PIECES, 'it was told of each');
  const late = await comeWanting(bench, '62.7.1.2');
  t.equal(haves(late).length, 1);
  await bench.stop();
});

void t.test('it is kept, and is over a restart as it was', async (t) => {
  const bench = await superSeed();
  t.equal(bench.facts?.superSeeding, true);
  t.equal(bench.store.row(bench.torrent.id)?.superSeeding, true);
  await bench.stop();
  const again = await TorrentBench.start({ store: bench.store, disk: bench.disk });
  t.equal(haves(await comeWanting(again, '60.7.1.2')).length, 1);
  await again.stop();
});
