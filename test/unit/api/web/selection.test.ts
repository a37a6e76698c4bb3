// Selecting as in a list of files.
import t from 'tap';
import {
  moveCursor,
  NOTHING_SELECTED,
  select,
  selectAll,
  withoutUnseen,
  type Extension,
  type Selection,
} from '../../../../api/web/src/state/selection.js';

const ORDER = ['a', 'b', 'c', 'd', 'e'];
const shown = ({ ids, cursor }: Selection) => `${[...ids].sort().join('')}@${cursor ?? ''}`;

function after(...clicks: readonly (readonly [id: string, how: Extension])[]): Selection {
  return clicks.reduce((selection, [id, how]) => select(selection, ORDER, id, how), NOTHING_SELECTED);
}

void t.test('by mouse', async (t) => {
  t.equal(shown(after(['b', 'replace'], ['d', 'replace'])), 'd@d');
  t.equal(shown(after(['b', 'replace'], ['d', 'toggle'])), 'bd@d');
  t.equal(shown(after(['b', 'replace'], ['d', 'toggle'], ['b', 'toggle'])), 'd@b');
  t.equal(shown(after(['b', 'replace'], ['d', 'range'])), 'bcd@d');
  t.equal(shown(after(['d', 'replace'], ['b', 'range'])), 'bcd@b', 'upwards');
  t.equal(shown(after(['b', 'replace'], ['e', 'range'], ['c', 'range'])), 'bc@c', 'from the same anchor');
  t.equal(shown(after(['c', 'range'])), 'c@c', 'without an anchor');
});

void t.test('by keys', async (t) => {
  const from = after(['c', 'replace']);
  t.equal(shown(moveCursor(from, ORDER, 1, 'replace')), 'd@d');
  t.equal(shown(moveCursor(from, ORDER, -1, 'range')), 'bc@b');
  t.equal(shown(moveCursor(from, ORDER, Infinity, 'range')), 'cde@e');
  t.equal(shown(moveCursor(from, ORDER, -Infinity, 'replace')), 'a@a');
  t.equal(shown(moveCursor(NOTHING_SELECTED, ORDER, 1, 'replace')), 'a@a', 'down begins at the top');
  t.equal(shown(moveCursor(NOTHING_SELECTED, ORDER, -1, 'replace')), 'e@e', 'up at the bottom');
  t.equal(shown(moveCursor(NOTHING_SELECTED, [], 1, 'replace')), '@');
  t.equal(shown(selectAll(ORDER)), 'abcde@a');
});

void t.test('what is not seen is not selected', async (t) => {
  const selection = after(['b', 'replace'], ['d', 'range']);
  t.equal(
    withoutUnseen(selection, () => true),
    selection,
    'nothing is: the same',
  );
  t.equal(shown(withoutUnseen(selection, (id) => id !== 'd')), 'bc@');
});
