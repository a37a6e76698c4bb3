// Turns by requester, with work that stands still until it is told to go on.
import t from 'tap';
import { FairQueue } from '../../../../api/auth/fair-queue.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

function start(limits = { running: 1, waiting: 4, reserved: 0 }) {
  const queue = new FairQueue(limits);
  const clock = new VirtualClock();
  const served: string[] = [];
  const refused: string[] = [];
  const working: (() => void)[] = [];
  /** A name of `bob1` asks as bob. */
  const ask = async (name: string, isFresh = true) => {
    const outcome = await queue.run({ key: name.replace(/\d+$/, ''), isFresh }, async () => {
      served.push(name);
      await new Promise<void>((resolve) => void working.push(resolve));
      return name;
    });
    if (outcome === null) refused.push(name);
  };
  const asked: Promise<void>[] = [];
  return {
    served,
    refused,
    working,
    ask: (...names: string[]) => void names.forEach((name) => asked.push(ask(name))),
    askAgain: (...names: string[]) => void names.forEach((name) => asked.push(ask(name, false))),
    finish: async () => {
      await clock.settle();
      for (let work = working.shift(); work; work = working.shift()) {
        work();
        await clock.settle();
      }
      await Promise.all(asked);
    },
  };
}

void t.test('each who waits has his turn, whatever another has in line', async (t) => {
  const { ask, finish, served, refused } = start({ running: 1, waiting: 10, reserved: 0 });
  ask('bob1', 'bob2', 'bob3', 'bob4', 'ann1', 'ann2', 'eve1');
  await finish();
  t.same(served, ['bob1', 'bob2', 'ann1', 'eve1', 'bob3', 'ann2', 'bob4']);
  t.same(refused, []);
});

void t.test('who has most in line makes room for who has less, and nobody for himself', async (t) => {
  const { ask, finish, served, refused } = start();
  ask('bob0', 'bob1', 'bob2', 'bob3', 'bob4', 'bob5', 'ann1', 'ann2', 'ann3', 'eve1');
  await finish();
  t.same(served, ['bob0', 'bob1', 'ann1', 'eve1', 'ann2']);
  t.same(refused.sort(), ['ann3', 'bob2', 'bob3', 'bob4', 'bob5']);
});

void t.test('reserved places are for those who have not asked lately', async (t) => {
  const { ask, askAgain, finish, refused } = start({ running: 1, waiting: 4, reserved: 2 });
  askAgain('a', 'b', 'c', 'd', 'e');
  ask('f', 'g', 'h');
  await finish();
  t.same(refused.sort(), ['d', 'e', 'h']);
});

void t.test('a failure gives its place back too', async (t) => {
  const queue = new FairQueue({ running: 1, waiting: 0, reserved: 0 });
  const requester = { key: 'bob', isFresh: true };
  await t.rejects(queue.run(requester, () => Promise.reject(new Error('no'))));
  t.equal(await queue.run(requester, () => Promise.resolve('yes')), 'yes');
});

void t.test('never more at a time than its limit, and everybody in the end', async (t) => {
  const queue = new FairQueue({ running: 2, waiting: 10, reserved: 0 });
  let [running, most, done] = [0, 0, 0];
  const work = async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => void setImmediate(resolve));
    running--;
    if (++done === 3) throw new Error('a failure gives its slot back too');
  };
  const requester = { key: 'bob', isFresh: true };
  await Promise.allSettled(Array.from({ length: 12 }, () => queue.run(requester, work)));
  t.same({ running, most, done }, { running: 0, most: 2, done: 12 });
});
