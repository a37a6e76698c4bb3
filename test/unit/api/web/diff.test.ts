// What the worker tells the page of a snapshot: exactly what is different.
import t from 'tap';
import { TorrentDiff, trackerHostsOf } from '../../../../api/web/src/live/diff.js';
import { DetailDiff } from '../../../../api/web/src/live/detail-diff.js';
import type { DetailChange, TorrentChanges } from '../../../../api/web/src/live/messages.js';
import { Detail } from '../../../../api/web/src/state/detail.js';
import { Torrents } from '../../../../api/web/src/state/torrents.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import type { DetailDto, FileDto } from '../../../../shared-protocol/dto/inspector.js';
import { dto, torrent } from './torrent-samples.js';

const TAG = { id: 1, name: 'linux', color: '#09f' };

void t.test('everything at first, then what changed, came or went', async (t) => {
  const diff = new TorrentDiff();
  const idsOf = (snapshot: Parameters<TorrentDiff['next']>[0]) => {
    const { added, patches, removed } = diff.next(snapshot);
    return { added: added.map(({ id }) => id), patches, removed };
  };
  const slow = { id: 'a', download_rate: 1 };
  t.same(idsOf([dto('a'), dto('b')]), { added: ['a', 'b'], patches: [], removed: [] });
  t.same(idsOf([dto('a'), dto('b')]), { added: [], patches: [], removed: [] });
  t.same(idsOf([dto('a', slow), dto('b')]), { added: [], patches: [slow], removed: [] }, 'only what is different');
  t.same(idsOf([dto('a', slow), dto('b')]), { added: [], patches: [], removed: [] });
  t.same(idsOf([dto('b'), dto('c')]), { added: ['c'], patches: [], removed: ['a'] });
  t.same(idsOf([dto('c'), dto('b')]), { added: [], patches: [], removed: [] }, 'the order is no change');
  t.same(idsOf([]), { added: [], patches: [], removed: ['c', 'b'] });
});

void t.test('tags are compared by what they say', async (t) => {
  const diff = new TorrentDiff();
  const patches = (tags: (typeof TAG)[]) => diff.next([dto('a', { tags })]).patches;
  t.same(patches([TAG]), []);
  t.same(patches([{ ...TAG }]), [], 'each frame has objects of its own');
  t.same(patches([{ ...TAG, name: 'bsd' }]), [{ id: 'a', tags: [{ ...TAG, name: 'bsd' }] }]);
  t.equal(patches([{ ...TAG, name: 'bsd' }, TAG]).length, 1);
  t.same(patches([]), [{ id: 'a', tags: [] }]);
});

void t.test('a field that this page does not know yet is a change all the same', async (t) => {
  const diff = new TorrentDiff();
  diff.next([dto('a')]);
  t.same(diff.next([{ ...dto('a'), ...{ novel: 1 } }]).patches, [{ id: 'a', novel: 1 }]);
});

void t.test('a tracker that is added comes with its host', async (t) => {
  const diff = new TorrentDiff();
  diff.next([dto('a')]);
  const magnet = 'magnet:?tr=https://a.example/x';
  t.same(diff.next([dto('a', { magnet })]).patches, [{ id: 'a', magnet, trackerHosts: ['a.example'] }]);
});

void t.test('deltas go on from the list before them, and a list from the deltas', async (t) => {
  const diff = new TorrentDiff();
  diff.next([dto('a'), dto('b')]);
  const upsert = [{ id: 'a', download_rate: 5 }, dto('c', { magnet: 'magnet:?tr=https://c.example/x' })];
  const { added, patches, removed } = diff.apply({ upsert, removed: ['b', 'never there'] });
  t.match(added, [{ id: 'c', trackerHosts: ['c.example'] }]);
  t.same(patches, [{ id: 'a', download_rate: 5 }]);
  t.same(removed, ['b']);
  t.same(diff.apply({ upsert, removed: [] }), { added: [], patches: [], removed: [] }, 'known by now');
  const slow = { id: 'a', download_rate: 0 };
  t.same(diff.next([dto('a'), dto('b')]), { added: [torrent('b')], patches: [slow], removed: ['c'] });
});

