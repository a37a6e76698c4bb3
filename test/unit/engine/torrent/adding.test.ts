// What is wanted of a torrent from its beginning: refused before anything is stored, stored with the torrent in one write,
// each holder's own, and where it stops by itself.
import t from 'tap';
import type { AddTorrentParams, AddingWishes, TorrentSource } from '../../../../shared-protocol/commands/adding.js';
import { ADMIN_ACCOUNT_ID, parseAccountId } from '../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../../shared-protocol/library-record.js';
import { createMemoryTorrentStore } from '../../../support/memory-torrent-store.js';
import type { TorrentRow, TorrentStore } from '../../../../storage/types.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';
import { Bench, PIECE, torrent } from '../session/engine-bench.js';

const [ANN, BOB] = [parseAccountId(2), parseAccountId(3)];
const FILES = ['a', 'b', 'c'].map((name, seed) => ({ path: [name], bytes: seededBytes(seed + 1, 2 * PIECE) }));
const made = makeTorrent({ name: 'wished', pieceLength: PIECE, files: FILES });
const id = made.infoHash;
const file: TorrentSource = { kind: 'metainfo', bytes: made.torrentBytes };
const magnet: TorrentSource = { kind: 'magnet', uri: `magnet:?xt=urn:btih:${id}&dn=heard` };
const LIMITS = { downBytesPerSec: 1024, upBytesPerSec: 2048 };
const RECORD = { ...NEW_LIBRARY_RECORD, tagIds: [3], seedPolicy: { ratioLimit: 1, minutesLimit: null } };

/** Notes each write of a row. */
class WatchedStore {
  readonly writes: string[] = [];
  readonly store = createMemoryTorrentStore();

  constructor() {
    const { store, writes } = this;
    for (const name of ['insert', 'update', 'change'] as const) {
      const real = store[name].bind(store) as (...args: unknown[]) => Promise<void>;
      Object.assign(store, { [name]: (...args: unknown[]) => (writes.push(name), real(...args)) });
    }
  }
}

const add = (bench: Bench, source: TorrentSource, wishes: Partial<AddTorrentParams> = {}) =>
  bench.engine.addTorrent({ source, savePath: '/save', ownerId: ANN, paused: false, ...wishes });
const join = (bench: Bench, source: TorrentSource, wishes: AddingWishes = {}) =>
  bench.engine.joinTorrent({ source, savePath: '/save', ownerId: BOB, paused: false, ...wishes });
const prioritiesOf = async (bench: Bench, by = ANN) =>
  (await bench.engine.inspectTorrent({ id, parts: ['files'], by })).files?.map(({ priority }) => priority);

async function start(store?: TorrentStore, disk?: Bench['disk']): Promise<Bench> {
  const bench = new Bench(store, disk);
  await bench.start();
  return bench;
}

void t.test('all of it is in the one write that adds the torrent', async (t) => {
  const watched = new WatchedStore();
  const bench = await start(watched.store);
  await add(bench, file, {
    firstLastFirst: true,
    forceStart: true,
    rateLimits: LIMITS,
    filePriorities: { 0: 'skip', 2: 'max' },
    library: RECORD,
    paused: true,
  });
  t.same(watched.writes, ['insert']);
  t.match(bench.store.row(id), {
    firstLastFirst: true,
    forceStart: true,
    rateLimits: LIMITS,
    filePriorities: ['skip', 'normal', 'max'],
    library: RECORD,
    paused: true,
  });
  t.same(await prioritiesOf(bench), ['skip', 'normal', 'max']);
  t.same(await bench.engine.torrentRateLimits({ id }), LIMITS);
  t.equal(bench.statsOf(id).wantedBytes, 4 * PIECE);
  await bench.stop();
});

