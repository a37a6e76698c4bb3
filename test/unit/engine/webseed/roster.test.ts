import t from 'tap';
import { WebSeedRoster } from '../../../../engine/webseed/roster.js';
import { MAX_WEB_SEEDS } from '../../../../shared-protocol/torrent-bounds.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const A = 'http://a.example/';
const B = 'http://b.example/';

void t.test('only usable URLs, each once, at most 30', async (t) => {
  const odd = ['ftp://a.example/', 'nothing', '', A, 'HTTP://A.example/', `http://a.example/${'x'.repeat(2_048)}`, B];
  t.same(
    new WebSeedRoster(odd).views(),
    [A, B].map((url) => ({ url, state: 'idle' })),
  );
  const many = Array.from({ length: 50 }, (_, index) => `http://seed${index}.example/`);
  t.same(
    new WebSeedRoster(many).views().map(({ url }) => url),
    many.slice(0, MAX_WEB_SEEDS),
  );
  const none = new WebSeedRoster([]);
  t.equal(none.take(0), null);
  t.equal(none.nextAttemptMs(), null);
});

void t.test('three at once, each URL once', async (t) => {
  const urls = [1, 2, 3, 4, 5].map((n) => `http://seed${n}.example/`);
  const roster = new WebSeedRoster(urls);
  t.same([roster.take(0), roster.take(0), roster.take(0), roster.take(0)], [...urls.slice(0, 3), null]);
  t.equal(roster.nextAttemptMs(), null, 'it depends on the others');
  roster.onEnded(urls[1]!, { kind: 'failed' }, 10);
  t.equal(roster.nextAttemptMs(), 0);
  t.equal(roster.take(10), urls[3], 'those never tried come before those that failed');
  roster.onEnded(urls[0]!, { kind: 'ok' }, 20);
  t.equal(roster.take(20), urls[4]);
  roster.onEnded(urls[2]!, { kind: 'ok' }, 30);
  t.equal(roster.take(30), urls[0], 'the one that is due longest');
  t.same(
    roster.views().map(({ state }) => state),
    ['connected', 'waiting', 'idle', 'connected', 'connected'],
  );
});

void t.test('failures double the wait from 30 s to 30 min; a connection that lasts forgives them', async (t) => {
  const roster = new WebSeedRoster([A]);
  let nowMs = 5;
  const waits: number[] = [];
  for (let i = 0; i < 9; i++) {
    t.equal(roster.take(nowMs), A);
    roster.onEnded(A, { kind: 'failed' }, nowMs);
    const due = roster.nextAttemptMs() ?? NaN;
    waits.push((due - nowMs) / SECOND);
    t.equal(roster.take(due - 1), null, 'not a moment before');
    nowMs = due;
  }
  t.same(waits, [30, 60, 120, 240, 480, 960, 1_800, 1_800, 1_800]);
  roster.take(nowMs);
  nowMs += 5 * MINUTE;
  roster.onEnded(A, { kind: 'failed' }, nowMs);
  t.equal(roster.nextAttemptMs(), nowMs + 30 * SECOND);
  nowMs += 30 * SECOND;
  roster.take(nowMs);
  roster.onEnded(A, { kind: 'ok' }, nowMs);
  t.equal(roster.take(nowMs), A, 'at once: nothing was wrong with it');
  roster.onEnded(A, { kind: 'failed' }, nowMs);
  t.equal(roster.nextAttemptMs(), nowMs + 30 * SECOND);
});

void t.test('Retry-After is waited for, within reason', async (t) => {
  const cases = [
    { seconds: 120, expected: 2 * MINUTE },
    { seconds: 0, expected: 30 * SECOND },
    { seconds: 3_600, expected: 60 * MINUTE },
    { seconds: 999_999_999_999_999, expected: 60 * MINUTE },
  ];
  for (const { seconds, expected } of cases) {
    const roster = new WebSeedRoster([A]);
    roster.take(7);
    roster.onEnded(A, { kind: 'retry-after', seconds }, 7);
    t.equal(roster.nextAttemptMs(), 7 + expected, `${seconds} s`);
    t.same(roster.views(), [{ url: A, state: 'waiting' }]);
  }
});

void t.test('bad data bans for good; ends that nobody waits for change nothing', async (t) => {
  const roster = new WebSeedRoster([A, B]);
  roster.take(0);
  roster.onEnded(A, { kind: 'bad-data' }, 0);
  roster.onEnded(A, { kind: 'ok' }, 1);
  roster.onEnded(B, { kind: 'bad-data' }, 1);
  roster.onEnded('http://c.example/', { kind: 'failed' }, 1);
  t.same(roster.views(), [
    { url: A, state: 'banned' },
    { url: B, state: 'idle' },
  ]);
  t.equal(roster.take(1e12), B);
  t.equal(roster.take(1e12), null);
  t.equal(roster.nextAttemptMs(), null);
});
