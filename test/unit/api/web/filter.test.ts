// What the list shows for what is chosen and typed, and that the counts at the side say the same.
import t from 'tap';
import { Facets, passesAll } from '../../../../api/web/src/state/facets.js';
import { idsOf } from '../../../../api/web/src/state/category-tree.js';
import {
  choose,
  compileKinds,
  kindOf,
  NO_FILTER,
  withoutKind,
  type Choosing,
  type FacetKey,
  type Filter,
  type LabelIds,
} from '../../../../api/web/src/state/filter.js';
import { filterOf, queryOf } from '../../../../api/web/src/state/filter-query.js';
import { STATE_FILTERS } from '../../../../api/web/src/state/state-filter.js';
import { stateOf } from '../../../../api/web/src/state/torrent-state.js';
import type { Torrent } from '../../../../api/web/src/live/messages.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { torrent } from './torrent-samples.js';

/** `tv` has `tv/anime` below it. */
const CATEGORIES = [
  { id: 3, name: 'tv' },
  { id: 4, name: 'tv/anime' },
];
const passesOf = (change: Partial<Filter>) => {
  const kinds = [...compileKinds({ ...NO_FILTER, ...change }, ids).values()];
  return (torrent: Torrent) => kinds.every((passes) => passes(torrent));
};
const ids: LabelIds = (kind, value) => (kind === 'category' ? idsOf(CATEGORIES, value) : [Number(value)]);
const LINUX = { id: 7, name: 'linux', color: '' };

void t.test('the state is one word', async (t) => {
  const cases = [
    { flags: { files_missing: true, verifying: true, paused: true }, expected: 'missing' },
    { flags: { verifying: true, paused: true }, expected: 'verifying' },
    { flags: { paused: true, completed: true }, expected: 'finished' },
    { flags: { paused: true }, expected: 'paused' },
    { flags: { queued: true, completed: true }, expected: 'queued' },
    { flags: { completed: true }, expected: 'seeding' },
    { flags: { total_bytes: 0 }, expected: 'metadata' },
    { flags: { download_rate: 5 }, expected: 'downloading' },
    { flags: {}, expected: 'stalled' },
  ];
  for (const { flags, expected } of cases) t.equal(stateOf(torrent('a', flags)), expected, JSON.stringify(flags));
});

void t.test('filters', async (t) => {
  const all = [
    torrent('a1', { name: 'Debian 12 amd64', category_id: 3, tags: [LINUX], trackerHosts: ['t.example'] }),
    torrent('b2', { name: 'Blender movie', completed: true, upload_rate: 9 }),
    torrent('c3', { name: 'debian 11 i386', paused: true, tags: [LINUX] }),
  ];
  const cases: { change: Partial<Filter>; expected: string }[] = [
    { change: {}, expected: 'a1 b2 c3' },
    { change: { only: ['state:seeding'] }, expected: 'b2' },
    { change: { only: ['state:active'] }, expected: 'b2' },
    { change: { only: ['state:inactive'] }, expected: 'a1 c3' },
    { change: { only: ['state:stalled'] }, expected: 'a1' },
    { change: { only: ['state:paused'] }, expected: 'c3' },
    { change: { only: ['state:paused', 'state:seeding'] }, expected: 'b2 c3' },
    { change: { not: ['state:paused'] }, expected: 'a1 b2' },
    { change: { not: ['state:paused', 'state:seeding'] }, expected: 'a1' },
    { change: { only: ['category:3'] }, expected: 'a1' },
    { change: { only: ['category:0'] }, expected: 'b2 c3' },
    { change: { only: ['category:0', 'category:3'] }, expected: 'a1 b2 c3' },
    { change: { only: ['tag:7'] }, expected: 'a1 c3' },
    { change: { only: ['tag:7', 'state:paused'] }, expected: 'c3' },
    { change: { only: ['tag:7'], not: ['state:paused'] }, expected: 'a1' },
    { change: { not: ['tag:0'] }, expected: 'a1 c3' },
    { change: { only: ['tracker:t.example'] }, expected: 'a1' },
    { change: { only: ['tracker:'] }, expected: 'b2 c3' },
    { change: { not: ['tracker:'] }, expected: 'a1' },
  ];
  for (const { change, expected } of cases) {
    const shown = all.filter(passesOf(change)).map(({ id }) => id);
    t.equal(shown.join(' '), expected, JSON.stringify(change));
  }
  const facets = new Facets();
  // Twice: what is there already is not counted again.
  for (const each of [...all, ...all]) facets.set(each);
  for (const state of STATE_FILTERS) {
    const count = all.filter(passesOf({ only: [`state:${state}`] })).length;
    t.equal(facets.count(`state:${state}`), count, state);
  }
  t.same(
    [facets.count('category:3'), facets.count('category:0'), facets.count('tag:7'), facets.count('tag:0')],
    [1, 2, 2, 1],
  );
  t.same(facets.trackerHosts, ['t.example']);
  for (const { id } of all) facets.delete(id);
  t.equal(facets.count('state:all'), 0);
  t.same(facets.trackerHosts, []);
});