void t.test('priorities that name no file are refused, and nothing is stored', async (t) => {
  const bench = await start();
  const refused = async (source: TorrentSource, filePriorities: Record<number, 'skip'>, message: string) => {
    await t.rejects(async () => add(bench, source, { filePriorities }), { code: 'FILE_INDEX_INVALID', message });
    t.equal(bench.store.row(id), undefined);
  };
  await refused(file, { 3: 'skip' }, 'file_priorities: no file 3');
  await refused(magnet, { 9_000_000: 'skip' }, 'file_priorities: no file 9000000');
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [i, 'skip' as const]));
  await refused(magnet, many, 'file_priorities: more than 1000 files while the metadata is unknown');
  await bench.stop();
});

void t.test('what a magnet is added with holds when its metadata comes; other indexes name nothing', async (t) => {
  const bench = await start();
  await add(bench, magnet, { filePriorities: { 1: 'skip', 70: 'max' } });
  t.same(bench.store.row(id)?.pendingPriorities, { 1: 'skip', 70: 'max' });
  // Here it comes with the file of one who joins, who wants other files.
  await join(bench, file, { filePriorities: { 1: 'high', 2: 'skip' }, rateLimits: LIMITS, firstLastFirst: true });
  t.same(await prioritiesOf(bench, ANN), ['normal', 'skip', 'normal']);
  t.same(await prioritiesOf(bench, BOB), ['normal', 'high', 'skip']);
  t.match(bench.store.row(id), { filePriorities: ['normal', 'high', 'normal'], firstLastFirst: true });
  t.same(await bench.engine.torrentRateLimits({ id, by: ANN }), { downBytesPerSec: 0, upBytesPerSec: 0 });
  await bench.stop();
});

void t.test('one who joins asks for its own share, with a file or a magnet, and never for the queue', async (t) => {
  for (const source of [file, magnet]) {
    const bench = await start();
    const first = await bench.add(torrent(1).torrentBytes);
    await add(bench, file, { filePriorities: { 0: 'skip' } });
    const beyond = source === magnet ? ({ 50: 'max' } as const) : {};
    await join(bench, source, { filePriorities: { 0: 'skip', 1: 'skip', ...beyond }, isFirstInQueue: true });
    t.same(await prioritiesOf(bench, ANN), ['skip', 'normal', 'normal'], 'not changed by another');
    t.same(await prioritiesOf(bench, BOB), ['skip', 'skip', 'normal']);
    t.same([first.id, id].map((each) => bench.statsOf(each).queuePosition), [0, 1]); // prettier-ignore
    t.same(bench.store.row(id)?.holders?.map(({ pendingPriorities }) => pendingPriorities), [null, null]); // prettier-ignore
    await bench.stop();
  }
});

void t.test('those that are to be first in the queue come before all others, and stay there', async (t) => {
  const bench = await start();
  const [one, two, three] = await Promise.all([1, 2, 3].map((seed) => bench.add(torrent(seed).torrentBytes)));
  const first = (seed: number) =>
    add(bench, { kind: 'metainfo', bytes: torrent(seed).torrentBytes }, { isFirstInQueue: true });
  const [four, five] = await Promise.all([first(4), first(5)]);
  const order = (of: Bench) =>
    [one, two, three, four, five]
      .sort((a, b) => of.statsOf(a!.id).queuePosition - of.statsOf(b!.id).queuePosition)
      .map((added) => [one, two, three, four, five].indexOf(added) + 1);
  const before = order(bench);
  t.same(before.slice(2), [1, 2, 3]);
  t.same(before.slice(0, 2).sort(), [4, 5]);
  await bench.stop();
  const again = await start(bench.store, bench.disk);
  t.same(order(again), before);
  await again.stop();
});

void t.test('it stops with its metadata: in the write that stores them', async (t) => {
  const bench = await start();
  await add(bench, magnet, { stopAfter: 'metadata' });
  t.match(bench.store.row(id), { paused: false, stopAfter: 'metadata' });
  await join(bench, file, { stopAfter: 'metadata' });
  t.match(bench.store.row(id), { paused: true, stopAfter: null, holders: [{ paused: true }, { paused: true }] });
  t.ok(bench.hasFlag(id, 'paused'));
  await bench.stop();

  const known = await start();
  await add(known, file, { stopAfter: 'metadata' });
  t.match(known.store.row(id), { paused: true }, 'a torrent file has them');
  t.notOk(known.store.row(id)?.stopAfter);
  await known.stop();
});

