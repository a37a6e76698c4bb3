// Which filter an item is added by, and that no number of filters or kind of pattern keeps the thread.
import t from 'tap';
import { digestOf, enabledFilters, ItemFilter } from '../../../../../api/services/rss/item-filter.js';
import type { StoredFilter } from '../../../../../api/services/rss/feed-records.js';

const filter = (id: number, regex: string, change: Partial<StoredFilter> = {}): StoredFilter => ({
  id,
  feed_id: 1,
  regex,
  category_id: null,
  save_path: '',
  enabled: true,
  ...change,
});
const deps = { nowMs: () => performance.now(), onInvalid: () => undefined };

void t.test('filters are OR-ed, the first by id wins, whatever the order in which they are stored', async (t) => {
  const stored = [filter(9, 'a'), filter(3, 'b'), filter(4, 'ab'), filter(1, '', { enabled: false })];
  const filters = enabledFilters([...stored, filter(2, '', { feed_id: 2 })], 1);
  t.same(
    filters.map(({ id }) => id),
    [3, 4, 9],
  );
  const compiled = await ItemFilter.compile(filters, deps);
  t.equal((await compiled.firstFor('xabx'))?.id, 3);
  t.equal((await compiled.firstFor('a'))?.id, 9);
  t.equal(await compiled.firstFor('c'), null);
});

void t.test('a title that is excluded from one filter may pass the next', async (t) => {
  const compiled = await ItemFilter.compile([filter(1, 'show', { exclude_regex: '(?i)cam' }), filter(2, 'CAM')], deps);
  t.equal((await compiled.firstFor('show'))?.id, 1);
  t.equal((await compiled.firstFor('show CAM'))?.id, 2);
  t.equal(await compiled.firstFor('show cam'), null);
});

void t.test('no enabled filter lets nothing through', async (t) => {
  t.equal(await (await ItemFilter.compile([], deps)).firstFor('anything'), null);
});

void t.test('a pattern that does not compile any more is left out and told of', async (t) => {
  const told: number[] = [];
  const compiled = await ItemFilter.compile([filter(1, '(a'), filter(2, '')], {
    ...deps,
    onInvalid: (id) => told.push(id),
  });
  t.equal((await compiled.firstFor('a'))?.id, 2);
  t.same(told, [1]);
});

void t.test('the digest changes with what is let through, and with nothing else', async (t) => {
  const before = digestOf([filter(1, 'a'), filter(2, 'b')]);
  t.equal(digestOf([filter(1, 'a', { save_path: '/x', category_id: 3 }), filter(2, 'b')]), before);
  t.not(digestOf([filter(1, 'a', { exclude_regex: 'x' }), filter(2, 'b')]), before);
  for (const other of [[filter(1, 'a')], [filter(1, 'a'), filter(2, 'c')], [filter(1, 'a'), filter(3, 'b')]]) {
    t.not(digestOf(other), before);
  }
});

void t.test('1,000 items times 100 filters let others run in between', async (t) => {
  const filters = Array.from({ length: 100 }, (_, n) => filter(n + 1, `(?i)show\\.${n}x.*s\\d{2}e\\d{2}`));
  const compiled = await ItemFilter.compile(filters, deps);
  let turns = 0;
  let isRunning = true;
  const watch = (): void => {
    turns++;
    if (isRunning) setImmediate(watch);
  };
  setImmediate(watch);
  for (let n = 0; n < 1_000; n++) t.equal(await compiled.firstFor(`Some.Show.${n}.S01E01.1080p`), null);
  isRunning = false;
  // One for each few milliseconds: in one go there would be none.
  t.ok(turns >= 10, `${turns} turns`);
});

void t.test('(a+)+$ against a 10,000-character title is cheap, and patterns that are not have an end', async (t) => {
  const started = performance.now();
  const evil = await ItemFilter.compile([filter(1, '(a+)+$')], deps);
  t.equal(await evil.firstFor(`${'a'.repeat(10_000)}!`), null);
  t.ok(performance.now() - started < 2_000);
  let nowMs = 0;
  // Each look at the clock is 300 ms later, as if a match had taken that long.
  const slow = await ItemFilter.compile([filter(1, 'x')], { ...deps, nowMs: () => (nowMs += 300) });
  const all = async () => {
    for (let n = 0; n < 1_000; n++) await slow.firstFor('title');
  };
  await t.rejects(all(), { code: 'UPSTREAM_FAILED', message: 'filters: take too long for this feed' });
});