void t.test('1,000 rounds of changes: the counts are those of counting anew', async (t) => {
  const random = new SeededRandom(21);
  const torrents = new Map<string, Torrent>();
  const facets = new Facets();
  const [aHost, bHost] = [['a.example'], ['b.example', 'a.example']];
  for (let round = 0; round < 1_000; round++) {
    const id = `t${random.below(30)}`;
    const before = torrents.get(id) ?? torrent(id);
    const changes: Partial<Torrent>[] = [
      { download_rate: random.below(2), upload_rate: random.below(2) },
      { paused: random.below(2) === 0, queued: random.below(2) === 0 },
      { completed: random.below(2) === 0 },
      { category_id: random.below(3) || null },
      { tags: random.below(2) === 0 ? [] : [LINUX] },
      { trackerHosts: [[], aHost, bHost][random.below(3)]! },
    ];
    if (random.below(8) === 0) {
      torrents.delete(id);
      facets.delete(id);
    } else {
      const after = { ...before, ...changes[random.below(changes.length)] };
      torrents.set(id, after);
      facets.set(after);
    }
    const all = [...torrents.values()];
    const isRight = (key: FacetKey) => facets.count(key) === all.filter(passesOf({ only: [key] })).length;
    const right = [
      ...STATE_FILTERS.map((state) => isRight(`state:${state}`)),
      ...[0, 1, 2].map((id) => isRight(`category:${id}`)),
      ...[0, 7].map((id) => isRight(`tag:${id}`)),
      ...['', 'a.example', 'b.example'].map((host) => isRight(`tracker:${host}`)),
    ];
    const hosts = [...new Set(all.flatMap(({ trackerHosts }) => trackerHosts))].sort();
    if (right.includes(false) || facets.trackerHosts.join() !== hosts.join()) return void t.fail(`round ${round}`);
  }
  t.equal(facets.trackerHosts, facets.trackerHosts, 'the same array while they are the same');
});

void t.test('1,000 rounds of changes under filters: counts and sizes are those of counting anew', async (t) => {
  const random = new SeededRandom(22);
  const torrents = new Map<string, Torrent>();
  const facets = new Facets();
  const hosts = [[], ['a.example'], ['b.example', 'a.example']];
  const keys: readonly FacetKey[] = [
    ...(['all', 'seeding', 'paused', 'active', 'completed', 'disk'] as const).map(
      (state): FacetKey => `state:${state}`,
    ),
    ...(['category:0', 'category:3', 'category:4', 'tag:0', 'tag:7', 'tracker:', 'tracker:a.example'] as const),
  ];
  const any = () => keys[random.below(keys.length)]!;
  let [filter, rest] = [NO_FILTER, (_torrent: Torrent) => true];
  let narrowed = 0;
  for (let round = 0; round < 1_000; round++) {
    if (random.below(10) === 0) {
      filter = Array.from({ length: random.below(4) }).reduce<Filter>(
        (chosen) => choose(chosen, any(), (['only', 'also', 'not'] as const)[random.below(3)]!),
        NO_FILTER,
      );
      const digit = String(random.below(10));
      rest = random.below(2) === 0 ? () => true : ({ id }) => !id.includes(digit);
      facets.narrow({ kinds: compileKinds(filter, ids), rest });
    }
    const id = `t${random.below(30)}`;
    if (random.below(8) === 0) {
      torrents.delete(id);
      facets.delete(id);
    } else {
      const after = torrent(id, {
        upload_rate: random.below(2),
        paused: random.below(3) === 0,
        completed: random.below(2) === 0,
        category_id: [null, 3, 4][random.below(3)]!,
        tags: random.below(2) === 0 ? [] : [LINUX],
        trackerHosts: hosts[random.below(3)]!,
        total_bytes: random.below(3) * 1_000,
      });
      torrents.set(id, after);
      facets.set(after);
    }
    const [passes, inList] = [passesOf(filter), passesAll({ kinds: compileKinds(filter, ids), rest })];
    for (const each of torrents.values()) {
      if (inList(each) !== (passes(each) && rest(each))) return void t.fail(`round ${round}: ${each.id}`);
    }
    for (const key of keys) {
      // Of the choice's own kind nothing else holds. A category is counted without what is below it.
      const others = passesOf(withoutKind(filter, kindOf(key)));
      const isOf = key.startsWith('category:')
        ? ({ category_id }: Torrent) => key === `category:${category_id ?? 0}`
        : passesOf({ only: [key] });
      const expected = [...torrents.values()].filter((each) => others(each) && rest(each) && isOf(each));
      const shown = facets.shown(key);
      const bytes = expected.reduce((sum, { total_bytes }) => sum + total_bytes, 0);
      if (shown.count !== expected.length || shown.bytes !== bytes) return void t.fail(`round ${round}: ${key}`);
      if (shown.count !== facets.count(key)) narrowed++;
    }
  }
  t.ok(narrowed > 1_000, 'counts were fewer than all');
});

