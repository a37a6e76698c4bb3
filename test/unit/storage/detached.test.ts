import t from 'tap';
import { detached } from '../../../storage/detached.js';

void t.test('a copy of plain data is the same and shares nothing', (t) => {
  const row = { id: 'ab', n: 0, gone: undefined, none: null, tiers: [['a', 'ü'], []], limits: { down: 1 }, ok: true };
  const copy = detached(row);
  t.strictSame(copy, row);
  t.ok('gone' in copy, 'a field that is there and undefined stays there');
  t.not(copy.tiers[0], row.tiers[0]);
  t.not(copy.limits, row.limits);
  t.end();
});
