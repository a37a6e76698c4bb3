// Several torrents moved together in the queue: the order that comes of it, and the keys that are written for it.
import t from 'tap';
import fc from 'fast-check';
import type { QueueTarget } from '../../../../shared-protocol/commands/limits.js';
import { keysToReorder } from '../../../../engine/session/queue-keys.js';
import { admittedMoves, movedOrder } from '../../../../engine/session/queue-moves.js';

const moved = (order: string, moving: string, to: QueueTarget): string =>
  movedOrder([...order], new Set(moving), to).join('');

void t.test('those that move keep their order, and so do the others', (t) => {
  const cases: readonly [moving: string, to: QueueTarget, expected: string][] = [
    ['DB', 'top', 'BDACE'],
    ['DB', 'bottom', 'ACEBD'],
    ['DB', 'up', 'BADCE'],
    ['AB', 'up', 'ABCDE'],
    ['ABD', 'up', 'ABDCE'],
    ['CDE', 'up', 'ACDEB'],
    ['DB', 'down', 'ACBED'],
    ['DE', 'down', 'ABCDE'],
    ['ABE', 'down', 'CABDE'],
    ['DB', 1, 'ABDCE'],
    ['AB', 2, 'CDABE'],
    ['AB', 99, 'CDEAB'],
    ['E', -3, 'EABCD'],
    ['', 'top', 'ABCDE'],
    ['ABCDE', 'down', 'ABCDE'],
  ];
  for (const [moving, to, expected] of cases) t.equal(moved('ABCDE', moving, to), expected, `${moving} to ${to}`);
  t.end();
});

void t.test('one that may only move forward stays where it would fall behind', (t) => {
  const cases: readonly [moving: string, to: QueueTarget, expected: string][] = [
    ['AC', 'bottom', 'BCDEA'],
    ['C', 'down', 'ABCDE'],
    ['CE', 'top', 'CEABD'],
    ['CE', 3, 'ABCED'],
    ['CE', 1, 'ACEBD'],
  ];
  for (const [moving, to, expected] of cases) {
    const { order } = admittedMoves([...'ABCDE'], new Set(moving), to, (member) => member === 'C');
    t.equal(order.join(''), expected, `${moving} to ${to}`);
  }
  t.end();
});

void t.test('keys are written for what moves, and put all in the new order, whatever was moved before', (t) => {
  const target = fc.oneof(fc.constantFrom<QueueTarget>('top', 'bottom', 'up', 'down'), fc.integer({ min: -1, max: 9 }));
  const move = fc.record({ to: target, moving: fc.uniqueArray(fc.nat(7), { minLength: 1 }) });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      let last = 7;
      let first = 0;
      const ends = { nextKey: () => ++last, firstKey: () => --first };
      const members = Array.from({ length: 8 }, (_, key) => ({ name: key, key }));
      let order: readonly (typeof members)[number][] = members;
      for (const { to, moving } of moves) {
        const chosen = new Set(members.filter(({ name }) => moving.includes(name)));
        const expected = movedOrder(order, chosen, to);
        for (const [member, key] of keysToReorder(expected, chosen, ends)) member.key = key;
        order = [...members].sort((a, b) => a.key - b.key);
        if (order.some((member, at) => member !== expected[at])) return false;
      }
      return true;
    }),
  );
  t.end();
});

void t.test('only keys of those that move are written where there is room; else all are', (t) => {
  const members = [0, 1, 2, 3].map((key) => ({ key }));
  const [a, b, c, d] = members as [{ key: number }, { key: number }, { key: number }, { key: number }];
  let last = 3;
  const ends = { nextKey: () => ++last, firstKey: () => -1 };
  t.same([...keysToReorder([a, d, b, c], new Set([d]), ends)], [[d, 0.5]]);
  t.same([...keysToReorder([a, b, c, d], new Set([b]), ends)], [], 'it stands there already');
  const close = [{ key: 0 }, { key: 2 ** -13 }, { key: 5 }];
  const [first, second, third] = close;
  t.same([...keysToReorder([first!, third!, second!], new Set([third!]), ends).values()], [4, 5, 6]);
  t.end();
});
