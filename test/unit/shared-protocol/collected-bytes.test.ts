// Chunks of any lengths are one piece again, which nothing else writes to.
import t from 'tap';
import { CollectedBytes } from '../../../shared-protocol/collected-bytes.js';
import { SeededRandom } from '../../support/seeded-random.js';

void t.test('chunks of any lengths', async (t) => {
  const random = new SeededRandom(3);
  for (let round = 0; round < 50; round++) {
    const all = Buffer.from(Array.from({ length: random.below(20_000) }, () => random.below(256)));
    const collected = new CollectedBytes();
    for (let at = 0; at < all.length;) {
      const chunk = all.subarray(at, at + random.below(round % 2 === 0 ? 3 : 5_000));
      collected.add(chunk);
      at += chunk.length;
    }
    t.equal(collected.length, all.length);
    t.ok(all.equals(collected.take()));
    t.equal(collected.length, 0);
  }
});

void t.test('what was taken is of its own, and so is what was added', async (t) => {
  const collected = new CollectedBytes();
  const chunk = new Uint8Array(4_096).fill(1);
  collected.add(chunk);
  chunk.fill(2);
  const first = collected.take();
  collected.add(chunk.subarray(0, 5));
  const second = collected.take();
  t.ok(first.every((byte) => byte === 1));
  t.same([...second], [2, 2, 2, 2, 2]);
  t.not(first.buffer, second.buffer);
  t.equal(second.buffer.byteLength, 5);
  t.equal(collected.take().length, 0);
});
