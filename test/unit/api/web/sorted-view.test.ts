// The order of the list after any changes is that of sorting everything anew.
import t from 'tap';
import { firstSort, orderOf, type Order, type Sort, type SortKey } from '../../../../api/web/src/state/sort.js';
import { SortedView } from '../../../../api/web/src/state/sorted-view.js';
import { isInState, type StateFilter } from '../../../../api/web/src/state/state-filter.js';
import type { Torrent } from '../../../../api/web/src/live/messages.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { torrent } from './torrent-samples.js';

const SORTS: readonly Sort[] = [
  { key: 'name', descending: false },
  { key: 'down', descending: true },
  { key: 'eta', descending: false },
];
const NOW_MS = 1_700_000_100_000;
const FILTERS: readonly StateFilter[] = ['all', 'downloading', 'paused', 'stalled'];
const noName = () => null;
const inState = (state: StateFilter) => (shown: Torrent) => isInState(shown, state);

for (const sort of SORTS) {
  void t.test(`1,000 rounds of changes, by ${sort.key}`, async (t) => {
    const random = new SeededRandom(5);
    const torrents = new Map<string, Torrent>();
    let passes = inState('downloading');
    const order = orderOf(sort, noName, NOW_MS);
    const view = new SortedView(torrents, passes, order);
    let wrong = 0;
    let most = 0;
    for (let round = 0; round < 1_000; round++) {
      const changed = Array.from({ length: random.below(6) }, () => `t${random.below(60)}`);
      for (const id of changed) {
        if (random.below(5) === 0) torrents.delete(id);
        else torrents.set(id, someTorrent(id, random));
      }
      view.update(changed);
      if (random.below(4) === 0) view.narrow((passes = inState(FILTERS[random.below(FILTERS.length)]!)));
      const expected = [...torrents.values()].filter(passes).sort(byOrder(order));
      if (JSON.stringify(view.ids) !== JSON.stringify(expected.map(({ id }) => id))) wrong++;
      if ([...torrents.values()].some((one) => view.has(one.id) !== passes(one))) wrong++;
      most = Math.max(most, view.ids.length);
    }
    t.equal(wrong, 0);
    t.ok(most > 5, 'there was something to sort');
  });
}

void t.test('what is not shown does not make a new list', async (t) => {
  const torrents = new Map([['a', torrent('a', { paused: true })]]);
  const view = new SortedView(torrents, inState('seeding'), orderOf(SORTS[0]!, noName, NOW_MS));
  const before = view.ids;
  view.update(['a']);
  t.equal(view.ids, before);
});

void t.test('another filter of the same torrents does not touch what was given out', async (t) => {
  const torrents = new Map(['a', 'b', 'c'].map((id, at) => [id, torrent(id, { paused: at === 1 })]));
  const view = new SortedView(torrents, inState('all'), orderOf(SORTS[0]!, noName, NOW_MS));
  const before = view.ids;
  view.narrow(inState('paused'));
  t.same([before, view.ids], [['a', 'b', 'c'], ['b']]);
  const paused = view.ids;
  view.narrow(inState('paused'));
  t.equal(view.ids, paused, 'the same array where the same are shown');
});

void t.test('who asks for what is shown already has nobody asked whether it passes', async (t) => {
  const torrents = new Map(['a', 'b'].map((id) => [id, torrent(id)]));
  let asked = 0;
  const passes = () => ++asked > 0;
  const view = new SortedView(torrents, passes, orderOf(SORTS[0]!, noName, NOW_MS));
  view.narrow(passes);
  t.same([asked, view.ids], [2, ['a', 'b']]);
});

void t.test('only what is sorted by moves a torrent', async (t) => {
  const torrents = new Map(['a', 'b', 'c'].map((id, at) => [id, torrent(id, { download_rate: at })]));
  const view = new SortedView(torrents, inState('all'), orderOf({ key: 'down', descending: true }, noName, NOW_MS));
  const before = view.ids;
  const change = (id: string, figures: Partial<Torrent>) => {
    torrents.set(id, { ...torrents.get(id)!, ...figures });
    view.update([id]);
  };
  change('a', { upload_rate: 5 });
  t.equal(view.ids, before, 'the same array');
  change('a', { download_rate: 9 });
  t.same(view.ids, ['a', 'c', 'b']);
  t.same(before, ['c', 'b', 'a'], 'what was given out before stays as it was');
  change('b', { download_rate: 2.5 });
  t.same(view.ids, ['a', 'b', 'c'], 'past one that is where it was');
});

void t.test('spans that go on are compared as of one moment', async (t) => {
  const seeding = (id: string, seconds: number, since: number) =>
    torrent(id, { completed: true, seeding_seconds: seconds, seeding_since: since });
  const nowS = NOW_MS / 1_000;
  const torrents = new Map(
    [seeding('short', 10, nowS - 20), seeding('long', 10, nowS - 500)].map((one) => [one.id, one]),
  );
  const order = orderOf({ key: 'seedingTime', descending: true }, noName, NOW_MS);
  const view = new SortedView(torrents, inState('all'), order);
  t.same(view.ids, ['long', 'short']);
  const before = view.ids;
  view.update(['short', 'long']);
  t.equal(view.ids, before, 'later, and nothing else has changed');
});

void t.test('what has nothing in the column comes last, whichever way round', async (t) => {
  const torrents = [
    torrent('done', { completed: true, category_id: null, total_bytes: 0, added_at: 0 }),
    torrent('slow', { download_rate: 1, bytes_done: 1, progress: 0.1, category_id: 2, added_at: 5 }),
    torrent('fast', { download_rate: 90, bytes_done: 1, progress: 0.1, category_id: 9, total_bytes: 5, added_at: 9 }),
    torrent('still', { paused: true, category_id: 4, total_bytes: 0, added_at: 0 }),
  ];
  const names = new Map([
    [2, 'music 10'],
    [9, 'Music 2'],
  ]);
  const nameOf = (id: number | null) => names.get(id ?? 0) ?? null;
  const cases: readonly { key: SortKey; up: string; down: string }[] = [
    { key: 'eta', up: 'fast slow done still', down: 'slow fast done still' },
    { key: 'down', up: 'slow fast done still', down: 'fast slow done still' },
    { key: 'size', up: 'fast slow done still', down: 'slow fast done still' },
    { key: 'added', up: 'slow fast done still', down: 'fast slow done still' },
    { key: 'category', up: 'fast slow done still', down: 'slow fast done still' },
  ];
  for (const { key, up, down } of cases) {
    const ids = (descending: boolean) =>
      [...torrents]
        .sort(byOrder(orderOf({ key, descending }, nameOf, NOW_MS)))
        .map(({ id }) => id)
        .join(' ');
    t.same({ up: ids(false), down: ids(true) }, { up, down }, key);
  }
});

void t.test('figures and dates begin with the most and the newest', async (t) => {
  for (const key of ['down', 'up', 'size', 'progress', 'seeds', 'peers', 'added'] as const) {
    t.ok(firstSort(key).descending, key);
  }
  for (const key of ['name', 'eta', 'category', 'queue'] as const) t.notOk(firstSort(key).descending, key);
});

function byOrder({ value, compare }: Order): (a: Torrent, b: Torrent) => number {
  return (a, b) => compare(value(a), value(b)) || (a.id < b.id ? -1 : 1);
}

function someTorrent(id: string, random: SeededRandom): Torrent {
  return torrent(id, {
    name: `name ${random.below(20)}`,
    paused: random.below(4) === 0,
    download_rate: random.below(3) * 1_000,
    progress: random.below(10) / 10,
    bytes_done: random.below(1_000),
  });
}
