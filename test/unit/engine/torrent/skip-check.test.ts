// Files that are taken on trust: when they are, what strangers get of them (nothing that was not hashed), what is left of the
// trust when they are others, and what the next run knows. First what somebody could do with it.
import t from 'tap';
import { ADMIN_ACCOUNT_ID } from '../../../../shared-protocol/ids.js';
import { extended, extendedHandshake, frame, request } from '../../../support/frames.js';
import { seededBytes, type MakeTorrentFile } from '../../../support/make-torrent.js';
import { MemoryDisk } from '../../../support/memory-disk.js';
import type { ScriptedPeer } from '../../../support/scripted-peer.js';
import { BLOCK_BYTES, extensionsIn, PIECE_BYTES, TorrentBench, type BenchOptions } from './torrent-bench.js';
import bencode from 'bencode';

const [INTERESTED, PIECE, HAVE_ALL, HAVE_NONE] = [2, 7, 14, 15];
const PIECES = 5;
/** a: piece 0 and half of 1; b: the other half and 2; c: 3 and 4. */
const FILES: readonly MakeTorrentFile[] = [
  { path: ['a'], bytes: seededBytes(1, 1.5 * PIECE_BYTES) },
  { path: ['b'], bytes: seededBytes(2, 1.5 * PIECE_BYTES) },
  { path: ['c'], bytes: seededBytes(3, 2 * PIECE_BYTES) },
];
const MINUTE_MS = 60_000;
const FUTURE_MS = 10 ** 15;

/** Files as they should be; by name what they hold instead, null: nothing at all. */
function diskWith(instead: Readonly<Record<string, Uint8Array | null>> = {}): MemoryDisk {
  const disk = new MemoryDisk();
  for (const { path, bytes } of FILES) {
    const content = path[0]! in instead ? instead[path[0]!]! : bytes;
    if (content) disk.put(`/save/payload/${path[0]!}`, 0, content);
  }
  return disk;
}

/** The pieces that were hashed, in their order. */
function watchHashing(disk: MemoryDisk): { count: number } {
  const hashed = { count: 0 };
  const { hashPieces } = disk.hasher;
  Object.assign(disk.hasher, {
    hashPieces: (pieces: Parameters<typeof hashPieces>[0]) => {
      hashed.count += pieces.length;
      return hashPieces(pieces);
    },
  });
  return hashed;
}

const start = (options: BenchOptions = {}) => TorrentBench.start({ files: FILES, skipCheck: true, ...options });
const trustedOf = (bench: TorrentBench) => bench.store.resume(bench.made.infoHash)?.trusted;

/** A peer without anything, unchoked. */
async function meetLeecher(bench: TorrentBench, host = '10.0.0.9'): Promise<ScriptedPeer> {
  const peer = await bench.meet(host);
  peer.send(frame(HAVE_NONE), frame(INTERESTED));
  await bench.clock.advance(11_000);
  return peer;
}

const blocksOf = (peer: ScriptedPeer) =>
  peer.frames
    .filter(({ id }) => id === PIECE)
    .map(({ payload }) => ({
      at: payload.readUInt32BE(0) * PIECE_BYTES + payload.readUInt32BE(4),
      bytes: payload.subarray(8),
    }));

void t.test(
  'of a file of the right size with other bytes nobody gets one, and then all of it is checked',
  async (t) => {
    const disk = diskWith({ b: seededBytes(77, 1.5 * PIECE_BYTES) });
    const bench = await start({ disk });
    t.ok(bench.isComplete, 'so far it is trusted');
    const peer = await meetLeecher(bench);
    t.ok(peer.frames.some(({ id }) => id === HAVE_ALL));
    for (const piece of [1, 2]) peer.send(request(piece, 0, BLOCK_BYTES), request(piece, BLOCK_BYTES, BLOCK_BYTES));
    await bench.clock.advance(1_000);
    t.same(blocksOf(peer), []);
    t.notOk(bench.isComplete);
    t.same(bench.stats.bytesDone, 3 * PIECE_BYTES, 'what is right stays');
    t.equal(bench.store.row(bench.made.infoHash)?.completedAt, null);
    t.not(peer.closed, null, 'it was let go while it was checked');
    const again = await meetLeecher(bench, '10.0.0.10');
    again.send(request(0, 0, BLOCK_BYTES));
    await bench.clock.advance(1_000);
    t.equal(blocksOf(again).length, 1);
    await bench.clock.advance(60_000);
    t.notOk(trustedOf(bench), 'all of it has been hashed');
    await bench.stop();
  },
);

