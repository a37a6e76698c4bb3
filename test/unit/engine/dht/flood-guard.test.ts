import t from 'tap';
import { FloodGuard } from '../../../../engine/dht/flood-guard.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

function admitted(guard: FloodGuard, host: string, messages: number): number {
  let count = 0;
  for (let i = 0; i < messages; i++) if (guard.admit(host)) count++;
  return count;
}

void t.test('the 50th message within 10 s blocks its source for 300 s', async (t) => {
  const clock = new VirtualClock();
  const guard = new FloodGuard(clock);
  t.equal(admitted(guard, '1.1.1.1', 60), 49);
  t.ok(guard.isBlocked('1.1.1.1'));
  t.equal(admitted(guard, '2.2.2.2', 10), 10, 'others are not concerned');
  await clock.advance(299_999);
  t.ok(guard.isBlocked('1.1.1.1'));
  t.equal(admitted(guard, '1.1.1.1', 1), 0);
  await clock.advance(1);
  t.notOk(guard.isBlocked('1.1.1.1'));
  t.equal(admitted(guard, '1.1.1.1', 60), 49, 'and again');
});

void t.test('49 in every 10 s are fine', async (t) => {
  const clock = new VirtualClock();
  const guard = new FloodGuard(clock);
  for (let window = 0; window < 20; window++) {
    t.equal(admitted(guard, '1.1.1.1', 49), 49);
    await clock.advance(10_000);
  }
});

void t.test('memory is bounded; blocked sources are remembered over quiet ones', (t) => {
  const guard = new FloodGuard(new VirtualClock(), 100);
  admitted(guard, 'bad', 50);
  for (let i = 0; i < 10_000; i++) guard.admit(`quiet-${i}`);
  t.equal(guard.size, 100);
  t.ok(guard.isBlocked('bad'), 'not washed out');
  for (let i = 0; i < 200; i++) admitted(guard, `bad-${i}`, 50);
  t.equal(guard.size, 100, 'nor when all are blocked');
  t.end();
});
