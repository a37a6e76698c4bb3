// The regression behind the soak: leaks are seen in noise, noise is not seen as a leak.
import t from 'tap';
import { MEASURES, type Measure, type Sample } from '../../soak/samples.js';
import { slopeOf } from '../../soak/slope.js';
import { judge, renderVerdicts, type TimedSample } from '../../soak/verdict.js';
import { SeededRandom } from '../../support/seeded-random.js';

const times = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const uniform = (random: SeededRandom): number => random.below(2_000) / 1_000 - 1;

void t.test('a line is found exactly, and one through noise within its interval', async (t) => {
  const exact = slopeOf(times(5), [1, 3, 5, 7, 9]);
  t.same([exact.perTime, exact.low, exact.high, exact.noise], [2, 2, 2, 0]);
  // Computed by hand: residuals -0.1, 0.2, -0.1; they alternate, so nothing is widened; t of one degree is 63.7.
  const three = slopeOf([0, 1, 2], [0, 1.3, 2]);
  t.ok(Math.abs(three.perTime - 1) < 1e-9);
  t.ok(Math.abs(three.high - 1 - (63.7 * Math.sqrt(0.06)) / Math.SQRT2) < 1e-3);
  t.throws(() => slopeOf([0, 1], [0, 1]), /a slope of 2 times/);
});

void t.test('of a hundred noisy series hardly one seems to grow, of a hundred noisy slopes all do', async (t) => {
  const random = new SeededRandom(1);
  const grows = (perTime: number): number =>
    times(100).filter(
      () =>
        slopeOf(
          times(40),
          times(40).map((i) => perTime * i + uniform(random)),
        ).low > 0,
    ).length;
  t.ok(grows(0) <= 2);
  t.equal(grows(0.1), 100);
});

void t.test('slow swings are no slope', async (t) => {
  const swings = times(40).map((i) => Math.sin(i / 6));
  t.ok(slopeOf(times(40), swings).low < 0);
});

const steady = Object.fromEntries(MEASURES.map((measure) => [measure, 10])) as Record<Measure, number>;

function series(measure: Measure, value: (i: number) => number): TimedSample[] {
  return times(30).map((i) => ({ minute: i / 10, sample: { ...steady, [measure]: value(i) } satisfies Sample }));
}

const grown = (samples: readonly TimedSample[]): Measure[] =>
  judge(samples)
    .filter(({ hasGrown }) => hasGrown)
    .map(({ measure }) => measure);

void t.test('what leaks is named; what warms up, or grows by less than a little, is not', async (t) => {
  const random = new SeededRandom(2);
  t.same(grown(series('descriptors', (i) => 10 + i / 5 + uniform(random))), ['descriptors']);
  t.same(grown(series('heap of engine MB', (i) => 10 + i / 5)), ['heap of engine MB']);
  t.same(grown(series('heap of engine MB', (i) => Math.min(i, 10))), [], 'a warm-up');
  t.same(grown(series('heap of engine MB', (i) => 10 + i / 20)), [], 'a megabyte');
  t.same(grown(series('timers of main', (i) => 10 - i)), [], 'fewer');
  t.match(renderVerdicts(judge(series('descriptors', (i) => i))), /GROWS +descriptors +10\.0 → 29\.0/);
});
