// Where blocks go: into the slab when there is room, one writer to a place, and nothing changes what was accepted.
import t from 'tap';
import { createSlab } from '../../../../../engine/hashing/index.js';
import { PieceBuffers, type BlockWriter } from '../../../../../engine/torrent/download/piece-buffers.js';
import { SlabBudget } from '../../../../../engine/torrent/download/slab-budget.js';

const BLOCK = 16 * 1024;
const PIECE = 2 * BLOCK;

class Writer implements BlockWriter {
  abandoned = 0;
  abandonBlock(): void {
    this.abandoned++;
  }
}

function open(slabBytes = 64 * BLOCK): { buffers: PieceBuffers; room: SlabBudget } {
  const room = new SlabBudget(createSlab(slabBytes));
  const holder: { buffers?: PieceBuffers } = {};
  const user = {
    get slabBytes() {
      return holder.buffers?.slabBytes ?? 0;
    },
    onSlabRoom: () => undefined,
  };
  room.join(user);
  const buffers = new PieceBuffers(room, user);
  holder.buffers = buffers;
  return { buffers, room };
}

void t.test('blocks are received straight into their places', async (t) => {
  const { buffers } = open();
  t.equal(buffers.open(7, PIECE), true);
  const writer = new Writer();
  const first = buffers.startBlock(7, 0, BLOCK, writer);
  const second = buffers.startBlock(7, BLOCK, BLOCK, writer);
  t.same([first.inPlace, second.inPlace], [true, true]);
  first.bytes.fill(1);
  second.bytes.fill(2);
  const bytes = buffers.region(7)?.bytes ?? new Uint8Array(0);
  t.same([bytes[0], bytes[BLOCK - 1], bytes[BLOCK], bytes[PIECE - 1]], [1, 1, 2, 2]);
  t.same([...buffers.keptView(7, BLOCK, 3)], [2, 2, 2]);
});

void t.test('a second writer of a block gets a buffer of its own', async (t) => {
  const { buffers } = open();
  buffers.open(0, PIECE);
  const [slow, fast] = [new Writer(), new Writer()];
  const slowBlock = buffers.startBlock(0, 0, BLOCK, slow);
  const fastBlock = buffers.startBlock(0, 0, BLOCK, fast);
  t.equal(fastBlock.inPlace, false);
  slowBlock.bytes.fill(9, 0, 100);
  fastBlock.bytes.fill(5);
  buffers.moveIntoPlace(0, 0, fastBlock.bytes);
  t.equal(slow.abandoned, 1, 'whoever was writing there is cut off');
  t.equal(fast.abandoned, 0);
  t.equal(
    buffers.keptView(0, 0, BLOCK).every((byte) => byte === 5),
    true,
  );
});

void t.test('a place is free again when its writer has gone, and only for that writer', async (t) => {
  const { buffers } = open();
  buffers.open(0, PIECE);
  const [first, other] = [new Writer(), new Writer()];
  buffers.startBlock(0, 0, BLOCK, first);
  buffers.endWriter(0, 0, other);
  t.equal(buffers.startBlock(0, 0, BLOCK, other).inPlace, false);
  buffers.endWriter(0, 0, first);
  t.equal(buffers.startBlock(0, 0, BLOCK, other).inPlace, true);
});

void t.test('closing a piece cuts its writers off and gives the room back', async (t) => {
  const { buffers, room } = open();
  buffers.open(3, PIECE);
  const [left, right] = [new Writer(), new Writer()];
  buffers.startBlock(3, 0, BLOCK, left);
  buffers.startBlock(3, BLOCK, BLOCK, right);
  t.equal(buffers.slabBytes, PIECE);
  buffers.close(3);
  buffers.close(3);
  t.same([left.abandoned, right.abandoned], [1, 1]);
  t.same([buffers.slabBytes, room.usedBytes], [0, 0]);
  t.equal(buffers.region(3), null);
  t.equal(buffers.startBlock(3, 0, BLOCK, left).inPlace, false, 'a late block goes nowhere that matters');
});

void t.test('pieces that are being verified stay when the rest is closed', async (t) => {
  const { buffers, room } = open();
  for (const piece of [1, 2, 3]) buffers.open(piece, PIECE);
  buffers.closeAllExcept(new Set([2]));
  t.same(
    [1, 2, 3].map((piece) => buffers.region(piece) !== null),
    [false, true, false],
  );
  t.equal(room.usedBytes, PIECE);
});

void t.test('a piece too large for the slab has no region, and only a few such are open', async (t) => {
  const { buffers, room } = open();
  const large = room.largestPieceBytes + BLOCK;
  const opened = Array.from({ length: 20 }, (_, piece) => buffers.open(piece, large)).filter(Boolean).length;
  t.equal(opened, 8);
  t.equal(buffers.slabBytes, 0);
  t.equal(buffers.region(0), null);
  t.equal(buffers.startBlock(0, 0, BLOCK, new Writer()).inPlace, false);
  t.equal(buffers.keptView(0, 0, 100).length, 100);
  buffers.close(0);
  t.equal(buffers.open(30, large), true);
});

void t.test('no room in the slab: the piece is not opened', async (t) => {
  const { buffers, room } = open(64 * BLOCK);
  const length = room.largestPieceBytes;
  let opened = 0;
  while (opened < 100 && buffers.open(opened, length)) opened++;
  t.equal(opened, Math.floor((64 * BLOCK) / length));
  t.equal(buffers.region(opened), null);
});

void t.test('a large piece is settled when its writes are, and fails with the first of them', async (t) => {
  const { buffers, room } = open();
  const large = room.largestPieceBytes + BLOCK;
  buffers.open(0, large);
  let finish: (() => void) | undefined;
  buffers.trackWrite(0, new Promise((resolve) => (finish = resolve)));
  let settled = false;
  const done = buffers.settled(0).then(() => (settled = true));
  await Promise.resolve();
  t.equal(settled, false);
  finish?.();
  await done;
  t.equal(settled, true);
  const full = new Error('no space');
  buffers.trackWrite(0, Promise.reject(full));
  buffers.trackWrite(0, Promise.reject(new Error('later')));
  await t.rejects(buffers.settled(0), full);
  await t.rejects(buffers.settled(0), full, 'and stays failed');
  buffers.close(0);
  await t.resolves(buffers.settled(0));
});
