import t from 'tap';
import { median, percentile } from '../../../../bench/measure/percentile.js';

void t.test('the median of odd, even and no samples', async (t) => {
  t.equal(median([9, 1, 5]), 5);
  t.equal(median([4, 1, 3, 2]), 2.5);
  t.equal(median([10, 9, 100]), 10, 'compared as numbers');
  t.ok(Number.isNaN(median([])));
});

void t.test('a percentile is the nearest rank', async (t) => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  t.equal(percentile(hundred, 99), 99);
  t.equal(percentile(hundred, 50), 50);
  t.equal(percentile([3, 1, 2], 99), 3, 'of few samples it is the largest');
  t.equal(percentile([7], 0), 7);
  t.ok(Number.isNaN(percentile([], 99)));
});
