import { createHash } from 'node:crypto';
import t from 'tap';
import { createInlineHasher } from '../../../../engine/hashing/inline-hasher.js';
import { createSlab } from '../../../../engine/hashing/slab.js';

void t.test('only the bytes asked for count', async (t) => {
  const region = createSlab(32 * 1024).allocate(100);
  if (!region) throw new Error('no room');
  region.bytes.fill(5);
  const digest = await createInlineHasher().hashRegion(region, 60);
  t.same(digest, createHash('sha1').update(Buffer.alloc(60, 5)).digest());
});