void t.test('500 rounds: what is patched together is what was sent', async (t) => {
  const random = new SeededRandom(9);
  const diff = new TorrentDiff();
  const page = new Torrents();
  for (let round = 0; round < 500; round++) {
    const sent = Array.from({ length: random.below(20) }, (_, i) => dto(`t${i}`, { download_rate: random.below(3) }));
    page.apply(JSON.parse(JSON.stringify(diff.next(sent))) as TorrentChanges);
    const expected = sent.map((one) => ({ ...one, trackerHosts: [] }));
    const shown = expected.map(({ id }) => page.all.get(id));
    if (page.all.size !== sent.length || JSON.stringify(shown) !== JSON.stringify(expected)) t.fail(`round ${round}`);
  }
});

void t.test('hosts of trackers', async (t) => {
  const cases = [
    { magnet: 'magnet:?xt=urn:btih:00', expected: [] },
    { magnet: 'magnet:?xt=urn:btih:00&tr=udp%3A%2F%2Ft.example%3A1337%2Fannounce', expected: ['t.example'] },
    {
      magnet: 'magnet:?tr=https://a.example/x&tr=http://b.example&tr=https://a.example/y',
      expected: ['a.example', 'b.example'],
    },
    { magnet: 'magnet:?tr.1=http://a.example', expected: ['a.example'] },
    { magnet: 'magnet:?tr=%E0%A4%A&tr=nonsense&tr=http://c.example', expected: ['c.example'] },
  ];
  for (const { magnet, expected } of cases) t.same(trackerHostsOf(magnet), expected, magnet);
});

void t.test('details: of the files only those that have changed', async (t) => {
  const diff = new DetailDiff();
  t.same(diff.next(detail('a', files(3))).files, { kind: 'all', files: files(3) });
  t.same(diff.next(detail('a', files(3))).files, { kind: 'some', files: [] });
  t.same(diff.next(detail('a', files(3, 1))).files, { kind: 'some', files: [files(3, 1)[1]] });
  t.equal(diff.next(detail('a')).files, null);
  t.same(diff.next(detail('a', files(3, 1))).files, { kind: 'some', files: [] }, 'another tab was looked at');
  t.equal(diff.next(detail('a', files(4, 1))).files?.kind, 'all');
  t.equal(diff.next(detail('b', files(4, 1))).files?.kind, 'all', 'another torrent');
});

void t.test('500 rounds of details: what is put together is what was sent', async (t) => {
  const random = new SeededRandom(4);
  const diff = new DetailDiff();
  const page = new Detail();
  for (let round = 0; round < 500; round++) {
    const list = random.below(4) === 0 ? undefined : files(2 + random.below(2), random.below(5));
    const sent = detail(['a', 'b'][random.below(8) >> 2]!, list);
    const shown = page.apply(JSON.parse(JSON.stringify(diff.next(sent))) as DetailChange);
    if (JSON.stringify(shown) !== JSON.stringify(sent)) return void t.fail(`round ${round}`);
  }
});

void t.test('files that did not change are the same list', async (t) => {
  const page = new Detail();
  const first = page.apply({ detail: detail('a'), files: { kind: 'all', files: files(2) } }).files;
  t.equal(page.apply({ detail: detail('a'), files: { kind: 'some', files: [] } }).files, first);
  const changed = page.apply({ detail: detail('a'), files: { kind: 'some', files: [files(2, 1)[1]!] } }).files;
  t.same(changed, files(2, 1));
  t.equal(changed?.[0], first?.[0]);
});

function files(count: number, moving = -1): readonly FileDto[] {
  return Array.from({ length: count }, (_, index) => {
    const done = index === moving ? 5 : 0;
    return { index, path: `f/${index}`, size: 10, bytes_done: done, progress: done / 10, priority: 'normal' };
  });
}

function detail(id: string, list?: readonly FileDto[]): DetailDto {
  const { trackerHosts: _hosts, tags: _tags, completed_at: _never, ...rest } = torrent(id);
  return {
    ...rest,
    first_last_first: false,
    ratio: 0,
    total_down: 0,
    total_up: 0,
    ...(list ? { files: [...list] } : {}),
  };
}
