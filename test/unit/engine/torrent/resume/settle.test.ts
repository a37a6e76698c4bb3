// Files are looked at for the record when they are let go of: what is recorded then, and that what came after it is not
// taken for what was seen.
import t from 'tap';
import { seededBytes } from '../../../../support/make-torrent.js';
import { MemoryDisk } from '../../../../support/memory-disk.js';
import type { TorrentStorageParams } from '../../../../../engine/disk/types.js';
import { PIECE_BYTES, TorrentBench } from '../torrent-bench.js';

const FILE = '/save/payload';

class CountingDisk extends MemoryDisk {
  opened = 0;
  failSyncs = false;

  override openTorrent(params: TorrentStorageParams) {
    this.opened++;
    const storage = super.openTorrent(params);
    const { sync } = storage;
    storage.sync = () => (this.failSyncs ? Promise.reject(new Error('EIO')) : sync.call(storage));
    return storage;
  }
}

void t.test('after a check nothing is opened again for the record', async (t) => {
  const disk = new CountingDisk();
  const bench = await TorrentBench.start({ disk, has: 'all' });
  t.ok(bench.isComplete);
  const { opened } = disk;
  await bench.clock.advance(31_000);
  const recorded = bench.store.resume(bench.made.infoHash);
  t.equal(disk.opened, opened);
  t.match(recorded?.files, [{ sizeBytes: bench.made.payload.length, mtimeMs: disk.file(FILE)!.mtimeMs }]);
  await bench.stop();
});

void t.test('a file that changes between the look and the record is another at the next start', async (t) => {
  const disk = new CountingDisk();
  const bench = await TorrentBench.start({ disk, has: 'all' });
  disk.file(FILE)!.mtimeMs++;
  disk.put(FILE, 0, seededBytes(99, PIECE_BYTES));
  await bench.clock.advance(31_000);
  await bench.stop();
  const again = await TorrentBench.start({ disk, store: bench.store });
  t.equal(again.stats.bytesDone, bench.made.payload.length - PIECE_BYTES, 'it was hashed again');
  await again.stop();
});

void t.test('where the sync fails nothing is recorded of the files, and all of it is checked again', async (t) => {
  const disk = new CountingDisk();
  disk.failSyncs = true;
  const bench = await TorrentBench.start({ disk, has: 'all' });
  await bench.clock.advance(31_000);
  t.equal(bench.store.resume(bench.made.infoHash)?.files.length ?? 0, 0);
  disk.failSyncs = false;
  await bench.clock.advance(62_000);
  t.ok(bench.isComplete);
  t.equal(bench.store.resume(bench.made.infoHash)?.files.length, 1);
  await bench.stop();
});
