// An engine on shared roots works as long as its lease surely holds, and not a moment longer.
import t from 'tap';
import { LEASE_MARGIN_MS, NodeLease } from '../../../engine-process/node-lease.js';
import { LeaseEnd } from '../../../shared-protocol/lease-end.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const TTL_MS = 15_000;

function scene() {
  const clock = new VirtualClock();
  const asked: number[] = [];
  const lost: number[] = [];
  const lease = new NodeLease({ clock, ask: (n) => void asked.push(n), onLost: () => void lost.push(clock.nowMs()) });
  return {
    clock,
    asked,
    lost,
    lease,
    grant: (n: number, epoch = 1) => lease.grant({ asked: n, epoch, ttlMs: TTL_MS }),
  };
}

void t.test('it is asked for until it is there, then in time', async (t) => {
  const { clock, asked, lost, lease, grant } = scene();
  lease.ask();
  await clock.advance(2_500);
  t.same(asked, [1, 2, 3]);
  const held = lease.held();
  grant(3);
  t.equal(await held, 1);
  t.equal(await lease.held(), 1);
  await clock.advance(20_000);
  t.same(lost, [2_000 + TTL_MS - LEASE_MARGIN_MS], 'nobody has answered since: it counts from when it was asked for');
});

void t.test('each grant is as long as its asking is ago', async (t) => {
  const { clock, asked, lost, lease, grant } = scene();
  lease.ask();
  grant(1);
  for (let round = 0; round < 10; round++) {
    await clock.advance(5_000);
    grant(asked.at(-1)!);
  }
  t.same(lost, []);
  // An answer that was on its way for long, as through a process that stood still.
  await clock.advance(9_999);
  grant(asked.at(-2)!);
  await clock.advance(1);
  t.equal(lost.length, 1);
  t.ok(asked.length >= 12, 'it is asked for again');
});

void t.test('words of before, of nobody and of another lease are none', async (t) => {
  const { clock, lost, lease, grant } = scene();
  lease.ask();
  grant(7);
  let isHeld = false;
  void lease.held().then(() => (isHeld = true));
  await clock.advance(0);
  t.notOk(isHeld, 'nobody asked for it');
  grant(1, 5);
  t.equal(await lease.held(), 5);
  await clock.advance(5_000);
  grant(2, 4);
  t.same(lost, [], 'an older lease changes nothing');
  grant(2, 6);
  t.equal(lost.length, 1, 'somebody had it in between: what was begun under the one before is over');
});

void t.test('a start that has none in time says so', async (t) => {
  const { clock, lease } = scene();
  lease.ask();
  const refused = t.rejects(lease.held(), { code: 'ENGINE_FENCED' });
  await clock.advance(30_000);
  await refused;
  lease.close();
  await clock.advance(60_000);
  t.equal(clock.pendingTimers, 0);
});

void t.test('the engine’s thread knows by itself from when on nothing is written', async (t) => {
  const { lease, grant } = scene();
  t.throws(() => lease.end.assertBefore(), { code: 'ENGINE_FENCED' });
  lease.ask();
  grant(1);
  t.doesNotThrow(() => lease.end.assertBefore());
  const there = new LeaseEnd(lease.end.buffer);
  lease.end.setIn(0);
  t.throws(() => there.assertBefore(), { code: 'ENGINE_FENCED' });
});