void t.test('nor does who reads the file over HTTP', async (t) => {
  const bench = await start({ disk: diskWith({ b: seededBytes(77, 1.5 * PIECE_BYTES) }) });
  const reader = (index: number) => bench.torrent.openFile({ index, accountId: ADMIN_ACCOUNT_ID, by: undefined });
  const ofC = reader(2);
  const reading = ofC.read({ from: 0, count: 2 * PIECE_BYTES, until: 2 * PIECE_BYTES });
  await bench.clock.advance(100);
  const first = await reading;
  t.ok(first.length > 0 && Buffer.compare(first, FILES[2]!.bytes.subarray(0, first.length)) === 0);
  const ofB = reader(1).read({ from: 0, count: 100, until: 100 });
  const refused = t.rejects(ofB, { code: 'FILE_UNAVAILABLE' });
  await bench.clock.advance(6_000);
  await refused;
  await bench.stop();
});

void t.test('each piece is hashed once, before its first byte goes out, however many ask for it', async (t) => {
  const disk = diskWith();
  const hashed = watchHashing(disk);
  const bench = await start({ disk });
  t.equal(hashed.count, 0);
  const peers = [await meetLeecher(bench), await meetLeecher(bench, '10.0.0.10')];
  t.equal(hashed.count, 0, 'nothing was asked for');
  for (const peer of peers)
    for (let piece = 0; piece < PIECES; piece++)
      peer.send(request(piece, 0, BLOCK_BYTES), request(piece, BLOCK_BYTES, BLOCK_BYTES));
  await bench.clock.advance(5_000);
  t.equal(hashed.count, PIECES);
  for (const peer of peers) {
    const blocks = blocksOf(peer);
    t.equal(blocks.length, 2 * PIECES);
    for (const { at, bytes } of blocks) {
      if (Buffer.compare(bytes, bench.made.payload.subarray(at, at + BLOCK_BYTES)) !== 0)
        t.fail(`other bytes at ${at}`);
    }
  }
  await bench.clock.advance(40_000);
  t.notOk(trustedOf(bench), 'all of it is verified by now, and recorded so');
  await bench.stop();
});

const UNFIT: readonly (readonly [what: string, disk: () => MemoryDisk])[] = [
  ['a file that is not there', () => diskWith({ b: null })],
  ['a shorter one', () => diskWith({ c: FILES[2]!.bytes.subarray(1) })],
  ['a longer one', () => diskWith({ a: Buffer.concat([FILES[0]!.bytes, Buffer.of(0)]) })],
  [
    'one of the future',
    () => {
      const disk = diskWith({ c: seededBytes(5, 2 * PIECE_BYTES) });
      disk.file('/save/payload/c')!.mtimeMs = FUTURE_MS;
      return disk;
    },
  ],
  ['nothing', () => new MemoryDisk()],
];

for (const [what, disk] of UNFIT)
  void t.test(`it is checked as usual with ${what}`, async (t) => {
    const own = disk();
    const hashed = watchHashing(own);
    const bench = await start({ disk: own });
    t.equal(hashed.count, what === 'nothing' ? 0 : PIECES);
    t.equal(bench.isComplete, what === 'a longer one', 'as it was found');
    t.equal(bench.store.row(bench.made.infoHash)?.skipCheck, null, 'and never trusted later');
    t.notOk(trustedOf(bench));
    await bench.clock.advance(40_000);
    const done = what === 'nothing' ? 0 : 1;
    t.equal(Math.sign(bench.stats.bytesDone), done, 'what is right was found');
    await bench.stop();
  });

void t.test('only wanted files have to be there; pieces that lie in others too are fetched', async (t) => {
  const bench = await start({ disk: diskWith({ b: null }), priorities: ['normal', 'skip', 'normal'] });
  t.same(bench.stats.bytesDone, 3 * PIECE_BYTES);
  t.same([...(trustedOf(bench) ?? [])], [0b1001_1000]);
  t.notOk(bench.isComplete, 'half of piece 1 is not there');
  await bench.stop();
});

