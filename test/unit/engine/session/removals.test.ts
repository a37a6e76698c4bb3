// A torrent that is added again while its files are still being deleted.
import t from 'tap';
import { MemoryDisk } from '../../../support/memory-disk.js';
import { createMemoryTorrentStore } from '../../../support/memory-torrent-store.js';
import type { TorrentStorage, TorrentStorageParams } from '../../../../engine/disk/types.js';
import { TORRENT_FLAGS } from '../../../../shared-protocol/stats-table.js';
import { Bench, torrent } from './engine-bench.js';

/** Deletes only when it is told to. */
class SlowDisk extends MemoryDisk {
  deletes = 0;
  release: () => void = () => undefined;
  readonly #allowed = new Promise<void>((resolve) => (this.release = resolve));

  override openTorrent(params: TorrentStorageParams): TorrentStorage {
    const storage = super.openTorrent(params);
    const deleteFiles = storage.deleteFiles.bind(storage);
    storage.deleteFiles = async (keep) => {
      this.deletes++;
      await this.#allowed;
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
