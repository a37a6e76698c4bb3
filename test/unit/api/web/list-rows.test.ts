// The rows of the list: which places exist for how far it is scrolled, which row shows which torrent, and which stay
// where they are when the order changes.
import t from 'tap';
import { displacementOf } from '../../../../api/web/src/features/list/anchor.js';
import { assignRows } from '../../../../api/web/src/features/list/row-pool.js';
import { isInView, scrollToRow, seenRows, windowOf } from '../../../../api/web/src/features/list/row-window.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const ROW_PX = 10;
const VIEW_PX = 95;

for (const { isMoving, ahead, most } of [
  { isMoving: true, ahead: 8, most: 10 + 16 + 12 },
  { isMoving: false, ahead: 2, most: 10 + 4 + 2 },
]) {
  void t.test(
    `${isMoving ? 'moving' : 'at rest'}: what is on the screen has rows, and few on either side`,
    async (t) => {
      for (let scrollPx = 0; scrollPx < 500 * ROW_PX; scrollPx += 7) {
        const { first, end } = windowOf({ scrollPx, viewPx: VIEW_PX, rowPx: ROW_PX, isMoving }, 1_000);
        const [top, bottom] = [scrollPx / ROW_PX, (scrollPx + VIEW_PX) / ROW_PX];
        if (first > Math.max(0, top - ahead) || end < bottom + ahead || end - first > most) {
          t.fail(`${scrollPx}: ${first} to ${end}`);
        }
      }
    },
  );
}

void t.test('moving, a window stays where it is for some rows', async (t) => {
  const firsts = Array.from({ length: 60 }, (_, row) => {
    const view = { scrollPx: (100 + row) * ROW_PX, viewPx: VIEW_PX, rowPx: ROW_PX, isMoving: true };
    const { first, end } = windowOf(view, 1_000);
    return `${first}-${end}`;
  });
  t.ok(new Set(firsts).size <= 21, `${new Set(firsts).size} windows for 60 rows`);
});

void t.test('a window ends with the list', async (t) => {
  const view = { viewPx: VIEW_PX, rowPx: ROW_PX, isMoving: true };
  const at = (scrollPx: number, count: number) => windowOf({ scrollPx, ...view }, count);
  t.same(at(0, 3), { first: 0, end: 3 });
  t.same(at(0, 0), { first: 0, end: 0 });
  t.same(at(9_000, 5), { first: 5, end: 5 }, 'what is left of a longer list');
  t.equal(at(900, 100).end, 100);
});

void t.test('to see a row, no further than needed', async (t) => {
  const view = { scrollPx: 200, viewPx: VIEW_PX, rowPx: ROW_PX };
  const cases = [
    { index: 0, expected: 0 },
    { index: 19, expected: 190 },
    { index: 20, expected: 200 },
    { index: 28, expected: 200 },
    { index: 29, expected: 205 },
    { index: 99, expected: 905 },
  ];
  for (const { index, expected } of cases) t.equal(scrollToRow(view, index), expected, `row ${index}`);
});

void t.test('a row is in view by any part of it', async (t) => {
  const view = { scrollPx: 205, viewPx: VIEW_PX, rowPx: ROW_PX };
  for (const [index, expected] of [
    [19, false],
    [20, true],
    [29, true],
    [30, false],
  ] as const) {
    t.equal(isInView(view, index), expected, `row ${index}`);
  }
});

void t.test('rows stay with their torrents; those that are free take what comes', async (t) => {
  t.same(assignRows([], ['a', 'b'], 5), { ids: ['a', 'b'], places: [5, 6] });
  t.same(assignRows(['a', 'b', 'c'], ['b', 'c', 'd'], 1), { ids: ['d', 'b', 'c'], places: [3, 1, 2] });
  t.same(assignRows(['a', 'b'], ['b', 'a', 'c'], 0), { ids: ['a', 'b', 'c'], places: [1, 0, 2] }, 'another order');
  t.same(assignRows(['a', 'b', 'c'], ['c'], 7), { ids: ['a', 'b', 'c'], places: [-1, -1, 7] }, 'fewer');
  t.same(assignRows(['a', 'b'], ['a'], 0).places, [0, -1]);
});

void t.test('1,000 scrolls: each torrent of the window has one row, at its place', async (t) => {
  const random = new SeededRandom(3);
  let order = Array.from({ length: 200 }, (_, i) => `t${i}`);
  let rows: readonly string[] = [];
  for (let round = 0; round < 1_000; round++) {
    if (random.below(5) === 0) order = [...order.slice(random.below(200)), ...order].slice(0, 200);
    const unique = [...new Set(order)];
    const first = random.below(unique.length);
    const ids = unique.slice(first, first + 20 + random.below(10));
    const before = rows;
    const assigned = assignRows(rows, ids, first);
    rows = assigned.ids;
    const shown = new Map(rows.flatMap((id, row) => (assigned.places[row] === -1 ? [] : [[id, assigned.places[row]]])));
    const isRight = shown.size === ids.length && ids.every((id, at) => shown.get(id) === first + at);
    const isKept = before.every((id, row) => !ids.includes(id) || rows[row] === id);
    if (!isRight || !isKept || new Set(rows).size !== rows.length) return void t.fail(`round ${round}`);
  }
  t.ok(rows.length <= 30, 'no more rows than the largest window');
});

void t.test('seen are the rows that are in the view from their top to their end', async (t) => {
  t.same(seenRows({ scrollPx: 0, viewPx: VIEW_PX, rowPx: ROW_PX }), { first: 0, end: 9 });
  t.same(seenRows({ scrollPx: 205, viewPx: VIEW_PX, rowPx: ROW_PX }), { first: 21, end: 30 });
});

void t.test('what is seen has moved as far as most of its rows have', async (t) => {
  const ids = Array.from({ length: 2_000 }, (_, at) => `torrent ${at}`);
  const seen = { first: 1_000, end: 1_010 };
  const after = (change: (order: string[]) => void) => {
    const order = [...ids];
    change(order);
    return displacementOf(ids, order, seen);
  };
  t.equal(
    after(() => undefined),
    0,
  );
  const added = (count: number) => Array.from({ length: count }, (_, at) => `new ${at}`);
  t.equal(
    after((order) => order.unshift(...added(3))),
    3,
    'some came above',
  );
  t.equal(
    after((order) => order.splice(0, 7)),
    -7,
    'some above are gone',
  );
  t.equal(
    after((order) => order.splice(1_500, 7)),
    0,
    'some below are gone',
  );
  t.equal(
    after((order) => order.unshift(...added(900))),
    900,
    'far away',
  );
  t.equal(
    after((order) => order.push(...order.splice(1_000, 8))),
    -8,
    'the few that are left',
  );
  t.equal(
    after((order) => order.splice(1_000, 10)),
    0,
    'none is left',
  );
  t.equal(
    after((order) => order.splice(1_003, 0, 'new')),
    1,
    'more have moved than have not',
  );
});
