// When feeds are polled: intervals, jitter, back-off and what happens at the start (docs/semantics.md sections 4, 9 and
// 13).
import t from 'tap';
import {
  firstPollMs,
  intervalMs,
  isOverdue,
  pauseMs,
  retryAt,
  unfinishedMs,
} from '../../../../../api/services/rss/poll-schedule.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const CHANCES = [0, 0.25, 0.5, 0.75, 0.999_999];

void t.test('interval 0 is 30 minutes, and nothing is polled more often than every 5', async (t) => {
  for (const [given, minutes] of [
    [0, 30],
    [1, 5],
    [4, 5],
    [5, 5],
    [6, 6],
    [525_600, 525_600],
  ] as const) {
    t.equal(intervalMs(given), minutes * MINUTE_MS, `${given}`);
  }
});

void t.test('jitter of 10 % to both sides, never below the floor', async (t) => {
  const pauses = CHANCES.map((chance) => pauseMs(60, 0, chance) / MINUTE_MS);
  t.match(
    pauses.map((minutes) => Math.round(minutes * 10) / 10),
    [54, 57, 60, 63, 66],
  );
  for (const chance of CHANCES) t.ok(pauseMs(5, 0, chance) >= 5 * MINUTE_MS);
});

void t.test(
  'back-off: twice as long with each failure up to 6 hours, or its own interval where that is longer',
  async (t) => {
    const hours = (interval: number, failures: number) => pauseMs(interval, failures, 0.5) / HOUR_MS;
    t.same(
      [0, 1, 2, 3, 4, 5, 500].map((failures) => hours(0, failures)),
      [0.5, 1, 2, 4, 6, 6, 6],
    );
    t.same(
      [0, 1, 9].map((failures) => hours(24 * 60, failures)),
      [24, 24, 24],
    );
  },
);

void t.test('what was left to do is taken up soon, then ever later, but no later than usual', async (t) => {
  t.same(
    [1, 2, 3, 9].map((times) => unfinishedMs(0, times) / MINUTE_MS),
    [1, 2, 4, 30],
  );
});

void t.test('at the start a feed waits for the rest of its interval', async (t) => {
  const now = 1_700_000_000_000;
  for (const chance of CHANCES) {
    const left = firstPollMs({ intervalMin: 60, lastPolledMs: now - 20 * MINUTE_MS }, now, 0, chance);
    t.ok(left >= 40 * MINUTE_MS && left <= 46 * MINUTE_MS, `${left}`);
    const setBack = firstPollMs({ intervalMin: 60, lastPolledMs: now + 999 * HOUR_MS }, now, 0, chance);
    t.ok(setBack >= 60 * MINUTE_MS && setBack <= 66 * MINUTE_MS, 'a clock that was set back');
  }
});

void t.test('at the start overdue feeds are spread: a few over 10 s, a thousand over 10 minutes', async (t) => {
  const now = 1_700_000_000_000;
  const never = { intervalMin: 0, lastPolledMs: 0 };
  t.ok(isOverdue(never, now));
  t.ok(isOverdue({ intervalMin: 0, lastPolledMs: now - 30 * MINUTE_MS }, now));
  t.notOk(isOverdue({ intervalMin: 0, lastPolledMs: now - 29 * MINUTE_MS }, now));
  const latest = (overdue: number) => Math.round(firstPollMs(never, now, overdue, 0.999_999) / 1_000);
  t.same([1, 10, 60, 1_000, 10_000].map(latest), [10, 10, 60, 600, 600]);
  t.equal(firstPollMs(never, now, 1, 0), 0);
});

void t.test('an item that fails is tried at the next poll, then after ever longer', async (t) => {
  const minutes = [1, 2, 3, 4, 5, 6].map((tries) => retryAt(0, 30, tries) / 60);
  t.same(minutes, [0, 27, 81, 189, 324, 324]);
});
