// What keys mean: combinations, pairs, and whose they are.
import t from 'tap';
import { comboOf, outcomeOf, SHORTCUTS } from '../../../../api/web/src/features/help/shortcuts.js';

const PLAIN = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

void t.test('how keys are written', async (t) => {
  const cases = [
    { pressed: { key: 'a' }, expected: 'a' },
    { pressed: { key: 'A' }, expected: 'a' },
    { pressed: { key: 'A', shiftKey: true }, expected: 'A' },
    { pressed: { key: '?', shiftKey: true }, expected: '?' },
    { pressed: { key: '/', shiftKey: true }, expected: '/' },
    { pressed: { key: ' ' }, expected: 'Space' },
    { pressed: { key: 'a', ctrlKey: true }, expected: 'Ctrl+a' },
    { pressed: { key: 'a', metaKey: true }, expected: 'Ctrl+a' },
    { pressed: { key: 'ArrowUp', altKey: true }, expected: 'Alt+ArrowUp' },
    { pressed: { key: 'End', shiftKey: true }, expected: 'Shift+End' },
  ];
  for (const { pressed, expected } of cases) t.equal(comboOf({ ...PLAIN, ...pressed }), expected, expected);
});

void t.test('pairs', async (t) => {
  t.same(outcomeOf(null, 'g', false), { kind: 'begun', pending: 'g' });
  t.same(outcomeOf('g', 's', false), { kind: 'action', action: 'goSettings' });
  t.same(outcomeOf('g', 'a', false), { kind: 'action', action: 'add' }, 'what begins no pair is meant by itself');
  t.same(outcomeOf('g', 'g', false), { kind: 'begun', pending: 'g' });
  t.same(outcomeOf('g', 'x', false), { kind: 'none' });
});

void t.test('keys of the list are its own', async (t) => {
  for (const keys of ['Delete', 'Enter', 'Space', 'ArrowDown', 'Ctrl+a']) {
    t.equal(outcomeOf(null, keys, true).kind, 'action', keys);
    t.equal(outcomeOf(null, keys, false).kind, 'none', keys);
  }
  t.equal(outcomeOf(null, 'Ctrl+p', true).kind, 'none', 'printing');
});

void t.test('nothing means two things', async (t) => {
  const keys = SHORTCUTS.map((shortcut) => shortcut.keys);
  t.equal(new Set(keys).size, keys.length);
});
