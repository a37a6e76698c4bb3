import t from 'tap';
import { WriteQueue } from '../../../../../engine/torrent/download/write-queue.js';
import { payloadOf, torrentOf } from '../../../../support/disk-fixtures.js';
import { MemoryDisk } from '../../../../support/memory-disk.js';
import type { TorrentStorage } from '../../../../../engine/disk/types.js';

const PIECE = 16 * 1024;
const PIECES = 8;

/** A storage that notes its writes and lets each end when told to. */
function slowStorage() {
  const disk = new MemoryDisk();
  const info = torrentOf(PIECE, `box/a ${PIECES * PIECE}`);
  const storage = disk.openTorrent({ info, savePath: '/save', priorities: ['normal'] });
  const writes: { offset: number; length: number }[] = [];
  const gates: (() => void)[] = [];
  const slow: TorrentStorage = {
    ...storage,
    write: async (offset, bytes) => {
      writes.push({ offset, length: bytes.length });
      await new Promise<void>((resolve) => gates.push(resolve));
      await storage.write(offset, bytes);
    },
  };
  const finishOne = async () => {
    gates.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { disk, info, slow, writes, finishOne };
}

void t.test(
  'two writes at a time; what continues the oldest goes with it, whatever the order of arrival',
  async (t) => {
    const { disk, info, slow, writes, finishOne } = slowStorage();
    const payload = payloadOf(info);
    const queue = new WriteQueue(slow);
    const all = [7, 5, 2, 4, 3, 0, 1].map((piece) =>
      queue.write(piece * PIECE, payload.slice(piece * PIECE, (piece + 1) * PIECE)),
    );
    t.same(
      writes,
      [
        { offset: 7 * PIECE, length: PIECE },
        { offset: 5 * PIECE, length: PIECE },
      ],
      'the first two start at once',
    );
    await finishOne();
    t.same(writes[2], { offset: 2 * PIECE, length: 3 * PIECE }, 'pieces 2, 3 and 4 together');
    await finishOne();
    t.same(writes[3], { offset: 0, length: 2 * PIECE });
    await finishOne();
    await finishOne();
    await Promise.all(all);
    t.equal(writes.length, 4);
    const content = disk.content('/save/box/a');
    t.ok(content && Buffer.compare(content.subarray(0, 6 * PIECE), payload.subarray(0, 6 * PIECE)) === 0);
  },
);

void t.test('a refused write fails what was in it, and the rest goes on', async (t) => {
  const disk = new MemoryDisk({ spaceLeftBytes: 0 });
  const info = torrentOf(PIECE, `box/a ${PIECES * PIECE}`);
  const queue = new WriteQueue(disk.openTorrent({ info, savePath: '/save', priorities: ['normal'] }));
  const payload = payloadOf(info);
  await t.rejects(queue.write(0, payload.subarray(0, PIECE)), { code: 'DISK_FULL' });
  disk.spaceLeftBytes = PIECES * PIECE;
  await t.resolves(queue.write(0, payload.subarray(0, PIECE)));
});
