// Where what is dropped in the list goes in the queue.
import t from 'tap';
import { dropPosition } from '../../../../api/web/src/state/queue-order.js';

const queueOf = (order: string) => [...order].map((id, queue_position) => ({ id, queue_position }));

/** As the server does it: `before` counts those that do not move. */
function moved(order: string, ids: string, before: number): string {
  const others = [...order].filter((id) => !ids.includes(id));
  others.splice(before, 0, ...[...order].filter((id) => ids.includes(id)));
  return others.join('');
}

void t.test('dropping in a gap', async (t) => {
  const drop = (order: string, shown: string, ids: string, gap: number) => {
    const rows = queueOf(order).filter(({ id }) => shown.includes(id));
    return moved(order, ids, dropPosition(rows, new Set(ids), gap));
  };
  t.equal(drop('abcdef', 'abcdef', 'a', 3), 'bcadef');
  t.equal(drop('abcdef', 'abcdef', 'f', 0), 'fabcde');
  t.equal(drop('abcdef', 'abcdef', 'bd', 6), 'acefbd');
  t.equal(drop('abcdef', 'abcdef', 'b', 1), 'abcdef', 'where it is');
  t.equal(drop('abcdef', 'abcdef', 'b', 2), 'abcdef', 'just behind itself');
  t.equal(drop('abcdef', 'ace', 'e', 1), 'abecdf', 'of a list that shows only some: before the next shown');
  t.equal(drop('abcdef', 'ace', 'a', 3), 'bcdeaf', 'behind the last shown');
  t.equal(drop('abcdef', 'bd', 'bd', 1), 'bdacef', 'nothing else is shown');
});
