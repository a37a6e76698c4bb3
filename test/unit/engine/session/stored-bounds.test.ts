// A store that was filled before there were bounds: what a torrent has too much of is gone after a start, for good.
import t from 'tap';
import { ADMIN_ACCOUNT_ID, parseInfoHash } from '../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../../shared-protocol/library-record.js';
import { MAX_TRACKER_CHARS, MAX_TRACKERS } from '../../../../shared-protocol/torrent-bounds.js';
import { openTorrentStore } from '../../../../storage/lmdb-torrent-store.js';
import type { TorrentRow } from '../../../../storage/types.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';
import { Bench } from './engine-bench.js';

const urls = (count: number, chars: number) =>
  Array.from({ length: count }, (_, i) => `http://t${i}.example/`.padEnd(chars, 'x'));
const row = (digit: string, change: Partial<TorrentRow>): TorrentRow => ({
  id: parseInfoHash(digit.repeat(40)),
  ownerId: ADMIN_ACCOUNT_ID,
  savePath: '/save',
  addedAt: 1_700_000_000,
  completedAt: null,
  paused: true,
  sequential: false,
  name: digit,
  trackers: [],
  webSeeds: [],
  filePriorities: null,
  summary: null,
  selectOnly: null,
  ...change,
});

const FINE = row('a', { trackers: [urls(2, 60), urls(4, 70).slice(2)], webSeeds: urls(3, 40) });
const MANY = row('b', { trackers: urls(200, 40).map((url) => [url]), webSeeds: urls(200, 40) });
const LONG = row('c', { trackers: [urls(30, 2_048)], webSeeds: urls(30, 2_048) });
const LABELLED = row('d', {
  library: { ...NEW_LIBRARY_RECORD, tagIds: Array.from({ length: 10_000 }, (_, i) => i + 1) },
  selectOnly: Array.from({ length: 5_000 }, (_, i) => ({ first: 2 * i, last: 2 * i })),
  pendingPriorities: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [i, 'skip'])),
});

const HIDDEN = makeTorrent({
  name: `${'\u200b'.repeat(1_500)}holiday.mkv`,
  pieceLength: 16_384,
  files: seededBytes(1, 100),
});

void t.test('rows beyond the bounds are trimmed by a start, and others left alone', async (t) => {
  const directory = await temporaryDirectory();
  const store = openTorrentStore(directory);
  for (const stored of [FINE, MANY, LONG, LABELLED]) await store.insert({ ...stored, queueKey: 1 }, null, null);
  const bench = new Bench(store);
  await bench.start();
  const told = (id: TorrentRow['id']) => bench.facts.get(id)!.trackers.split('\n');
  t.same(told(FINE.id), FINE.trackers.flat());
  t.same(told(MANY.id), MANY.trackers.flat().slice(0, MAX_TRACKERS), 'the first tiers stay');
  t.same(told(LONG.id), LONG.trackers.flat().slice(0, MAX_TRACKER_CHARS / 2_048));
  t.equal(bench.facts.get(LABELLED.id)?.library.tagIds.length, 100);
  await bench.stop();

  const again = openTorrentStore(directory);
  t.teardown(() => again.close());
  t.same(again.row(FINE.id), { ...FINE, queueKey: 1 });
  t.same(again.row(MANY.id)?.trackers, MANY.trackers.slice(0, MAX_TRACKERS));
  t.equal(again.row(MANY.id)?.webSeeds.length, 30);
  t.equal(again.row(LONG.id)?.webSeeds.length, 8);
  t.match(again.row(LABELLED.id), { selectOnly: { length: 1_000 }, library: { tagIds: { length: 100 } } });
  t.equal(Object.keys(again.row(LABELLED.id)?.pendingPriorities ?? {}).length, 1_000);
});

void t.test('names that were stored as people were shown them become those on disk', async (t) => {
  const store = openTorrentStore(await temporaryDirectory());
  const summary = { totalBytes: 100, pieceLength: 16_384, pieceCount: 1, isPrivate: false };
  const hidden = { ...row('e', { name: '\u200b'.repeat(1_024), summary }), id: HIDDEN.infoHash };
  const magnet = row('f', { name: '../a\u202eb' });
  await store.insert(hidden, HIDDEN.infoBytes, null);
  await store.insert(magnet, null, null);
  const bench = new Bench(store);
  await bench.start();
  t.equal(bench.facts.get(hidden.id)?.name, 'holiday.mkv');
  t.equal(bench.facts.get(magnet.id)?.name, '.._ab');
  t.equal(store.row(hidden.id)?.name, 'holiday.mkv');
  await bench.stop();
});

void t.test('names are those by the rules that a row keeps, and without any those of Windows', async (t) => {
  const store = openTorrentStore(await temporaryDirectory());
  const name = 'a: b?';
  await store.insert({ ...row('1', { name }), queueKey: 1 }, null, null);
  await store.insert({ ...row('2', { name, names: 'posix' }), queueKey: 2 }, null, null);
  await store.insert({ ...row('3', { name: `${name}\u202e\0`, names: 'posix' }), queueKey: 3 }, null, null);
  await store.insert({ ...row('4', { name, names: 'portable' }), queueKey: 4 }, null, null);
  const bench = new Bench(store);
  await bench.start();
  t.teardown(() => bench.stop());
  t.same(
    ['1', '2', '3', '4'].map((digit) => bench.facts.get(row(digit, {}).id)?.name),
    ['a_ b_', name, `${name}_`, 'a_ b_'],
  );
});
