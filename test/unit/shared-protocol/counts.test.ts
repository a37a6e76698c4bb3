import t from 'tap';
import { Counts } from '../../../shared-protocol/counts.js';

void t.test('counts by key, and keeps no key of which there is none', async (t) => {
  const counts = new Counts<string>();
  for (const key of ['a', 'b', 'a']) counts.add(key);
  t.same([counts.of('a'), counts.of('b'), counts.of('c'), counts.total], [2, 1, 0, 3]);
  t.equal(counts.take('a'), 1);
  t.equal(counts.take('a'), 0);
  t.same([...counts.keys()], ['b']);
  t.equal(counts.total, 1);
  t.same([counts.take('a'), counts.total], [0, 1], 'there is none');
});

void t.test('one for as long as the work takes, also where it fails', async (t) => {
  const counts = new Counts<number>();
  const seen = await counts.during(7, async () => counts.of(7));
  t.same([seen, counts.total], [1, 0]);
  await t.rejects(
    counts.during(7, async () => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  t.equal(counts.total, 0);
});