void t.test('of several only who was to stop does', async (t) => {
  const bench = await start();
  await add(bench, magnet, { stopAfter: 'metadata' });
  await join(bench, file);
  t.match(bench.store.row(id)?.holders, [{ paused: true }, { paused: false }]);
  t.notOk(bench.hasFlag(id, 'paused'));
  await bench.stop();
});

void t.test('it stops after its check, whatever that finds', async (t) => {
  const found = await start();
  for (const [name, bytes] of [['a', 0], ['b', 1], ['c', 2]] as const)
    found.disk.put(`/save/wished/${name}`, 0, FILES[bytes]!.bytes); // prettier-ignore
  await add(found, file, { stopAfter: 'check' });
  t.notOk(found.hasFlag(id, 'paused'), 'it is to be checked first');
  await found.clock.advance(1_000);
  t.ok(found.hasFlag(id, 'paused') && found.hasFlag(id, 'completed'));
  t.match(found.store.row(id), { paused: true, stopAfter: null });
  t.same(found.tracker.said, [], 'it was never announced');
  await found.engine.resumeTorrent({ id });
  t.notOk(found.hasFlag(id, 'paused'));
  await found.stop();

  const nothing = await start();
  await add(nothing, file, { stopAfter: 'check' });
  await nothing.clock.advance(1_000);
  t.ok(nothing.hasFlag(id, 'paused'), 'nothing lies there');
  t.match(nothing.store.row(id), { paused: true, stopAfter: null });
  t.same(nothing.tracker.said, []);
  await nothing.stop();
});

void t.test('an end before it stopped loses nothing, and it downloads nothing until it has', async (t) => {
  const store = createMemoryTorrentStore();
  const bench = await start(store);
  await add(bench, file, { stopAfter: 'check', paused: true });
  await bench.clock.advance(1_000);
  await bench.stop();
  // As an end between the insert and the pause leaves it.
  const row: Partial<TorrentRow> = { paused: false, stopAfter: 'check' };
  await store.update(id, row);
  const again = await start(store);
  await again.clock.advance(1_000);
  t.ok(again.hasFlag(id, 'paused'));
  t.match(store.row(id), { paused: true, stopAfter: null });
  t.same(again.tracker.said, []);
  await again.stop();
});

void t.test('who resumes it before it stopped lets it go on', async (t) => {
  const bench = await start();
  await add(bench, magnet, { stopAfter: 'metadata', paused: true });
  await bench.engine.resumeTorrent({ id, by: ANN });
  t.match(bench.store.row(id), { paused: false, stopAfter: null });
  await join(bench, file);
  t.notOk(bench.hasFlag(id, 'paused'));
  await bench.stop();
});

void t.test('a joining share that stops after the check stops at once where nothing is checked', async (t) => {
  const bench = await start();
  await add(bench, file);
  await bench.clock.advance(100);
  await join(bench, magnet, { stopAfter: 'check' });
  await bench.clock.advance(100);
  t.match(bench.store.row(id)?.holders, [
    { accountId: ANN, paused: false },
    { accountId: BOB, paused: true, stopAfter: null },
  ]);
  t.notOk(bench.hasFlag(id, 'paused'));
  await bench.stop();
});

void t.test('the first and last pieces of files come first, by a switch that is kept', async (t) => {
  const bench = await start();
  await bench.engine.addTorrent({ source: file, savePath: '/save', ownerId: ADMIN_ACCOUNT_ID, paused: false });
  await bench.engine.setFirstLastFirst({ id, firstLastFirst: true });
  t.equal(bench.store.row(id)?.firstLastFirst, true);
  t.ok(bench.hasFlag(id, 'firstLastFirst'));
  await bench.engine.setFirstLastFirst({ id, firstLastFirst: false });
  t.equal(bench.store.row(id)?.firstLastFirst, false);
  await bench.stop();
});
