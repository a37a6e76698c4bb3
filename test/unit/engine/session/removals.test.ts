// A torrent that is added again while its files are still being deleted, and one whose engine ends meanwhile.
import t from 'tap';
import { MemoryDisk } from '../../../support/memory-disk.js';
import { createMemoryTorrentStore } from '../../../support/memory-torrent-store.js';
import type { TorrentStorage, TorrentStorageParams } from '../../../../engine/disk/types.js';
import { TORRENT_FLAGS } from '../../../../shared-protocol/stats-table.js';
import { Bench, torrent } from './engine-bench.js';

/** Deletes only when it is told to, or at once while it is not slow. */
class SlowDisk extends MemoryDisk {
  deletes = 0;
  isSlow = true;
  release: () => void = () => undefined;
  readonly #allowed = new Promise<void>((resolve) => (this.release = resolve));

  override openTorrent(params: TorrentStorageParams): TorrentStorage {
    const storage = super.openTorrent(params);
    const deleteFiles = storage.deleteFiles.bind(storage);
    storage.deleteFiles = async (keep) => {
      this.deletes++;
      if (this.isSlow) await this.#allowed;
      await deleteFiles(keep);
    };
    return storage;
  }
}

void t.test('the add waits for the deletion, and keeps what it finds afterwards', async (t) => {
  const disk = new SlowDisk();
  const bench = new Bench(createMemoryTorrentStore(), disk);
  await bench.start();
  const made = torrent(1);
  const { id } = await bench.addComplete(made, 'payload-1');
  await bench.engine.removeTorrent({ id, deleteData: true });
  t.equal(disk.deletes, 1);
  let isAdded = false;
  const adding = Promise.resolve(bench.add(made.torrentBytes)).then((added) => {
    isAdded = true;
    return added;
  });
  const twice = bench.add(made.torrentBytes);
  await bench.clock.advance(100);
  t.notOk(isAdded);
  t.ok(disk.content('/save/payload-1'), 'not deleted yet');
  disk.release();
  t.match(await adding, { existed: false });
  t.match(await twice, { existed: true });
  await bench.clock.advance(100);
  t.equal(disk.content('/save/payload-1'), null, 'what was there before is gone, before the new one looks');
  t.equal(bench.statsOf(id).bytesDone, 0);
  t.notOk(bench.statsOf(id).flags & TORRENT_FLAGS.filesMissing);
  await bench.stop();
});

/** An engine that has removed a complete torrent and ended before it had deleted anything. */
async function endedHalfway(deleteData: boolean) {
  const disk = new SlowDisk();
  const first = new Bench(createMemoryTorrentStore(), disk);
  await first.start();
  const { id } = await first.addComplete(torrent(1), 'payload-1');
  await first.addComplete(torrent(2), 'payload-2');
  await first.engine.removeTorrent({ id, deleteData });
  disk.isSlow = false;
  const next = async () => {
    const bench = new Bench(first.store, disk);
    const { torrents } = await bench.start();
    await bench.clock.advance(100);
    return { bench, torrents };
  };
  return { id, disk, store: first.store, next };
}

void t.test('an engine that ended halfway goes on with it at its next start', async (t) => {
  for (const deleteData of [true, false]) {
    const { id, disk, store, next } = await endedHalfway(deleteData);
    const { bench, torrents } = await next();
    t.equal(torrents, 1, 'it is none any more');
    t.same(disk.paths, deleteData ? ['/save/payload-2'] : ['/save/payload-1', '/save/payload-2']);
    t.equal(store.row(id), undefined);
    t.same(bench.filesLeft, []);
    await bench.stop();
  }
});

void t.test('while its volume is not there it is told of, and goes on once that is', async (t) => {
  const { id, disk, store, next } = await endedHalfway(true);
  const { sighting } = disk;
  disk.sighting = { exists: false, device: 2, inode: 2, birthMs: 2 };
  const { bench } = await next();
  t.match(bench.filesLeft, [{ id, name: 'payload-1', path: '/save/payload-1' }]);
  t.match(bench.filesLeft[0]?.error.message, /not mounted/);
  t.ok(disk.content('/save/payload-1'));
  await bench.stop();
  disk.sighting = sighting;
  const last = await next();
  t.same([store.row(id), disk.content('/save/payload-1'), last.bench.filesLeft], [undefined, null, []]);
  await last.bench.stop();
});

void t.test('one that is added again before that is another', async (t) => {
  const { id, disk, next } = await endedHalfway(true);
  disk.sighting = { exists: false, device: 2, inode: 2, birthMs: 2 };
  const { bench } = await next();
  t.match(await bench.add(torrent(1).torrentBytes), { existed: false });
  await bench.stop();
  const { bench: last, torrents } = await next();
  t.equal(torrents, 2);
  t.ok(last.facts.has(id) && disk.content('/save/payload-1'));
  await last.stop();
});
