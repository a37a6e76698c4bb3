import t from 'tap';
import { slope } from '../../../../bench/measure/trend.js';

const at = (...values: readonly number[]) => values.map((value, index) => ({ at: index * 2, value }));

void t.test('slopes', async (t) => {
  t.equal(slope(at(1, 2, 3)), 0.5);
  t.equal(slope(at(5, 5, 5)), 0);
  t.equal(slope(at(0, 4, 0, 4)), 0.4, 'of the line that is nearest to all');
  t.ok(Number.isNaN(slope(at(1))));
});