void t.test('choosing: only this, this as well, all but this', async (t) => {
  const after = (...steps: readonly (readonly [FacetKey, Choosing])[]) => {
    const { only, not } = steps.reduce((filter, [key, how]) => choose(filter, key, how), NO_FILTER);
    return [...only, ...not.map((key) => `-${key}`)].join(' ');
  };
  t.equal(after(['state:paused', 'only']), 'state:paused');
  t.equal(after(['state:paused', 'only'], ['state:queued', 'only']), 'state:queued', 'instead');
  t.equal(after(['state:paused', 'only'], ['state:paused', 'only']), '', 'again: no more');
  t.equal(after(['state:paused', 'only'], ['tag:7', 'only']), 'state:paused tag:7', 'of another kind: besides');
  t.equal(after(['state:paused', 'only'], ['state:queued', 'also']), 'state:paused state:queued');
  t.equal(after(['state:paused', 'also'], ['state:queued', 'also'], ['state:queued', 'only']), 'state:queued');
  t.equal(after(['state:paused', 'also'], ['state:paused', 'also']), '');
  t.equal(after(['tag:7', 'only'], ['tag:7', 'not']), '-tag:7');
  t.equal(after(['tag:7', 'not'], ['tag:7', 'not']), '');
  t.equal(after(['tag:7', 'not'], ['tag:7', 'also']), 'tag:7');
  const mixed = { ...NO_FILTER, only: ['state:paused', 'tag:7'], not: ['state:queued'] } as const;
  t.same(withoutKind(mixed, 'state'), { ...NO_FILTER, only: ['tag:7'] });
});

void t.test('a filter goes into an address and comes back', async (t) => {
  const filters: readonly Partial<Filter>[] = [
    {},
    { only: ['state:seeding', 'category:0', 'tag:7', 'tracker:t.example'] },
    { only: ['tracker:'], not: ['state:paused', 'tracker:x&y=z'] },
    { search: 'size>10G "a b" -c & d#e' },
  ];
  for (const change of filters) {
    const filter = { ...NO_FILTER, ...change };
    t.same(filterOf(queryOf(filter)), filter, queryOf(filter));
  }
  t.equal(queryOf({ only: ['state:seeding'], not: ['tag:7'], search: 'x' }), '?state=seeding&not-tag=7&q=x');
  t.equal(queryOf(NO_FILTER), '');
  t.same(filterOf('?state=nonsense&state=all&category=-1&tag=x&other=1'), NO_FILTER, 'what is not understood');
  t.same(filterOf('?category=tv/&category=/&category=tv'), { ...NO_FILTER, only: ['category:tv/'] }, 'a level');
  t.same(filterOf('?tag=7&tag=7&not-tag=7'), { ...NO_FILTER, only: ['tag:7'] }, 'once each');
});
