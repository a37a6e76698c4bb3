// What the list shows for what is chosen and typed, and that the counts at the side say the same.
import t from 'tap';
import { Facets } from '../../../../api/web/src/state/facets.js';
import { compileFilter, NO_FILTER, STATE_FILTERS, type Filter } from '../../../../api/web/src/state/filter.js';
import { stateOf } from '../../../../api/web/src/state/torrent-state.js';
import type { Torrent } from '../../../../api/web/src/live/messages.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { torrent } from './torrent-samples.js';

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
    { change: { search: 'DEBIAN' }, expected: 'a1 c3' },
    { change: { search: '12 debian' }, expected: 'a1' },
    { change: { search: 'b2' }, expected: 'b2' },
    { change: { search: 'nothing' }, expected: '' },
    { change: { state: 'seeding' }, expected: 'b2' },
    { change: { state: 'active' }, expected: 'b2' },
    { change: { state: 'paused' }, expected: 'c3' },
    { change: { categoryId: 3 }, expected: 'a1' },
    { change: { categoryId: 0 }, expected: 'b2 c3' },
    { change: { tagId: 7 }, expected: 'a1 c3' },
    { change: { tagId: 7, state: 'paused' }, expected: 'c3' },
    { change: { tagId: 0 }, expected: 'b2' },
    { change: { trackerHost: 't.example' }, expected: 'a1' },
    { change: { trackerHost: '' }, expected: 'b2 c3' },
  ];
  for (const { change, expected } of cases) {
    const shown = all.filter(compileFilter({ ...NO_FILTER, ...change })).map(({ id }) => id);
    t.equal(shown.join(' '), expected, JSON.stringify(change));
  }
  const facets = new Facets();
  // Twice: what is there already is not counted again.
  for (const each of [...all, ...all]) facets.set(each);
  for (const state of STATE_FILTERS) {
    const count = all.filter(compileFilter({ ...NO_FILTER, state })).length;
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
    const count = (change: Partial<Filter>) => all.filter(compileFilter({ ...NO_FILTER, ...change })).length;
    const right = [
      ...STATE_FILTERS.map((state) => facets.count(`state:${state}`) === count({ state })),
      ...[0, 1, 2].map((categoryId) => facets.count(`category:${categoryId}`) === count({ categoryId })),
      ...[0, 7].map((tagId) => facets.count(`tag:${tagId}`) === count({ tagId })),
      ...['', 'a.example', 'b.example'].map(
        (trackerHost) => facets.count(`tracker:${trackerHost}`) === count({ trackerHost }),
      ),
    ];
    const hosts = [...new Set(all.flatMap(({ trackerHosts }) => trackerHosts))].sort();
    if (right.includes(false) || facets.trackerHosts.join() !== hosts.join()) return void t.fail(`round ${round}`);
  }
  t.equal(facets.trackerHosts, facets.trackerHosts, 'the same array while they are the same');
});
