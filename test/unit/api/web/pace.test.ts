import t from 'tap';
import { Pace } from '../../../../api/web/src/state/pace.js';

void t.test('at once, then only after a while', async (t) => {
  const pace = new Pace(900);
  const asked = [0, 100, 899, 900, 1_000, 5_000].map((nowMs) => pace.waitMs(nowMs));
  t.same(asked, [0, 800, 1, 0, 800, 0]);
});
