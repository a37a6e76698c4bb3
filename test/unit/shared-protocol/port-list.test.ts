import t from 'tap';
import { parsePortList } from '../../../shared-protocol/port-list.js';

void t.test('ports and ranges of them', async (t) => {
  t.same(parsePortList('51413'), [{ first: 51_413, last: 51_413 }]);
  t.same(parsePortList(' 6881-6889 , 51413'), [
    { first: 6_881, last: 6_889 },
    { first: 51_413, last: 51_413 },
  ]);
  t.same(parsePortList(''), []);
  t.ok(parsePortList('1001-2000'), 'a thousand');
  for (const wrong of ['0', '65536', '10-9', '1-', '-1', 'a', '1,,2', '1001-2001', '1;2']) {
    t.equal(parsePortList(wrong), null, wrong);
  }
});
