import t from 'tap';
import { openFileLimit } from '../../../../engine/disk/open-file-limit.js';

void t.test('a tenth of the descriptors, at most 500', async (t) => {
  t.equal(openFileLimit(1024), 102);
  t.equal(openFileLimit(256), 25);
  t.equal(openFileLimit(1_048_576), 500);
  t.equal(openFileLimit(Infinity), 500);
  t.equal(openFileLimit(5), 1);
  t.equal(openFileLimit(null), 100);
});
