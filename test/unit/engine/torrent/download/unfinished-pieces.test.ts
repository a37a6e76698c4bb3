// Blocks of unfinished pieces outlive a pause and an orderly end, and nobody is blamed for them.
import t from 'tap';
import { createMemoryTorrentStore } from '../../../../support/memory-torrent-store.js';
import { block, frame } from '../../../../support/frames.js';
import { MemoryDisk } from '../../../../support/memory-disk.js';
import type { ScriptedPeer } from '../../../../support/scripted-peer.js';
import { BLOCK_BYTES, PIECE_BYTES, TorrentBench } from '../torrent-bench.js';

const [UNCHOKE, REQUEST, HAVE_ALL] = [1, 6, 14];
const PIECES = 4;
const PATH = '/save/payload';

async function meetSeed(bench: TorrentBench, host = '10.0.0.7'): Promise<ScriptedPeer> {
  const peer = await bench.meet(host);
  peer.send(frame(HAVE_ALL), frame(UNCHOKE));
  await bench.clock.settle();
  return peer;
}

const requests = (peer: ScriptedPeer): string[] =>
  peer.frames
    .filter(({ id }) => id === REQUEST)
    .map(({ payload }) => `${payload.readUInt32BE(0)}:${payload.readUInt32BE(4)}`);

async function serve(bench: TorrentBench, peer: ScriptedPeer, wanted: (key: string) => boolean): Promise<void> {
  let answered = 0;
  for (let round = 0; round < 20; round++) {
    const asked = requests(peer).slice(answered);
    answered += asked.length;
    for (const key of asked) {
      if (!wanted(key)) continue;
      const [piece = 0, begin = 0] = key.split(':').map(Number);
      peer.send(block(piece, begin, bench.blockAt(piece, begin)));
    }
    await bench.clock.advance(20);
    bench.session.checkInvariant();
  }
}

const isFirstHalf = (key: string): boolean => key.endsWith(':0');

/** The first half of every piece is here, and on disk by an orderly end. */
async function half() {
  const kept = { disk: new MemoryDisk(), store: createMemoryTorrentStore(), pieces: PIECES };
  const bench = await TorrentBench.start(kept);
  await serve(bench, await meetSeed(bench), isFirstHalf);
  t.equal(bench.stats.bytesDone, 0);
  return { ...kept, bench };
}

void t.test('after an orderly end only the other blocks are fetched', async (t) => {
  const { bench, ...kept } = await half();
  const { id } = bench.torrent;
  const syncs = kept.disk.syncs;
  await bench.stop();
  t.ok(kept.disk.syncs > syncs, 'recorded behind a sync');
  const partial = kept.store.resume(id)?.partial ?? [];
  t.same(partial.map(({ piece }) => piece).sort(), [0, 1, 2, 3]);
  t.ok(partial.every(({ blocks }) => blocks[0] === 0x80));
  const saved = kept.disk.content(PATH)?.subarray(PIECE_BYTES, PIECE_BYTES + BLOCK_BYTES) ?? Buffer.alloc(0);
  t.equal(Buffer.compare(saved, bench.blockAt(1, 0)), 0);

  const next = await TorrentBench.start(kept);
  t.equal(next.stats.bytesDone, 0, 'nothing is claimed of them');
  const seed = await meetSeed(next);
  await serve(next, seed, () => true);
  t.ok(next.isComplete);
  t.notOk(requests(seed).some(isFirstHalf));
  t.equal(next.stats.totalDown, (2 * PIECES * PIECE_BYTES) / 2, 'over both lives');
  await next.stop();
  t.equal(kept.store.resume(id)?.partial, undefined);
});

void t.test(
  'blocks that went bad: the piece is fetched anew, the peer that sent the rest is not to blame',
  async (t) => {
    const { bench, ...kept } = await half();
    await bench.stop();
    kept.disk.put(PATH, 10, Uint8Array.of(1, 2, 3));
    const next = await TorrentBench.start(kept);
    // Of the check that the changed file would bring, nothing: its times are as they were.
    const seed = await meetSeed(next);
    await serve(next, seed, () => true);
    t.equal((await next.meet('10.0.0.7')).closed, null, 'it may come again');
    t.ok(requests(seed).includes('0:0'), 'both halves');
    t.ok(next.isComplete);
    t.equal(Buffer.compare(kept.disk.content(PATH) ?? Buffer.alloc(0), next.made.payload), 0);
    await next.stop();
  },
);

void t.test('a pause keeps them too', async (t) => {
  const { bench } = await half();
  await bench.torrent.setPaused(true);
  await bench.clock.advance(100);
  await bench.torrent.setPaused(false);
  const seed = await meetSeed(bench, '10.0.0.8');
  await serve(bench, seed, () => true);
  t.ok(bench.isComplete);
  t.notOk(requests(seed).some(isFirstHalf));
  await bench.stop();
});

void t.test('a disk that takes none: nothing is kept, and it ends all the same', async (t) => {
  const { bench, ...kept } = await half();
  kept.disk.spaceLeftBytes = 0;
  await bench.stop();
  t.same(kept.store.resume(bench.torrent.id)?.partial ?? [], []);
});
