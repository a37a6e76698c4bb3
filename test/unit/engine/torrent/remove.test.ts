// Data that could not be deleted with their torrent: nobody waits for that, and it is told all the same.
import t from 'tap';
import { AppError } from '../../../../shared-protocol/errors.js';
import type { LogFields } from '../../../../shared-protocol/events.js';
import type { TorrentStorageParams } from '../../../../engine/disk/types.js';
import { QUIET } from '../../../support/disk-fixtures.js';
import { MemoryDisk } from '../../../support/memory-disk.js';
import { TorrentBench } from './torrent-bench.js';

class KeepingDisk extends MemoryDisk {
  override openTorrent(params: TorrentStorageParams) {
    const storage = super.openTorrent(params);
    storage.deleteFiles = () => Promise.reject(new AppError('DISK_FAILED', 'payload: EIO: i/o error, unlink'));
    return storage;
  }
}

void t.test('which file is left, and where, is in the log', async (t) => {
  const said: { readonly message: string; readonly fields: LogFields | undefined }[] = [];
  const log = { ...QUIET, warn: (message: string, fields?: LogFields) => void said.push({ message, fields }) };
  const bench = await TorrentBench.start({ disk: new KeepingDisk(), has: 'all', log });
  const { infoHash: id } = bench.made;
  await bench.session.remove(id, true);
  await bench.clock.settle();
  t.same(said, [
    {
      message: 'files of a removed torrent are left',
      fields: { torrent: id, savePath: '/save', reason: 'payload: EIO: i/o error, unlink' },
    },
  ]);
  await bench.stop();
});
