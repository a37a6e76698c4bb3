// Work of several who take turns.
import t from 'tap';
import { RoundRobin } from '../../../../engine/util/round-robin.js';

void t.test('one at a time, each of whom it is in turn', async (t) => {
  const turns = new RoundRobin<string>();
  const done: string[] = [];
  let busy = 0;
  const work = (name: string) =>
    turns.run(name[0]!, async () => {
      t.equal(++busy, 1);
      await Promise.resolve();
      done.push(name);
      busy--;
      return name;
    });
  const first = ['a1', 'a2', 'a3', 'a4'].map(work);
  const later = ['b1', 'b2', 'c1'].map(work);
  t.same(await Promise.all([...first, ...later]), ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
  t.same(done, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  await work('a5');
  t.equal(done.at(-1), 'a5', 'after a rest as well');
});

void t.test('a failure is of its own work alone', async (t) => {
  const turns = new RoundRobin<number>();
  const failing = turns.run(1, () => Promise.reject(new Error('no')));
  const next = turns.run(1, async () => 'done');
  await t.rejects(failing, { message: 'no' });
  t.equal(await next, 'done');
});
