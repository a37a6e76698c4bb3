// The SHA-1 of each block is that of its bytes, wherever the piece lies.
import { createHash } from 'node:crypto';
import t from 'tap';
import { createSlab } from '../../../../../engine/hashing/index.js';
import { blockDigests } from '../../../../../engine/torrent/download/block-digests.js';
import { PieceBuffers } from '../../../../../engine/torrent/download/piece-buffers.js';
import { SlabBudget } from '../../../../../engine/torrent/download/slab-budget.js';
import { WriteQueue } from '../../../../../engine/torrent/download/write-queue.js';
import { torrentOf } from '../../../../support/disk-fixtures.js';
import { seededBytes } from '../../../../support/make-torrent.js';
import { MemoryDisk } from '../../../../support/memory-disk.js';

const BLOCK = 16 * 1024;
const PIECE = 4 * BLOCK;
/** Files end inside of blocks, one has several blocks, and the last piece ends inside of its second. */
const INFO = torrentOf(PIECE, 'box/a 5000', 'box/b 100', '.pad/c 7000', 'box/d 90000');
const PAYLOAD = seededBytes(3, INFO.totalBytes).map((byte, at) => (at >= 5_100 && at < 12_100 ? 0 : byte));

function world(slabBytes: number) {
  const disk = new MemoryDisk();
  const storage = disk.openTorrent({ info: INFO, savePath: '/save', priorities: INFO.files.map(() => 'normal') });
  const buffers = new PieceBuffers(new SlabBudget(createSlab(slabBytes)), {
    slabBytes: 0,
    onSlabRoom: () => undefined,
  });
  const deps = { info: INFO, storage, writes: new WriteQueue(storage), hasher: disk.hasher };
  return { storage, buffers, deps };
}

function expected(piece: number): Buffer {
  const bytes = PAYLOAD.subarray(piece * PIECE, (piece + 1) * PIECE);
  const digests: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += BLOCK)
    digests.push(
      createHash('sha1')
        .update(bytes.subarray(at, at + BLOCK))
        .digest(),
    );
  return Buffer.concat(digests);
}

for (const piece of [0, 1]) {
  const bytes = PAYLOAD.subarray(piece * PIECE, (piece + 1) * PIECE);

  void t.test(`piece ${piece} in the slab`, async (t) => {
    const { buffers, deps } = world(1024 * 1024);
    buffers.open(piece, bytes.length);
    const region = buffers.region(piece);
    t.ok(region);
    region?.bytes.set(bytes);
    t.ok(expected(piece).equals((await blockDigests(deps, buffers, piece)) ?? Buffer.alloc(0)));
  });

  void t.test(`piece ${piece} on disk`, async (t) => {
    const { buffers, deps, storage } = world(BLOCK);
    await storage.write(0, PAYLOAD);
    buffers.open(piece, bytes.length);
    t.notOk(buffers.region(piece), 'too large for the slab');
    t.ok(expected(piece).equals((await blockDigests(deps, buffers, piece)) ?? Buffer.alloc(0)));
  });
}

void t.test('what cannot be read has no digests', async (t) => {
  const { buffers, deps } = world(BLOCK);
  buffers.open(0, PIECE);
  t.equal(await blockDigests(deps, buffers, 0), null);
});
