// The queue over whole engines: who runs, who waits, and that it holds over a restart.
import t from 'tap';
import { parseAccountId, type TorrentId } from '../../../../shared-protocol/ids.js';
import type { TorrentRow } from '../../../../storage/types.js';
import { Bench, torrent } from './engine-bench.js';

const ONE_EACH = { queueLimits: { maxActiveDownloads: 1, maxActiveSeeds: 1 } };

/** Downloads with these seeds as names, in that order. */
async function addAll(bench: Bench, seeds: readonly number[]): Promise<TorrentId[]> {
  const ids: TorrentId[] = [];
  for (const seed of seeds) ids.push((await bench.add(torrent(seed).torrentBytes)).id);
  await bench.clock.advance(1_000);
  return ids;
}

/** By position: their numbers, in brackets who is queued, with ! who is forced. */
function show(bench: Bench, ids: readonly TorrentId[]): string {
  const sorted = [...ids].sort((a, b) => bench.statsOf(a).queuePosition - bench.statsOf(b).queuePosition);
  t.same(
    sorted.map((id) => bench.statsOf(id).queuePosition),
    sorted.map((_, i) => i),
    'dense',
  );
  return sorted
    .map((id) => {
      const name = `${ids.indexOf(id) + 1}${bench.hasFlag(id, 'forceStart') ? '!' : ''}`;
      return bench.hasFlag(id, 'queued') ? `(${name})` : name;
    })
    .join(' ');
}

void t.test(
  'one runs, the next when it is paused, forced or gone; a queued one says nothing to trackers',
  async (t) => {
    const bench = new Bench();
    await bench.start(ONE_EACH);
    const made = [1, 2, 3].map((seed) =>
      bench.addMagnet(`magnet:?xt=urn:btih:${torrent(seed).infoHash}&tr=http%3A%2F%2F${seed}.example%2Fannounce`),
    );
    const ids = (await Promise.all(made)).map(({ id }) => id);
    await bench.clock.advance(1_000);
    t.equal(show(bench, ids), '1 (2) (3)', 'a magnet counts as a download');
    t.same(bench.tracker.said, ['started 1.example']);
    await bench.engine.pauseTorrent({ id: ids[0]! });
    await bench.clock.advance(1_000);
    t.equal(show(bench, ids), '1 2 (3)', 'paused is not queued');
    t.same(bench.tracker.said, ['started 1.example', 'stopped 1.example', 'started 2.example']);
    await bench.engine.resumeTorrent({ id: ids[0]! });
    t.equal(show(bench, ids), '1 (2) (3)', 'earlier in the queue');
    await bench.engine.setForceStart({ id: ids[2]!, forceStart: true });
    t.equal(show(bench, ids), '1 (2) 3!', 'takes no place');
    await bench.engine.setForceStart({ id: ids[0]!, forceStart: true });
    t.equal(show(bench, ids), '1! 2 3!');
    await bench.engine.setForceStart({ id: ids[0]!, forceStart: false });
    t.equal(show(bench, ids), '1 (2) 3!');
    await bench.engine.removeTorrent({ id: ids[0]!, deleteData: false });
    t.equal(show(bench, ids.slice(1)), '1 2!');
    await bench.clock.advance(1_000);
    t.same(bench.tracker.said.slice(-1), ['started 2.example']);
    await bench.stop();
  },
);

void t.test('forced while paused: only once it is resumed', async (t) => {
  const bench = new Bench();
  await bench.start(ONE_EACH);
  const ids = await addAll(bench, [1, 2]);
  await bench.engine.pauseTorrent({ id: ids[1]! });
  await bench.engine.setForceStart({ id: ids[1]!, forceStart: true });
  t.ok(bench.hasFlag(ids[1]!, 'paused'));
  t.equal(show(bench, ids), '1 2!');
  await bench.engine.resumeTorrent({ id: ids[1]! });
  t.equal(show(bench, ids), '1 2!');
  await bench.stop();
});

void t.test('downloads and seeds are counted apart, and whoever is checked is not counted', async (t) => {
  const bench = new Bench();
  await bench.start(ONE_EACH);
  const downloads = await addAll(bench, [1, 2]);
  const seeds = [];
  for (const seed of [3, 4]) seeds.push((await bench.addComplete(torrent(seed), `payload-${seed}`)).id);
  const ids = [...downloads, ...seeds];
  t.equal(show(bench, ids), '1 (2) 3 (4)');
  await bench.engine.recheckTorrent({ id: seeds[0]! });
  t.ok(bench.hasFlag(seeds[0]!, 'verifying'));
  t.equal(show(bench, ids), '1 (2) 3 4', 'the next seeds meanwhile');
  await bench.clock.advance(1_000);
  t.equal(show(bench, ids), '1 (2) 3 (4)');

  await bench.engine.setFilePriorities({ id: downloads[0]!, priorities: { 0: 'skip' } });
  t.equal(show(bench, ids), '1 2 3 (4)', 'what wants nothing takes no place');
  await bench.engine.setFilePriorities({ id: downloads[0]!, priorities: { 0: 'normal' } });
  t.equal(show(bench, ids), '1 (2) 3 (4)');

  bench.disk.remove('/save/payload-3');
  await bench.engine.recheckTorrent({ id: seeds[0]! });
  await bench.clock.advance(1_000);
  t.equal(show(bench, ids), '1 (2) (3) 4', 'a download again, behind the other');
  await bench.stop();
});

