import t from 'tap';
import { inQueueOrder, keysToInsert } from '../../../../engine/session/queue-keys.js';
import { ADMIN_ACCOUNT_ID, parseInfoHash } from '../../../../shared-protocol/ids.js';
import type { TorrentRow } from '../../../../storage/types.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const rowOf = (n: number, change: Partial<TorrentRow>): TorrentRow => ({
  id: parseInfoHash(n.toString(16).padStart(40, '0')),
  ownerId: ADMIN_ACCOUNT_ID,
  savePath: '/save',
  addedAt: 0,
  completedAt: null,
  paused: false,
  sequential: false,
  name: String(n),
  trackers: [],
  webSeeds: [],
  filePriorities: null,
  summary: null,
  selectOnly: null,
  ...change,
});

void t.test('one row is written where there is room', async (t) => {
  const cases = [
    { name: 'alone', keys: [], at: 0, expected: { first: 0, keys: [0] } },
    { name: 'to the front', keys: [4, 5], at: 0, expected: { first: 0, keys: [3] } },
    { name: 'to the end', keys: [4, 5], at: 2, expected: { first: 2, keys: [6] } },
    { name: 'between two', keys: [4, 5, 9], at: 1, expected: { first: 1, keys: [4.5] } },
    { name: 'between two far apart', keys: [-4, 4], at: 1, expected: { first: 1, keys: [0] } },
  ];
  for (const { name, keys, at, expected } of cases) t.same(keysToInsert(keys, at), expected, name);
});

void t.test('where no number is left between two, a few around are spread, never the last', async (t) => {
  const next = 1 + Number.EPSILON;
  const { first, keys } = keysToInsert([0, 1, next, 3, 4, 5], 2);
  t.equal(first, 1, 'of those around');
  t.equal(keys.length, 3);
  t.same([0, ...keys, 3], [0, 0.75, 1.5, 2.25, 3]);
  const atFront = keysToInsert([1, next], 1);
  t.same(atFront.first, 0);
  t.ok(atFront.keys.every((key) => key < next) && atFront.keys.length === 2, 'before the last there is room below');
});

void t.test('a thousand moves to wherever it hurts most keep the order and rewrite little', async (t) => {
  for (const where of ['front', 'second', 'middle', 'anywhere'] as const) {
    const random = new SeededRandom(3);
    let order = Array.from({ length: 200 }, (_, id) => ({ id, key: id }));
    let written = 0;
    for (let move = 0; move < 1_000; move++) {
      const from = where === 'anywhere' ? random.below(200) : 199;
      const moving = order[from]!;
      const others = order.filter((one) => one !== moving);
      const at = { front: 0, second: 1, middle: 100, anywhere: random.below(200) }[where];
      const spot = keysToInsert(
        others.map(({ key }) => key),
        at,
      );
      const expected = [...others.slice(0, at), moving, ...others.slice(at)];
      spot.keys.forEach((key, i) => (expected[spot.first + i]!.key = key));
      written += spot.keys.length;
      order = [...expected].sort((a, b) => a.key - b.key);
      if (order.some(({ id }, i) => id !== expected[i]!.id)) throw new Error(`${where}: order lost in move ${move}`);
    }
    t.ok(written < 5_000, `${where}: ${written} rows`);
  }
});

void t.test('stored rows: by key, then those of before there were keys, oldest first', async (t) => {
  const rows = [
    rowOf(1, { addedAt: 50 }),
    rowOf(2, { addedAt: 40 }),
    rowOf(3, { addedAt: 60, queueKey: 8 }),
    rowOf(4, { addedAt: 70, queueKey: -2.5 }),
    rowOf(5, { addedAt: 40 }),
    rowOf(6, { addedAt: 80, queueKey: 8 }),
  ];
  t.same(
    inQueueOrder(rows).map(({ row, key, isNew }) => [row.name, key, isNew]),
    [
      ['4', -2.5, false],
      ['3', 8, false],
      ['6', 9, true],
      ['2', 10, true],
      ['5', 11, true],
      ['1', 12, true],
    ],
    'and no two have the same',
  );
  t.same(
    inQueueOrder([rowOf(1, {}), rowOf(2, {})]).map(({ key }) => key),
    [0, 1],
  );
});
