// Moves in the queue, carried out as the server does: each takes a torrent out and puts it in at its position.
import t from 'tap';
import { dropPosition, queueMoves } from '../../../../api/web/src/state/queue-order.js';

const queueOf = (order: string) => [...order].map((id, queue_position) => ({ id, queue_position }));

function moved(order: string, ids: string, position: number | 'end'): string {
  const queue = [...order];
  for (const { id, pos } of queueMoves(
    queueOf(order).filter((one) => ids.includes(one.id)),
    position,
  )) {
    queue.splice(queue.indexOf(id), 1);
    queue.splice(Math.min(pos, queue.length), 0, id);
  }
  return queue.join('');
}

void t.test('they end one behind the other, in their order', async (t) => {
  const cases = [
    { ids: 'a', position: 2, expected: 'bcadef' },
    { ids: 'f', position: 0, expected: 'fabcde' },
    { ids: 'ab', position: 4, expected: 'cdefab' },
    { ids: 'ab', position: 1, expected: 'cabdef' },
    { ids: 'ef', position: 0, expected: 'efabcd' },
    { ids: 'af', position: 2, expected: 'bcafde' },
    { ids: 'ace', position: 1, expected: 'bacedf' },
    { ids: 'ace', position: 'end', expected: 'bdface' },
    { ids: 'bc', position: 1, expected: 'abcdef' },
  ] as const;
  for (const { ids, position, expected } of cases)
    t.equal(moved('abcdef', ids, position), expected, `${ids} ${position}`);
});

void t.test('nothing is asked for what is in its place', async (t) => {
  t.same(queueMoves(queueOf('abc').slice(0, 2), 0), []);
});

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
