// What the worker tells the page of a snapshot: exactly what is different.
import t from 'tap';
import { TorrentDiff, trackerHostsOf } from '../../../../api/web/src/live/diff.js';
import { dto } from './torrent-samples.js';

const TAG = { id: 1, name: 'linux', color: '#09f' };

void t.test('everything at first, then what changed, came or went', async (t) => {
  const diff = new TorrentDiff();
  const idsOf = (snapshot: Parameters<TorrentDiff['next']>[0]) => {
    const { upserts, removed } = diff.next(snapshot);
    return { upserts: upserts.map(({ id }) => id), removed };
  };
  t.same(idsOf([dto('a'), dto('b')]), { upserts: ['a', 'b'], removed: [] });
  t.same(idsOf([dto('a'), dto('b')]), { upserts: [], removed: [] });
  t.same(idsOf([dto('a', { download_rate: 1 }), dto('b')]), { upserts: ['a'], removed: [] });
  t.same(idsOf([dto('b'), dto('c')]), { upserts: ['c'], removed: ['a'] });
  t.same(idsOf([dto('c'), dto('b')]), { upserts: [], removed: [] }, 'the order is no change');
  t.same(idsOf([]), { upserts: [], removed: ['c', 'b'] });
});

void t.test('tags are compared by what they say', async (t) => {
  const diff = new TorrentDiff();
  const count = (tags: (typeof TAG)[]) => diff.next([dto('a', { tags })]).upserts.length;
  t.equal(count([TAG]), 1);
  t.equal(count([{ ...TAG }]), 0, 'each frame has objects of its own');
  t.equal(count([{ ...TAG, name: 'bsd' }]), 1);
  t.equal(count([{ ...TAG, name: 'bsd' }, TAG]), 1);
  t.equal(count([]), 1);
});

void t.test('a field that this page does not know yet is a change all the same', async (t) => {
  const diff = new TorrentDiff();
  diff.next([dto('a')]);
  const { upserts } = diff.next([{ ...dto('a'), ...{ novel: 1 } }]);
  t.equal(upserts.length, 1);
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
