import t from 'tap';
import { createSlab } from '../../../../engine/hashing/slab.js';
import type { SlabRegion } from '../../../../engine/hashing/types.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const PAGE = 16 * 1024;

void t.test('regions are whole pages of one shared memory, first fit', async (t) => {
  const slab = createSlab(10 * PAGE + 5);
  t.equal(slab.totalBytes, 10 * PAGE);
  const a = slab.allocate(PAGE + 1);
  const b = slab.allocate(3 * PAGE);
  const c = slab.allocate(5 * PAGE);
  if (!a || !b || !c) throw new Error('no room');
  t.same([a.offset, b.offset, c.offset], [0, 2 * PAGE, 5 * PAGE]);
  t.equal(a.bytes.length, PAGE + 1);
  t.equal(a.bytes.buffer, slab.buffer);
  t.equal(slab.usedBytes, 10 * PAGE);
  t.equal(slab.allocate(1), null);
  slab.release(b);
  t.equal(slab.allocate(4 * PAGE), null, 'three pages are free');
  slab.release(a);
  t.equal(slab.allocate(5 * PAGE)?.offset, 0, 'neighbours join');
  slab.checkInvariant();
});

void t.test('a piece may take an eighth of it', async (t) => {
  t.equal(createSlab(64 * 2 ** 20).largestPieceBytes, 8 * 2 ** 20);
  t.equal(createSlab(20 * PAGE).largestPieceBytes, 2 * PAGE);
});

void t.test('releasing twice and empty regions are bugs', async (t) => {
  const slab = createSlab(4 * PAGE);
  const region = slab.allocate(PAGE);
  const other = slab.allocate(PAGE);
  if (!region || !other) throw new Error('no room');
  slab.release(region);
  t.throws(() => slab.release(region), { code: 'BUG' });
  slab.release(other);
  t.throws(() => slab.release(other), { code: 'BUG' });
  t.throws(() => slab.allocate(0), { code: 'BUG' });
  t.throws(() => createSlab(100), { code: 'BUG' });
});

void t.test('no byte belongs to two regions, whatever the order', async (t) => {
  const random = new SeededRandom(42);
  const slab = createSlab(64 * PAGE);
  const held: SlabRegion[] = [];
  for (let step = 0; step < 5_000; step++) {
    if (random.below(2) === 0) {
      const region = slab.allocate(1 + random.below(9 * PAGE));
      if (region) {
        for (const other of held) {
          const apart = region.offset >= other.offset + other.length || other.offset >= region.offset + region.length;
          if (!apart) t.fail(`seed ${random.seed}, step ${step}: regions overlap`);
        }
        held.push(region);
      }
    } else if (held.length > 0) {
      slab.release(held.splice(random.below(held.length), 1)[0]!);
    }
    slab.checkInvariant();
  }
  for (const region of held) slab.release(region);
  t.equal(slab.usedBytes, 0);
  t.equal(slab.allocate(64 * PAGE)?.offset, 0);
});
