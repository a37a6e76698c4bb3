// Which files are wanted, brought to the disk, the peers, the trackers and people, whatever the torrent is doing.
import t from 'tap';
import { TORRENT_FLAGS, type TorrentFlag } from '../../../../shared-protocol/stats-table.js';
import { block, frame } from '../../../support/frames.js';
import type { MakeTorrentFile } from '../../../support/make-torrent.js';
import { seededBytes } from '../../../support/make-torrent.js';
import type { ScriptedPeer } from '../../../support/scripted-peer.js';
import { BLOCK_BYTES, PIECE_BYTES, piecesIn, TorrentBench, type BenchOptions } from './torrent-bench.js';

const [UNCHOKE, INTERESTED, NOT_INTERESTED, REQUEST, CANCEL, HAVE_ALL] = [1, 2, 3, 6, 8, 14];
const BITFIELD = 5;

/** a: piece 0 and half of 1; b: the other half and 2; empty: nothing; c: 3 and 4. */
const FILES: readonly MakeTorrentFile[] = [
  { path: ['a'], bytes: seededBytes(1, 1.5 * PIECE_BYTES) },
  { path: ['b'], bytes: seededBytes(2, 1.5 * PIECE_BYTES) },
  { path: ['empty'], bytes: new Uint8Array(0) },
  { path: ['c'], bytes: seededBytes(3, 2 * PIECE_BYTES) },
];
const [A, B, EMPTY, C] = [0, 1, 2, 3];
const NOTHING = { [A]: 'skip', [B]: 'skip', [EMPTY]: 'skip', [C]: 'skip' } as const;

const start = (options: BenchOptions = {}) => TorrentBench.start({ files: FILES, ...options });

const isOn = (bench: TorrentBench, flag: TorrentFlag): boolean => (bench.stats.flags & TORRENT_FLAGS[flag]) !== 0;
const pathOf = (file: number): string => `/save/payload/${FILES[file]!.path[0]}`;
const isOnDisk = (bench: TorrentBench, file: number): boolean => {
  const content = bench.disk.content(pathOf(file));
  return content !== null && Buffer.compare(content, FILES[file]!.bytes) === 0;
};

/** A seed that is interested in nothing; it answers when it is told to. */
async function meetSeed(bench: TorrentBench, fast = true): Promise<ScriptedPeer> {
  const peer = await bench.meet('10.0.0.7', fast ? {} : { fast: false });
  peer.send(fast ? frame(HAVE_ALL) : frame(BITFIELD, [], Buffer.of(0b1111_1000)), frame(UNCHOKE));
  await bench.clock.settle();
  return peer;
}

const answered = new WeakMap<ScriptedPeer, number>();

/** Serves every request so far that was not answered, for pieces that `serves` names. */
async function serve(bench: TorrentBench, peer: ScriptedPeer, serves = (_piece: number) => true): Promise<void> {
  for (let round = 0; round < 50; round++) {
    const requests = peer.frames.filter(({ id }) => id === REQUEST).slice(answered.get(peer) ?? 0);
    if (requests.length === 0) return;
    answered.set(peer, (answered.get(peer) ?? 0) + requests.length);
    for (const { payload } of requests) {
      const [piece, begin] = [payload.readUInt32BE(0), payload.readUInt32BE(4)];
      const at = piece * PIECE_BYTES + begin;
      if (serves(piece)) peer.send(block(piece, begin, bench.made.payload.subarray(at, at + BLOCK_BYTES)));
    }
    await bench.clock.advance(20);
    bench.session.checkInvariant();
  }
}

const interest = (peer: ScriptedPeer): number | undefined =>
  peer.frames.map(({ id }) => id).findLast((id) => id === INTERESTED || id === NOT_INTERESTED);