void t.test('the next run goes on without a check, after an end at any moment, and still hashes first', async (t) => {
  const disk = diskWith();
  const hashed = watchHashing(disk);
  const first = await start({ disk });
  const { store } = first;
  t.match(store.row(first.made.infoHash), {
    skipCheck: null,
    completedAt: Math.floor(first.clock.unixMs() / 1000) - 0,
  });
  t.same([...(trustedOf(first) ?? [])], [0b1111_1000], 'in the write that says so');
  // An end that is not in order: the first run is simply left.
  const second = await start({ disk, store });
  t.ok(second.isComplete);
  const sampled = hashed.count;
  const peer = await meetLeecher(second);
  peer.send(request(3, 0, BLOCK_BYTES));
  await second.clock.advance(1_000);
  t.equal(blocksOf(peer).length, 1);
  t.ok(hashed.count > sampled, 'hashed now');
  await second.stop();
  t.same([...(trustedOf(second) ?? [])], [0b1110_1000]);

  const third = await start({ disk, store });
  t.ok(third.isComplete);
  await third.torrent.recheck();
  await third.clock.advance(1_000);
  t.ok(third.isComplete);
  await third.stop();
  t.notOk(trustedOf(third), 'a check proves all of it');
});

void t.test('a file that is written to between two runs is no longer trusted', async (t) => {
  const disk = diskWith();
  const first = await start({ disk });
  await first.stop();
  disk.put('/save/payload/c', 0, seededBytes(9, 2 * PIECE_BYTES));
  disk.file('/save/payload/c')!.mtimeMs = 5;
  const second = await start({ disk, store: first.store });
  await second.clock.advance(1_000);
  t.same(second.stats.bytesDone, 3 * PIECE_BYTES);
  await second.stop();
});

void t.test('what nobody asks for is hashed after a while all the same, but not of one that is paused', async (t) => {
  const disk = diskWith();
  const hashed = watchHashing(disk);
  const bench = await start({ disk });
  await bench.clock.advance(9 * MINUTE_MS);
  t.equal(hashed.count, 0, 'a start has other things to do');
  await bench.torrent.setPaused(true);
  await bench.clock.advance(3 * MINUTE_MS);
  t.equal(hashed.count, 0);
  await bench.torrent.setPaused(false);
  await bench.clock.advance(2 * MINUTE_MS);
  t.equal(hashed.count, PIECES);
  await bench.clock.advance(5 * MINUTE_MS);
  t.equal(hashed.count, PIECES, 'once');
  await bench.stop();
  t.notOk(trustedOf(bench));
});

void t.test('the background finds files that are others', async (t) => {
  const bench = await start({ disk: diskWith({ c: seededBytes(78, 2 * PIECE_BYTES) }) });
  t.ok(bench.isComplete);
  await bench.clock.advance(11 * MINUTE_MS);
  t.notOk(bench.isComplete);
  t.equal(bench.stats.bytesDone, 3 * PIECE_BYTES);
  await bench.stop();
});

void t.test('it stops after the check that was left out', async (t) => {
  const bench = await start({ disk: diskWith(), stopAfter: 'check' });
  t.ok(bench.isComplete);
  t.match(bench.store.row(bench.made.infoHash), { paused: true, stopAfter: null });
  await bench.stop();
});

void t.test('a magnet trusts what lies there when its metadata comes', async (t) => {
  const disk = diskWith();
  const hashed = watchHashing(disk);
  const bench = await start({ disk, magnet: true });
  const peer = await bench.meet('10.0.0.7');
  peer.send(extendedHandshake({ m: { ut_metadata: 5 }, metadata_size: bench.made.infoBytes.length }));
  await bench.clock.settle();
  const head = bencode.encode({ msg_type: 1, piece: 0, total_size: bench.made.infoBytes.length });
  peer.send(extended(extensionsIn(peer)['ut_metadata'] ?? 0, Buffer.concat([head, bench.made.infoBytes])));
  await bench.clock.advance(100);
  t.ok(bench.isComplete);
  t.equal(hashed.count, 0);
  t.same([...(trustedOf(bench) ?? [])], [0b1111_1000]);
  await bench.stop();
});
