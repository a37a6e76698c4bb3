import t from 'tap';
import type { Random } from '../../../../engine/environment.js';
import { backOffMs, nextAnnounce, withJitter } from '../../../../engine/tracker/next-announce.js';
import { SeededRandom } from '../../../support/seeded-random.js';

/** No jitter: always the middle. */
const middle: Random = { below: (bound) => Math.floor(bound / 2), bytes: (length) => new Uint8Array(length) };
const lowest: Random = { ...middle, below: () => 0 };
const NOW = 1_000_000;

void t.test('the interval is clamped to 60 s … 24 h and defaults to 30 min', async (t) => {
  const cases = [
    { name: 'usual', given: 1800, expected: 1800 },
    { name: 'zero', given: 0, expected: 60 },
    { name: 'negative', given: -1, expected: 60 },
    { name: 'huge', given: 2 ** 40, expected: 86_400 },
    { name: 'absent or no number', given: null, expected: 1800 },
  ];
  for (const { name, given, expected } of cases) {
    const next = nextAnnounce(3, { kind: 'answered', intervalSec: given, minIntervalSec: null }, NOW, middle);
    t.equal(next.dueMs - NOW, expected * 1000, name);
    t.equal(next.fails, 0, 'a success forgets failures');
  }
});

void t.test('the minimum interval bounds early announces, and jitter never undercuts it', async (t) => {
  const next = nextAnnounce(0, { kind: 'answered', intervalSec: 900, minIntervalSec: 900 }, NOW, lowest);
  t.equal(next.dueMs - NOW, 900_000);
  t.equal(next.earliestMs - NOW, 900_000);
  const without = nextAnnounce(0, { kind: 'answered', intervalSec: 900, minIntervalSec: null }, NOW, lowest);
  t.equal(without.dueMs - NOW, 810_000, 'ten per cent early');
  t.equal(without.earliestMs - NOW, 300_000, 'libtorrent: 300 s where the tracker names none');
  const eager = nextAnnounce(0, { kind: 'answered', intervalSec: 120, minIntervalSec: null }, NOW, middle);
  t.equal(eager.earliestMs - NOW, 120_000, 'never later than the regular announce');
});

void t.test('back-off: min(60 min, 5 + 5 · fails² · 2.5) s', async (t) => {
  t.same(
    [1, 2, 3, 10, 16, 17, 1000].map((fails) => backOffMs(fails) / 1000),
    [17.5, 55, 117.5, 1255, 3205, 3600, 3600],
  );
  const next = nextAnnounce(1, { kind: 'failed' }, NOW, middle);
  t.same(next, { fails: 2, dueMs: NOW + 55_000, earliestMs: NOW + 55_000 });
});

void t.test('jitter stays within ten per cent either way, and reaches both sides', async (t) => {
  const seed = 7;
  const random = new SeededRandom(seed);
  const delays = Array.from({ length: 2000 }, () => withJitter(10_000, random));
  t.ok(Math.min(...delays) >= 9000 && Math.max(...delays) <= 11_000, `seed ${seed}`);
  t.ok(Math.min(...delays) < 9100 && Math.max(...delays) > 10_900, `seed ${seed}`);
});
