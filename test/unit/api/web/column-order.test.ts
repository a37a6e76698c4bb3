// The order of columns: as chosen, with those that the choice does not know where they are at first.
import t from 'tap';
import { hiddenOf, moved, ordered } from '../../../../api/web/src/features/list/column-order.js';

const order = (all: string, chosen: string) => ordered([...all], [...chosen]).join('');

void t.test('those that are chosen come in their order, others behind their neighbour', async (t) => {
  t.equal(order('abcd', ''), 'abcd');
  t.equal(order('abcd', 'dcba'), 'dcba');
  t.equal(order('abcd', 'db'), 'adbc');
  t.equal(order('abcd', 'cab'), 'cdab');
  t.equal(order('abc', 'xbbxa'), 'bca', 'of another version of the page, and twice');
});

void t.test('a column is put before another, or at the end', async (t) => {
  const move = (key: string, before: string | null) => moved([...'abcd'], key, before).join('');
  t.equal(move('a', 'c'), 'bacd');
  t.equal(move('d', 'a'), 'dabc');
  t.equal(move('b', null), 'acdb');
  t.equal(move('b', 'b'), 'abcd');
});

void t.test('a column that is newer than the layout is shown as it is at first', (t) => {
  t.same(hiddenOf(['b'], ['a', 'b', 'c'], ['c', 'd']), ['b', 'd'], 'd is new and hidden, c was chosen');
  t.same(hiddenOf(['a'], ['a'], []), ['a'], 'others that are new are shown');
  t.end();
});