void t.test('a skipped file is not fetched, its half of a shared piece not put in its place', async (t) => {
  const bench = await start();
  await bench.torrent.edits.setFilePriorities({ [B]: 'skip', [EMPTY]: 'skip' });
  t.equal(bench.stats.wantedBytes, 3.5 * PIECE_BYTES);
  const seed = await meetSeed(bench);
  await serve(bench, seed);
  t.notOk(piecesIn(seed, REQUEST).includes(2), 'nobody is asked for what only the skipped file needs');
  t.ok(isOn(bench, 'completed'));
  t.equal(bench.stats.wantedDone, bench.stats.wantedBytes);
  t.equal(bench.stats.bytesDone, 4 * PIECE_BYTES);
  t.ok(isOnDisk(bench, A) && isOnDisk(bench, C));
  t.same([bench.disk.content(pathOf(B)), bench.disk.content(pathOf(EMPTY))], [null, null]);
  const completedAt = bench.facts?.completedAt;
  t.ok(completedAt);
  t.same(
    bench.tracker.announces.map(({ event }) => event),
    ['started', 'completed'],
    'something was downloaded',
  );

  await bench.clock.advance(5_000);
  await bench.torrent.edits.setFilePriorities({ [B]: 'high', [EMPTY]: 'normal' });
  bench.session.checkInvariant();
  t.notOk(isOn(bench, 'completed'), 'wanted again, and not there');
  t.equal(bench.facts?.completedAt, completedAt, 'the first completion');
  t.equal(bench.disk.content(pathOf(EMPTY))?.length, 0, 'empty files are there at once');
  t.equal(bench.disk.content(pathOf(B))?.length, BLOCK_BYTES, 'what was known of it is in its place');
  const again = bench.torrent.peerCount > 0 ? seed : await meetSeed(bench);
  await bench.clock.advance(1_000);
  t.equal(interest(again), INTERESTED);
  await serve(bench, again);
  t.ok(isOn(bench, 'completed') && isOnDisk(bench, B));
  t.equal(bench.facts?.completedAt, completedAt);
  await bench.clock.advance(1_000);
  t.equal(bench.tracker.announces.filter(({ event }) => event === 'completed').length, 1, 'trackers count it once');
  await bench.stop();
});

for (const fast of [true, false]) {
  void t.test(`skipped on its way, ${fast ? 'with' : 'without'} the fast extension`, async (t) => {
    const bench = await start();
    const seed = await meetSeed(bench, fast);
    await bench.clock.advance(20);
    const asked = piecesIn(seed, REQUEST).length;
    t.equal(asked, 10, 'all of it');
    await bench.torrent.edits.setFilePriorities({ [B]: 'skip', [C]: 'skip' });
    bench.session.checkInvariant();
    t.same([...new Set(piecesIn(seed, CANCEL))].sort(), [2, 3, 4]);
    t.equal(piecesIn(seed, CANCEL).length, 6);
    // It sends all of it nevertheless: those blocks had been on their way.
    await serve(bench, seed, (piece) => piece > 1);
    t.equal(seed.closed, null, 'and it is not blamed for it');
    answered.set(seed, 0);
    await serve(bench, seed, (piece) => piece <= 1);
    await bench.clock.advance(2_000);
    bench.session.checkInvariant();
    t.ok(isOn(bench, 'completed') && isOnDisk(bench, A));
    t.same([bench.disk.content(pathOf(B)), bench.disk.content(pathOf(C))], [null, null]);
    await bench.stop();
  });
}

void t.test('a peer that has only what is skipped is of no interest, until it is wanted', async (t) => {
  const bench = await start();
  const peer = await bench.meet('10.0.0.7');
  peer.send(frame(BITFIELD, [], Buffer.of(0b0001_1000)));
  await bench.clock.settle();
  t.equal(interest(peer), INTERESTED);
  await bench.torrent.edits.setFilePriorities({ [C]: 'skip' });
  await bench.clock.settle();
  t.equal(interest(peer), NOT_INTERESTED);
  await bench.torrent.edits.setFilePriorities({ [C]: 'high' });
  await bench.clock.settle();
  t.equal(interest(peer), INTERESTED);
  await bench.stop();
});

