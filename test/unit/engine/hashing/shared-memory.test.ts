import t from 'tap';
import { createSharedMemory } from '../../../../engine/hashing/shared-memory.js';
import { createSlab } from '../../../../engine/hashing/index.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const PAGE = 16 * 1024;

void t.test('memory of any size copies within itself, overlapping ranges included', async (t) => {
  const memory = createSharedMemory(100_000);
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(new SeededRandom(1).bytes(1_000), 500);
  const before = bytes.slice(500, 1_500);
  memory.copyWithin(900, 500, 1_000);
  t.same(bytes.slice(900, 1_900), before);
  t.throws(() => memory.copyWithin(memory.buffer.byteLength - 10, 0, 11), { name: 'RuntimeError' });
});

void t.test('a slab copies from its read buffer and from ordinary memory alike', async (t) => {
  const slab = createSlab(4 * PAGE, 1_000);
  t.equal(slab.totalBytes, 4 * PAGE, 'the read buffer takes no room of pieces');
  const region = slab.allocate(PAGE);
  if (!region) throw new Error('no room in an empty slab');
  const payload = new SeededRandom(2).bytes(1_000);
  slab.readBuffer.set(payload);
  slab.copy(region.bytes, 13, slab.readBuffer, 100, 800);
  t.same(region.bytes.slice(13, 813), payload.slice(100, 900));
  slab.copy(region.bytes, 5_000, payload, 0, 1_000);
  t.same(region.bytes.slice(5_000, 6_000), payload);
});