void t.test('limits change while it runs; 0 is no limit', async (t) => {
  const bench = new Bench();
  await bench.start();
  const ids = await addAll(bench, [1, 2, 3]);
  t.equal(show(bench, ids), '1 2 3');
  await bench.engine.setQueueLimits({ maxActiveDownloads: 2, maxActiveSeeds: 0 });
  t.equal(show(bench, ids), '1 2 (3)');
  await bench.engine.setQueueLimits({ maxActiveDownloads: 0, maxActiveSeeds: 1 });
  t.equal(show(bench, ids), '1 2 3');
  await bench.stop();
});

void t.test('what nobody has holds nothing back for long, and another account at no time', async (t) => {
  const bench = new Bench();
  await bench.start({ queueLimits: { maxActiveDownloads: 1, maxActiveSeeds: 0, stalledMinutes: 2 } });
  const ids = await addAll(bench, [1, 2, 3]);
  t.equal(show(bench, ids), '1 (2) (3)');
  await bench.clock.advance(90_000);
  t.equal(show(bench, ids), '1 (2) (3)');
  await bench.clock.advance(60_000);
  t.equal(show(bench, ids), '1 2 (3)', 'the first has moved nothing for two minutes');
  await bench.clock.advance(150_000);
  t.equal(show(bench, ids), '1 2 3');
  await bench.engine.setQueueLimits({ maxActiveDownloads: 2, maxActiveSeeds: 0 });
  t.equal(show(bench, ids), '1 2 (3)');
  const source = { kind: 'metainfo', bytes: torrent(4).torrentBytes } as const;
  const { id } = await bench.engine.addTorrent({
    source,
    savePath: '/save',
    ownerId: parseAccountId(2),
    paused: false,
  });
  t.equal(show(bench, [...ids, id]), '1 (2) (3) 4');
  await bench.stop();
});

void t.test('order and flags hold over a restart that was none in order', async (t) => {
  const first = new Bench();
  await first.start(ONE_EACH);
  const ids = await addAll(first, [1, 2, 3, 4]);
  await first.engine.setQueuePosition({ id: ids[3]!, position: 0 });
  t.equal(show(first, ids), '4 (1) (2) (3)');
  await first.engine.setQueuePosition({ id: ids[0]!, position: 99 });
  await first.engine.setForceStart({ id: ids[2]!, forceStart: true });
  t.equal(show(first, ids), '4 (2) 3! (1)');

  const second = new Bench(first.store, first.disk);
  const starting = second.start(ONE_EACH);
  await starting;
  t.equal(show(second, ids), '4 (2) 3! (1)', 'before any of them has started');
  await second.clock.advance(1_000);
  t.equal(show(second, ids), '4 (2) 3! (1)');
  const { id } = await second.add(torrent(5).torrentBytes);
  t.equal(show(second, [...ids, id]), '4 (2) 3! (1) (5)');
  await second.engine.pauseTorrent({ id: ids[3]! });
  t.equal(show(second, [...ids, id]), '4 2 3! (1) (5)');
  await second.stop();
  await first.stop();
});

void t.test('torrents of before there was a queue stand in the order in which they were added', async (t) => {
  const first = new Bench();
  await first.start();
  const ids = await addAll(first, [1, 2, 3]);
  await first.stop();
  const old = new Bench();
  for (const [i, id] of [...ids].reverse().entries()) {
    await old.store.insert(rowOfBefore(first.store.row(id)!, 100 - i), first.store.infoBytes(id) ?? null, null);
  }
  await old.start(ONE_EACH);
  t.equal(show(old, ids), '1 (2) (3)');
  t.same(old.facts.get(ids[0]!)?.library, {
    shares: [],
    categoryId: null,
    tagIds: [],
    seedPolicy: null,
    seedingSince: null,
  });
  await old.engine.setQueuePosition({ id: ids[2]!, position: 0 });
  ids.push((await old.add(torrent(4).torrentBytes)).id);
  const again = new Bench(old.store, old.disk);
  await again.start(ONE_EACH);
  t.equal(show(again, ids), '3 (1) (2) (4)');
  await again.stop();
  await old.stop();
});

/** With exactly the fields of a row of before there was a queue. */
function rowOfBefore(row: TorrentRow, addedAt: number): TorrentRow {
  const { id, ownerId, savePath, completedAt, paused, sequential, name, trackers, webSeeds } = row;
  const { filePriorities, summary, selectOnly } = row;
  const first = { id, ownerId, savePath, addedAt, completedAt, paused, sequential, name, trackers, webSeeds };
  return { ...first, filePriorities, summary, selectOnly };
}
