// What a front that was away is told of: all it has missed, or that this is not known any more.
import t from 'tap';
import { EventRing } from '../../../engine-process/event-ring.js';

const sent = (first: number, count: number, bytes = 10) => ({ first, count, message: new Uint8Array(bytes) });

void t.test('what was missed', async (t) => {
  const ring = new EventRing();
  for (const first of [1, 4, 7]) ring.add(sent(first, 3));
  const firsts = (heard: number) => ring.after(heard, 9)?.map(({ first }) => first) ?? null;
  t.same(firsts(0), [1, 4, 7]);
  t.same(firsts(3), [4, 7]);
  t.same(firsts(9), []);
  t.equal(firsts(5), null, 'in the middle of a message');
  t.equal(firsts(10), null, 'more than there were');
});

void t.test('only so much is kept', async (t) => {
  const many = new EventRing();
  for (let first = 1; first <= 12_000; first += 1_000) many.add(sent(first, 1_000));
  t.equal(many.after(0, 12_000), null);
  t.equal(many.after(2_000, 12_000)?.length, 10);
  const much = new EventRing();
  for (let first = 1; first <= 3; first++) much.add(sent(first, 1, 4 * 1024 * 1024));
  t.equal(much.after(0, 3), null);
  t.equal(much.after(1, 3)?.length, 2);
});
