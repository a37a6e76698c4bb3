// Places for bodies: a few of all, fewer of one source, and a line in between.
import t from 'tap';
import { BodySlots, type Release } from '../../../../../api/http/bodies/body-slots.js';

const LIMITS = { total: 3, perSource: 2, waiting: 3, waitingPerSource: 2 };
const never = new AbortController().signal;

/** The slots asked for, in the order in which they were given. */
function crowd(slots: BodySlots) {
  const given: { readonly name: string; readonly release: Release }[] = [];
  const refused: string[] = [];
  return {
    given,
    refused,
    async ask(name: string, signal = never): Promise<void> {
      void slots.take(name[0]!, signal).then((release) => {
        if (release) given.push({ name, release });
        else refused.push(name);
      });
      await settled();
    },
    async leave(name: string): Promise<void> {
      given.find((one) => one.name === name)?.release();
      await settled();
    },
    names: () => given.map(({ name }) => name).join(' '),
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

void t.test('one source has no more than its share, others pass it by', async (t) => {
  const slots = new BodySlots(LIMITS);
  const { ask, leave, names, refused } = crowd(slots);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) await ask(name);
  t.equal(names(), 'a1 a2');
  t.same(refused, ['a5'], 'the line of one source ends');
  await ask('b1');
  await ask('b2');
  t.equal(names(), 'a1 a2 b1', 'all slots are taken');
  await ask('c1');
  t.same(refused, ['a5', 'c1'], 'the line of all ends');
  await leave('b1');
  t.equal(names(), 'a1 a2 b1 b2', 'who has all its slots is passed by in the line');
  await leave('a1');
  t.equal(names(), 'a1 a2 b1 b2 a3');
  for (const name of ['a2', 'b2', 'a3', 'a4']) await leave(name);
  t.same([slots.running, slots.waiting], [0, 0]);
});

void t.test('who goes leaves the line', async (t) => {
  const slots = new BodySlots(LIMITS);
  const { ask, leave, names, refused } = crowd(slots);
  const gone = new AbortController();
  for (const name of ['a1', 'a2']) await ask(name);
  await ask('a3', gone.signal);
  await ask('a4');
  gone.abort();
  await settled();
  t.same(refused, ['a3']);
  await ask('b1', gone.signal);
  t.same(refused, ['a3', 'b1'], 'who had gone before');
  await leave('a1');
  t.equal(names(), 'a1 a2 a4');
});
