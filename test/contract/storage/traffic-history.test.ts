// The history of what was moved: sums, what is forgotten and what is kept, over the end of its process.
import { spawnSync } from 'node:child_process';
import t from 'tap';
import { openTrafficHistory } from '../../../storage/lmdb-traffic-history.js';
import {
  pointAt,
  POINTS_KEPT,
  type Moved,
  type Resolution,
  type TrafficBatch,
} from '../../../storage/traffic-history.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const DAY_S = 86_400;
const NOON = 20_000 * DAY_S + DAY_S / 2;

function batch(at: number, moved: Record<string, number>, counters: Record<string, number> = {}): TrafficBatch {
  const both = (numbers: Record<string, number>) =>
    new Map(Object.entries(numbers).map(([name, up]): [string, Moved] => [name, { down: 1, up }]));
  return { at, forgotten: [], moved: both(moved), counters: both(counters) };
}

void t.test('days and five minutes are sums', async (t) => {
  const store = openTrafficHistory(await temporaryDirectory());
  await store.add([batch(NOON, { a: 5, b: 7 }), batch(NOON + 299, { a: 6 })]);
  await store.add([batch(NOON + 300, { a: 1 }), batch(NOON + DAY_S, { a: 2 })]);
  const of = async (series: string, resolution: Resolution) => {
    const last = pointAt(resolution, NOON + DAY_S);
    const points = await store.points(series, resolution, { first: last - 300, last });
    return points.map(({ point, up }) => [point - pointAt(resolution, NOON), up]);
  };
  t.same(await of('a', 'day'), [
    [0, 12],
    [1, 2],
  ]);
  t.same(await of('a', '5min'), [
    [0, 11],
    [1, 1],
    [288, 2],
  ]);
  t.same(await of('b', 'day'), [[0, 7]]);
  t.same(await of('c', 'day'), []);
  const day = pointAt('day', NOON);
  t.same(
    await store.sums(['a', 'b', 'c'], 'day', { first: day, last: day + 1 }),
    new Map([
      ['a', { down: 4, up: 14 }],
      ['b', { down: 1, up: 7 }],
    ]),
  );
  t.same(store.names(''), ['a', 'b']);
  await store.close();
});

void t.test('one that is forgotten begins anew, the others stay', async (t) => {
  const store = openTrafficHistory(await temporaryDirectory());
  await store.add([batch(NOON, { a: 5, b: 7 }, { a: 50, b: 70 })]);
  t.same(
    [store.counted('a'), store.counted('b'), store.counted('c')],
    [{ down: 1, up: 50 }, { down: 1, up: 70 }, null],
  );
  await store.add([{ ...batch(NOON, { b: 1 }), forgotten: ['a', 'never'] }]);
  t.same([store.counted('a'), store.names('')], [null, ['b']]);
  await store.add([{ ...batch(NOON, { a: 2, b: 1 }, { a: 2 }), forgotten: ['a'] }]);
  const day = { first: pointAt('day', NOON), last: pointAt('day', NOON) };
  t.match(await store.points('a', 'day', day), [{ up: 2 }]);
  t.match(await store.points('b', 'day', day), [{ up: 9 }]);
  await store.close();
});

void t.test('what is old goes, and names of which nothing is left, but none that is counted on', async (t) => {
  const store = openTrafficHistory(await temporaryDirectory());
  const later = NOON + POINTS_KEPT.day * DAY_S;
  await store.add([
    batch(NOON, { a: 1, rests: 1 }, { rests: 9 }),
    batch(NOON + DAY_S, { b: 1 }),
    batch(later, { c: 1 }),
  ]);
  await store.trim(later);
  t.same(store.names(''), ['b', 'c', 'rests']);
  const days = { first: pointAt('day', NOON), last: pointAt('day', later) };
  t.same(await store.points('rests', 'day', days), []);
  t.match(await store.points('b', 'day', days), [{ up: 1 }]);
  t.same(
    await store.points('b', '5min', { first: pointAt('5min', NOON), last: pointAt('5min', NOON + 2 * DAY_S) }),
    [],
  );
  t.match(await store.points('c', '5min', { first: pointAt('5min', later), last: pointAt('5min', later) }), [
    { up: 1 },
  ]);
  t.same(store.counted('rests'), { down: 1, up: 9 });
  await store.add([batch(later, { d: 4 })]);
  t.match(await store.points('d', 'day', days), [{ up: 4 }], 'no number is given twice');
  await store.close();
});

void t.test('what was stored is there after a SIGKILL', async (t) => {
  const dir = await temporaryDirectory();
  const module = new URL('../../../storage/lmdb-traffic-history.js', import.meta.url).href;
  const moved = "new Map([['a', { down: 3, up: 4 }]])";
  const script = `
    import { openTrafficHistory } from ${JSON.stringify(module)};
    const store = openTrafficHistory(${JSON.stringify(dir)});
    await store.add([{ at: ${NOON}, forgotten: [], moved: ${moved}, counters: ${moved} }]);
    process.kill(process.pid, 'SIGKILL');`;
  t.equal(spawnSync(process.execPath, ['--input-type=module', '-e', script]).signal, 'SIGKILL');
  const store = openTrafficHistory(dir);
  t.same(store.counted('a'), { down: 3, up: 4 });
  t.same(await store.sums(['a'], 'day', { first: 20_000, last: 20_000 }), new Map([['a', { down: 3, up: 4 }]]));
  await store.close();
});