void t.test('a rejected request of a skipped piece gives its room back, and the piece can be had later', async (t) => {
  const bench = await start();
  const seed = await meetSeed(bench);
  await bench.clock.advance(20);
  await bench.torrent.edits.setFilePriorities({ [C]: 'skip' });
  const cancelled = seed.frames.filter(({ id }) => id === CANCEL);
  for (const { payload } of cancelled) seed.send(frame(16, [], payload));
  await bench.clock.advance(2_000);
  bench.session.checkInvariant();
  t.same(bench.session.health().slabUsedBytes, 3 * PIECE_BYTES, 'pieces 0, 1 and 2 are in progress');
  answered.set(seed, 10);
  await bench.torrent.edits.setFilePriorities({ [C]: 'max' });
  await bench.clock.advance(1_000);
  const again = piecesIn(seed, REQUEST).slice(10);
  t.same([...new Set(again)].sort(), [3, 4], 'asked for anew');
  await bench.stop();
});

void t.test('completed by skipping: no tracker hears of it when nothing was downloaded', async (t) => {
  const first = await start();
  await first.torrent.edits.setFilePriorities({ [B]: 'skip', [EMPTY]: 'skip', [C]: 'skip' });
  const seed = await meetSeed(first);
  await serve(first, seed);
  await first.torrent.edits.setFilePriorities({ [C]: 'normal' });
  t.notOk(isOn(first, 'completed'));
  const { store, disk } = first;
  await first.stop();

  const second = await start({ store, disk });
  t.notOk(isOn(second, 'completed'), 'as it was');
  await store.update(second.torrent.id, { completedAt: null });
  await second.stop();

  const third = await start({ store, disk });
  await third.torrent.edits.setFilePriorities({ [C]: 'skip' });
  t.ok(isOn(third, 'completed'));
  t.ok(third.facts?.completedAt);
  t.ok(store.row(third.torrent.id)?.completedAt, 'stored before it is answered');
  await third.clock.advance(1_000);
  t.same(
    third.tracker.announces.map(({ event }) => event),
    ['started'],
  );
  await third.stop();
});

void t.test('everything skipped: neither complete nor busy; then only an empty file', async (t) => {
  const bench = await start();
  await bench.torrent.edits.setFilePriorities({ [EMPTY]: 'skip' });
  const seed = await meetSeed(bench);
  await bench.torrent.edits.setFilePriorities(NOTHING);
  bench.session.checkInvariant();
  t.equal(bench.torrent.activity, 'stopped');
  t.notOk(isOn(bench, 'completed') || isOn(bench, 'paused') || isOn(bench, 'queued'));
  t.not(seed.closed, null);
  t.equal(bench.stats.wantedBytes, 0);
  await bench.torrent.edits.setFilePriorities({ [EMPTY]: 'normal' });
  t.ok(isOn(bench, 'completed'), 'all that is wanted is there');
  t.equal(bench.disk.content(pathOf(EMPTY))?.length, 0, 'although nobody is there to download from');
  await bench.torrent.edits.setFilePriorities({ [EMPTY]: 'skip', [C]: 'normal' });
  t.notOk(isOn(bench, 'completed'));
  t.equal(bench.torrent.activity, 'downloading');
  await bench.stop();
});

void t.test('paused, and nothing open: stored, measured, known after a restart', async (t) => {
  const first = await start();
  await first.torrent.setPaused(true);
  await first.torrent.edits.setFilePriorities({ [A]: 'high', [B]: 'skip' });
  t.equal(first.torrent.activity, 'stopped');
  t.equal(first.stats.wantedBytes, 3.5 * PIECE_BYTES);
  const { store, disk } = first;
  t.equal(store.resume(first.torrent.id)?.wantedBytes, 3.5 * PIECE_BYTES, 'also what is recorded of its progress');
  // Not stopped in order: what was answered is durable.
  const second = await start({ store, disk });
  t.equal(second.stats.wantedBytes, 3.5 * PIECE_BYTES);
  t.same(
    second.torrent.details(['files']).files?.map(({ priority }) => priority),
    ['high', 'skip', 'normal', 'normal'],
  );
  t.ok(isOn(second, 'paused'));
  await second.stop();
  // Ended between the row and the record of progress.
  const { id } = second.torrent;
  await store.putResume(new Map([[id, { ...store.resume(id)!, wantedBytes: 5 * PIECE_BYTES }]]));
  const third = await start({ store, disk });
  t.equal(third.stats.wantedBytes, 3.5 * PIECE_BYTES);
  await third.stop();
  await first.stop();
});

