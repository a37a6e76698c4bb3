import t from 'tap';
import { DueQueue, type DueItem, type DueLimits } from '../../../../engine/tracker/due-queue.js';
import { ADMIN_ACCOUNT_ID, parseAccountId } from '../../../../shared-protocol/ids.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

interface Named extends DueItem {
  readonly name: string;
}

const NO_LIMITS: DueLimits = {
  startsPerWindow: Infinity,
  windowMs: 500,
  maxConcurrent: Infinity,
  maxPerHost: Infinity,
  maxPerAccount: Infinity,
};

function item(name: string, host = 'one', account = ADMIN_ACCOUNT_ID): Named {
  return { name, host, account, heapIndex: -1, dueMs: 0, priority: 0 };
}

function setUp(limits: Partial<DueLimits> = {}) {
  const clock = new VirtualClock();
  const begun: { name: string; host: string; atMs: number }[] = [];
  const queue: DueQueue<Named> = new DueQueue<Named>(
    {
      clock,
      begin: ({ name, host }) => {
        begun.push({ name, host, atMs: clock.nowMs() });
        return true;
      },
    },
    { ...NO_LIMITS, ...limits },
  );
  return { clock, begun, queue, names: () => begun.map(({ name }) => name).join(' ') };
}

void t.test('items begin when due, with one timer for all of them', async (t) => {
  const { clock, begun, queue } = setUp();
  for (let i = 0; i < 1000; i++) queue.schedule(item(`${i}`), 10_000 - 10 * i, 0);
  t.equal(clock.pendingTimers, 1);
  await clock.advance(10_000);
  t.equal(begun.length, 1000);
  t.ok(
    begun.every(({ name, atMs }) => atMs === 10_000 - 10 * Number(name)),
    'each at its time',
  );
  t.equal(clock.pendingTimers, 0, 'nothing due, no timer');
});

void t.test('what falls due together goes by priority, then by due time', async (t) => {
  const { clock, queue, names } = setUp();
  queue.schedule(item('rest'), 0, 3);
  queue.schedule(item('started'), 0, 2);
  queue.schedule(item('stopped'), 0, 0);
  queue.schedule(item('completed'), 0, 1);
  queue.schedule(item('earlier-rest'), -5, 3);
  await clock.advance(0);
  t.equal(names(), 'stopped completed started earlier-rest rest');
});

void t.test('at most 20 starts in 500 ms', async (t) => {
  const { clock, begun, queue } = setUp({ startsPerWindow: 20 });
  for (let i = 0; i < 100; i++) queue.schedule(item(`${i}`), 0, 2);
  await clock.advance(10_000);
  t.equal(begun.length, 100);
  for (const { atMs } of begun) {
    const within = begun.filter((other) => other.atMs >= atMs && other.atMs < atMs + 500).length;
    if (within > 20) t.fail(`${within} starts in the 500 ms from ${atMs}`);
  }
  t.equal(begun.at(-1)?.atMs, 2000, 'and no slower than that');
});

void t.test('at most 8 per host and 50 in all; each end makes room for one', async (t) => {
  const { clock, begun, queue } = setUp({ maxPerHost: 8, maxConcurrent: 50 });
  for (let host = 0; host < 10; host++) {
    for (let i = 0; i < 20; i++) queue.schedule(item(`${host}-${i}`, `host${host}`), 0, 2);
  }
  await clock.advance(0);
  t.equal(queue.active, 50);
  const perHost = (host: string): number => begun.filter((one) => one.host === host).length;
  for (let host = 0; host < 10; host++) t.ok(perHost(`host${host}`) <= 8);
  const { host } = begun[0]!;
  queue.finished({ host, account: ADMIN_ACCOUNT_ID });
  await clock.advance(0);
  t.equal(begun.length, 51);
  t.equal(queue.active, 50);
});

void t.test('a busy host does not hold up the others', async (t) => {
  const { clock, queue, names } = setUp({ maxPerHost: 1 });
  queue.schedule(item('slow1', 'slow'), 0, 0);
  queue.schedule(item('slow2', 'slow'), 0, 0);
  queue.schedule(item('quick', 'quick'), 0, 3);
  await clock.advance(0);
  t.equal(names(), 'slow1 quick');
  queue.finished({ host: 'slow', account: ADMIN_ACCOUNT_ID });
  await clock.advance(0);
  t.equal(names(), 'slow1 quick slow2');
});

void t.test('a busy account does not hold up the others, at hosts of its own and at shared ones', async (t) => {
  const { clock, queue, names } = setUp({ maxConcurrent: 6, maxPerAccount: 4 });
  const [bob, alice] = [parseAccountId(2), parseAccountId(3)];
  for (let n = 0; n < 5; n++) queue.schedule(item(`bob${n}`, `dead${n}`, bob), n - 10, 2);
  queue.schedule(item('bob5', 'shared', bob), 0, 0);
  queue.schedule(item('alice', 'shared', alice), 1, 3);
  await clock.advance(1);
  t.equal(names(), 'bob5 bob0 bob1 bob2 alice');
  queue.finished({ host: 'dead1', account: bob });
  queue.schedule(item('alice2', 'dead2', alice), 0, 3);
  await clock.advance(0);
  t.equal(names(), 'bob5 bob0 bob1 bob2 alice alice2 bob3', 'who has little under way comes first');
});

void t.test('an item can be moved and taken out, waiting or ready', async (t) => {
  const { clock, queue, names } = setUp({ maxConcurrent: 1 });
  const [first, ready, waiting] = [item('first'), item('ready'), item('waiting')];
  queue.schedule(first, 0, 0);
  queue.schedule(ready, 0, 1);
  queue.schedule(waiting, 5000, 1);
  await clock.advance(0);
  t.ok(queue.has(ready) && queue.has(waiting) && !queue.has(first));
  queue.cancel(ready);
  queue.schedule(waiting, 7000, 1);
  queue.finished({ host: 'one', account: ADMIN_ACCOUNT_ID });
  await clock.advance(6999);
  t.equal(names(), 'first');
  await clock.advance(1);
  t.equal(names(), 'first waiting');
});

void t.test('what is not begun takes no place, and may come back later', async (t) => {
  const clock = new VirtualClock();
  const begun: string[] = [];
  let refuseUntilMs = 100;
  const queue: DueQueue<Named> = new DueQueue<Named>(
    {
      clock,
      begin: (one) => {
        if (clock.nowMs() < refuseUntilMs) {
          queue.schedule(one, refuseUntilMs, one.priority);
          return false;
        }
        begun.push(one.name);
        return true;
      },
    },
    { ...NO_LIMITS, startsPerWindow: 1 },
  );
  queue.schedule(item('a'), 0, 0);
  queue.schedule(item('b'), 0, 0);
  await clock.advance(50);
  t.equal(queue.active, 0);
  refuseUntilMs = 100;
  await clock.advance(600);
  t.same(begun.sort(), ['a', 'b']);
});

void t.test('after close nothing begins and no timer is left', async (t) => {
  const { clock, begun, queue } = setUp();
  queue.schedule(item('a'), 100, 0);
  queue.close();
  queue.schedule(item('b'), 0, 0);
  t.equal(clock.pendingTimers, 0);
  await clock.advance(1000);
  t.equal(begun.length, 0);
});

void t.test('giving back what was never begun is a bug', async (t) => {
  t.throws(() => setUp().queue.finished({ host: 'nowhere', account: ADMIN_ACCOUNT_ID }), /bug/);
});
