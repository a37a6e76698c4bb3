// A sync that fails has lost what was written: a check finds that out before anything is recorded, whoever asked for the sync,
// and though the next one succeeds.
import t, { type Test } from 'tap';
import { AppError } from '../../../../../shared-protocol/errors.js';
import type { TorrentStorageParams } from '../../../../../engine/disk/types.js';
import { MemoryDisk } from '../../../../support/memory-disk.js';
import { Bitfield } from '../../../../../engine/torrent/pieces/bitfield.js';
import { meetSeed, serve } from '../bench-seed.js';
import { PIECE_BYTES, TorrentBench } from '../torrent-bench.js';

const FILE = '/save/payload';
const COMMIT_MS = 31_000;

/** A disk as Linux has it: it complains once, and of what it could not write it has what was there before. */
class LosingDisk extends MemoryDisk {
  failNext: AppError | null = null;

  override openTorrent(params: TorrentStorageParams) {
    const storage = super.openTorrent(params);
    const { sync } = storage;
    storage.sync = async () => {
      const failure = this.failNext;
      if (!failure) return sync.call(storage);
      this.failNext = null;
      this.put(FILE, 0, new Uint8Array(PIECE_BYTES));
      throw failure;
    };
    return storage;
  }
}

const EIO = new AppError('DISK_FAILED', 'payload: EIO: i/o error, fdatasync', { errno: 'EIO' });
const ENOSPC = new AppError('DISK_FULL', 'payload: ENOSPC: no space left on device, fdatasync', { errno: 'ENOSPC' });

/** A torrent that has just been downloaded, and is not recorded yet; its peer is there still. */
async function downloaded(): Promise<{ readonly disk: LosingDisk; readonly bench: TorrentBench }> {
  const disk = new LosingDisk();
  const bench = await TorrentBench.start({ disk });
  await serve(bench, await meetSeed(bench), 3);
  return { disk, bench };
}

function isKnown(t: Test, bench: TorrentBench): void {
  t.equal(bench.stats.bytesDone, bench.made.payload.length - PIECE_BYTES);
  t.notOk(new Bitfield(8, bench.store.resume(bench.made.infoHash)!.have).has(0));
}

for (const failure of [EIO, ENOSPC]) {
  void t.test(`of the record: ${failure.code}`, async (t) => {
    const { disk, bench } = await downloaded();
    disk.failNext = failure;
    await bench.clock.advance(2 * COMMIT_MS);
    isKnown(t, bench);
    await bench.stop();
  });
}

void t.test('of files that are let go of: the disk is tried again before anything is recorded', async (t) => {
  const { disk, bench } = await downloaded();
  disk.failNext = EIO;
  await bench.torrent.setPaused(true);
  await bench.clock.advance(10_000);
  t.equal(bench.facts?.error, null);
  await bench.clock.advance(2 * COMMIT_MS);
  isKnown(t, bench);
  await bench.stop();
});

void t.test('of a move, which fails', async (t) => {
  const { disk, bench } = await downloaded();
  disk.failNext = EIO;
  await bench.torrent.moveTo({ path: '/other', accountId: bench.torrent.ownerId }, undefined);
  await bench.clock.advance(1_000);
  t.match(bench.torrent.moveStatus(), { state: 'failed', error: { code: 'DISK_FAILED' } });
  t.notOk(bench.isComplete, 'and which has the files looked at');
  await bench.clock.advance(2 * COMMIT_MS);
  isKnown(t, bench);
  await bench.stop();
});