void t.test('an index that names no file changes nothing', async (t) => {
  const bench = await start();
  await t.rejects(bench.torrent.edits.setFilePriorities({ [A]: 'skip', 4: 'skip' }), {
    code: 'FILE_INDEX_INVALID',
    message: 'priorities: no file 4',
  });
  t.equal(bench.stats.wantedBytes, 5 * PIECE_BYTES);
  t.equal(bench.store.row(bench.torrent.id)?.filePriorities, null);
  await bench.stop();
});

void t.test('while it is checked: the check finds what is there, progress is that of the new choice', async (t) => {
  const bench = await start();
  const seed = await meetSeed(bench);
  await serve(bench, seed);
  t.ok(isOn(bench, 'completed'));
  bench.disk.remove(pathOf(C));
  await bench.torrent.recheck();
  t.ok(isOn(bench, 'verifying'));
  await bench.torrent.edits.setFilePriorities({ [C]: 'skip' });
  await bench.clock.advance(1_000);
  bench.session.checkInvariant();
  t.notOk(isOn(bench, 'verifying'));
  t.ok(isOn(bench, 'completed'), 'what is wanted is there');
  t.equal(bench.stats.bytesDone, 3 * PIECE_BYTES);

  await bench.torrent.edits.setFilePriorities({ [C]: 'normal' });
  await bench.clock.advance(1_000);
  t.notOk(isOn(bench, 'completed'));
  await bench.stop();
});

void t.test('a skipped file that somebody removed is looked for when it is wanted again', async (t) => {
  const bench = await start();
  const seed = await meetSeed(bench);
  await serve(bench, seed);
  await bench.torrent.edits.setFilePriorities({ [C]: 'skip' });
  t.ok(isOnDisk(bench, C), 'a skipped file that exists stays');
  bench.disk.remove(pathOf(C));
  t.ok(isOn(bench, 'completed'));
  await bench.torrent.edits.setFilePriorities({ [C]: 'normal' });
  await bench.clock.advance(1_000);
  bench.session.checkInvariant();
  t.notOk(isOn(bench, 'completed'), 'it is not taken for there');
  t.notOk(isOn(bench, 'filesMissing'));
  t.equal(bench.stats.bytesDone, 3 * PIECE_BYTES);
  await bench.stop();
});

void t.test('a disk that is full keeps the bytes where they are until it is not', async (t) => {
  const bench = await start();
  await bench.torrent.edits.setFilePriorities({ [B]: 'skip', [C]: 'skip' });
  const seed = await meetSeed(bench);
  await serve(bench, seed);
  bench.disk.spaceLeftBytes = 0;
  await bench.torrent.edits.setFilePriorities({ [B]: 'normal' });
  t.equal(bench.facts?.error?.code, 'DISK_FULL');
  t.notOk(isOn(bench, 'completed'), 'it is wanted all the same');
  t.equal(bench.disk.content(pathOf(B)), null);
  bench.disk.spaceLeftBytes = Infinity;
  await bench.clock.advance(31_000);
  t.equal(bench.facts?.error, null);
  t.equal(bench.disk.content(pathOf(B))?.length, BLOCK_BYTES);
  await bench.stop();
});

void t.test('earliest first, from the next request on', async (t) => {
  const bench = await TorrentBench.start({ pieces: 60 });
  const seed = await meetSeed(bench);
  await bench.torrent.edits.setSequential(true);
  const before = piecesIn(seed, REQUEST).length;
  await serve(bench, seed);
  const order = [...new Set(piecesIn(seed, REQUEST).slice(before))];
  t.ok(order.length > 20, `${order.length} pieces were asked for since`);
  t.same(
    order,
    [...order].sort((a, b) => a - b),
  );
  await bench.stop();
});
