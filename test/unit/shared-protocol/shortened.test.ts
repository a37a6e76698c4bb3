// Texts where there is little room.
import t from 'tap';
import { shortened } from '../../../shared-protocol/shortened.js';

void t.test('a text that fits stays, a longer one is cut with a mark', async (t) => {
  t.equal(shortened('abcde', 5), 'abcde');
  t.equal(shortened('abcdef', 5), 'abcd…');
});

void t.test('no character is cut into halves', async (t) => {
  t.equal(shortened('abc🎬def', 5), 'abc…');
  t.equal(shortened('ab🎬cdef', 5), 'ab🎬…');
});
