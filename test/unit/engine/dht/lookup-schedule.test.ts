import t from 'tap';
import { LookupSchedule } from '../../../../engine/dht/lookup-schedule.js';
import { parseInfoHash, type InfoHash } from '../../../../shared-protocol/ids.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const MINUTE = 60_000;

function torrent(n: number): InfoHash {
  return parseInfoHash(n.toString(16).padStart(40, '0'));
}

function setUp({ takesMs = 2_000, ready = true, outcome = 'answered' as 'answered' | 'unanswered' } = {}) {
  const clock = new VirtualClock();
  const begun: { torrent: number; atMs: number }[] = [];
  const state = { ready, active: 0, mostActive: 0, outcome };
  const schedule = new LookupSchedule({
    clock,
    random: new SeededRandom(11),
    isReady: () => state.ready,
    begin: (infoHash) => {
      begun.push({ torrent: parseInt(infoHash, 16), atMs: clock.nowMs() });
      state.mostActive = Math.max(state.mostActive, ++state.active);
      return new Promise((resolve) =>
        clock.after(takesMs, () => {
          state.active--;
          resolve(state.outcome);
        }),
      );
    },
  });
  const times = (n: number): number[] => begun.filter((entry) => entry.torrent === n).map(({ atMs }) => atMs);
  return { clock, begun, state, schedule, times };
}

void t.test('a torrent at once, then every 15 minutes, give or take 10 %', async (t) => {
  const { clock, schedule, times } = setUp();
  schedule.add(torrent(1));
  schedule.add(torrent(1));
  await clock.advance(10 * 60 * MINUTE);
  const at = times(1);
  t.equal(at[0], 0);
  const gaps = at.slice(1).map((ms, i) => ms - at[i]!);
  t.ok(gaps.length >= 36, `${gaps.length} more in ten hours`);
  t.ok(
    gaps.every((gap) => gap >= 13.5 * MINUTE && gap <= 16.5 * MINUTE),
    'within 10 %',
  );
  t.ok(new Set(gaps).size > 30, 'not in step');
});

void t.test('1,000 torrents: five at once at most, 600 in 15 minutes, everybody in turn', async (t) => {
  const { clock, schedule, begun, state } = setUp();
  for (let i = 0; i < 1_000; i++) schedule.add(torrent(i));
  t.ok(clock.pendingTimers <= 1, 'one timer for all');
  await clock.advance(15 * MINUTE);
  t.ok(begun.length >= 590 && begun.length <= 606, `${begun.length} in the first interval`);
  await clock.advance(15 * MINUTE);
  t.equal(new Set(begun.map(({ torrent }) => torrent)).size, 1_000, 'all had their turn');
  await clock.advance(120 * MINUTE);
  t.ok(begun.length <= 600 * 10 + 6, `${begun.length} in ten intervals`);
  t.ok(state.mostActive <= 5);
  const counts = new Map<number, number>();
  for (const { torrent } of begun) counts.set(torrent, (counts.get(torrent) ?? 0) + 1);
  t.ok(Math.max(...counts.values()) - Math.min(...counts.values()) <= 2, 'nobody is forgotten');
});

void t.test('slow lookups: no more than five at once', async (t) => {
  const { clock, schedule, begun, state } = setUp({ takesMs: 30_000 });
  for (let i = 0; i < 20; i++) schedule.add(torrent(i));
  await clock.advance(29_999);
  t.equal(begun.length, 5);
  await clock.advance(1);
  t.equal(begun.length, 10);
  t.equal(state.mostActive, 5);
});

void t.test('hurried ones overtake new ones, but never twice within a minute', async (t) => {
  const { clock, schedule, begun, times } = setUp();
  for (let i = 0; i < 500; i++) schedule.add(torrent(i));
  await clock.advance(10_000);
  schedule.add(torrent(777));
  schedule.hurry(torrent(777));
  await clock.advance(6_000);
  t.equal(times(777).length, 1, 'soon');
  for (let i = 0; i < 300; i++) {
    schedule.hurry(torrent(777));
    await clock.advance(1_000);
  }
  const gaps = times(777).map((ms, i, all) => ms - (all[i - 1] ?? -Infinity));
  t.ok(times(777).length >= 4 && gaps.every((gap) => gap >= MINUTE), `${gaps.length} times`);
  schedule.hurry(torrent(9_999));
  t.ok(
    begun.every((entry) => entry.torrent !== 9_999),
    'unknown ones are ignored',
  );
});

void t.test('those that always hurry leave a quarter to the others', async (t) => {
  const { clock, schedule, times } = setUp();
  const hasty = Array.from({ length: 100 }, (_, i) => torrent(1_000 + i));
  for (let i = 0; i < 10; i++) schedule.add(torrent(i));
  for (const infoHash of hasty) schedule.add(infoHash);
  for (let minute = 0; minute < 60; minute++) {
    for (const infoHash of hasty) schedule.hurry(infoHash);
    await clock.advance(MINUTE);
  }
  for (let i = 0; i < 10; i++) t.ok(times(i).length >= 4, `torrent ${i}: ${times(i).length} times in an hour`);
});

void t.test('nothing begins with nobody to ask; waking begins', async (t) => {
  const { clock, schedule, begun, state } = setUp({ ready: false });
  schedule.add(torrent(1));
  await clock.advance(60 * MINUTE);
  t.equal(begun.length, 0);
  t.equal(clock.pendingTimers, 0, 'and nothing ticks');
  state.ready = true;
  schedule.wake();
  await clock.advance(0);
  t.equal(begun.length, 1);
});

void t.test('nobody answered: again after a minute', async (t) => {
  const { clock, schedule, times } = setUp({ outcome: 'unanswered' });
  schedule.add(torrent(1));
  await clock.advance(5 * MINUTE);
  t.same(times(1), [0, 62_000, 124_000, 186_000, 248_000]);
});

void t.test('removed in the middle of a lookup, and closed', async (t) => {
  const { clock, schedule, begun } = setUp();
  schedule.add(torrent(1));
  schedule.add(torrent(2));
  await clock.advance(1_000);
  schedule.remove(torrent(1));
  await clock.advance(60 * MINUTE);
  t.equal(begun.filter((entry) => entry.torrent === 1).length, 1);
  t.equal(schedule.size, 1);
  schedule.close();
  schedule.hurry(torrent(2));
  t.equal(clock.pendingTimers, 0);
});
