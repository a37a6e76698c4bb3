// How many values a text has, as it is told before the text is parsed.
import t from 'tap';
import { hasMoreValuesThan } from '../../../../../api/services/remotes/json-values.js';

void t.test('values are counted, and what is in texts is not', (t) => {
  for (const [most, json] of [
    [0, '"a,[{"'],
    [0, '"\\\\\\",[{"'],
    [1, '[1]'],
    [3, '[1,2,3]'],
    [5, '[{"a, b":[],"[":{}}]'],
  ] as const) {
    const bytes = Buffer.from(json);
    t.equal(hasMoreValuesThan(most, bytes), false, json);
    if (most > 0) t.equal(hasMoreValuesThan(most - 1, bytes), true, json);
  }
  t.end();
});
