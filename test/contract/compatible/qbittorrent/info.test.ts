// torrents/info and torrents/count: who is shown which torrents, how they are filtered, sorted and cut, and what is refused.
import t from 'tap';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { TORRENT_FLAGS } from '../../../../shared-protocol/stats-table.js';
import { makeTorrent } from '../../../support/make-torrent.js';
import { shownTracker } from '../../../support/shown-details.js';
import { startToolScene, type Fields, type Tool } from '../../../support/qbittorrent-scene.js';

const SECRET = '0123456789abcdef0123456789abcdef';
const TRACKER = `https://tracker.example/${SECRET}/announce`;
const hashOf = (digit: string) => digit.repeat(40);
const magnetOf = (digit: string) => `magnet:?xt=urn:btih:${hashOf(digit)}&dn=name-${digit}&tr=${TRACKER}`;

interface Shown {
  readonly hash: string;
  readonly name: string;
}

async function namesOf(tool: Tool, fields: Fields = {}): Promise<string[]> {
  return (await tool.read<Shown[]>('torrents/info', fields)).map(({ name }) => name);
}

void t.test('strangers and viewers', async (t) => {
  const { harness, admin, ann, bob } = await startToolScene(t);
  for (const digit of ['a', 'b']) await ann.own('POST', '/api/torrents/magnet', { magnet: magnetOf(digit) });
  await admin.own('POST', '/api/torrents/magnet', { magnet: magnetOf('c') });
  await ann.own('POST', `/api/torrents/${hashOf('a')}/shares`, { user_id: bob.accountId, access: 'viewer' });
  harness.engine.setStats(parseInfoHash(hashOf('a')), { workingTracker: 0 });
  const said = `no such key: ${SECRET}`;
  harness.engine.setDetails(parseInfoHash(hashOf('a')), {
    trackers: [shownTracker({ url: TRACKER, status: `error: ${said}`, message: said })],
  });
  t.same((await namesOf(admin)).sort(), ['name-a', 'name-b', 'name-c']);
  t.same((await namesOf(ann)).sort(), ['name-a', 'name-b']);
  t.same(await namesOf(bob), ['name-a']);
  const hashes = ['a', 'b', 'c'].map(hashOf).join('|').toUpperCase();
  t.same(await namesOf(bob, { hashes }), ['name-a'], 'what it may not see does not exist');
  t.same(await namesOf(bob, { hashes: hashOf('c') }), []);
  t.same(await namesOf(bob, { hashes: 'nonsense|' }), []);
  for (const hashes of ['all', '']) t.same(await namesOf(bob, { hashes }), ['name-a']);
  for (const [tool, count] of [
    [admin, 3],
    [ann, 2],
    [bob, 1],
  ] as const) {
    t.match(await tool.get('torrents/count'), { status: 200, text: String(count) });
  }
  for (const fields of [{}, { hashes: hashOf('a') }, { includeTrackers: 'true' }] as Fields[]) {
    t.notMatch((await bob.get('torrents/info', fields)).text, SECRET, 'viewers see no passkeys');
  }
  t.match(await ann.read('torrents/info', { hashes: hashOf('a') }), [{ tracker: TRACKER, hash: hashOf('a') }]);
  await ann.own('DELETE', `/api/torrents/${hashOf('a')}/shares/${bob.accountId}`);
  t.same(await namesOf(bob), [], 'a share that was taken back');
  t.match(await harness.call('GET', '/api/v2/torrents/info'), { status: 403, text: 'Forbidden' });
});

void t.test('filters, categories, tags, order and range', async (t) => {
  const { harness, admin } = await startToolScene(t);
  for (const digit of ['a', 'b', 'c', 'd'])
    await admin.own('POST', '/api/torrents/magnet', { magnet: magnetOf(digit) });
  const { id: category } = await admin.own<{ id: number }>('POST', '/api/categories', {
    ...{ name: 'TV', default_save_path: '', color: '#000000' },
  });
  const { id: tag } = await admin.own<{ id: number }>('POST', '/api/tags', { name: 'Old', color: '#000000' });
  await admin.own('POST', '/api/torrents/category', { infohash: hashOf('b'), category_id: category });
  await admin.own('POST', '/api/tags/assign', { infohash: hashOf('c'), tag_id: tag });
  const { completed, paused } = TORRENT_FLAGS;
  harness.engine.setFacts(parseInfoHash(hashOf('a')), { hasMetadata: true, isPrivate: true, totalBytes: 5 });
  harness.engine.setStats(parseInfoHash(hashOf('a')), { flags: completed, uploadRate: 9, totalUp: 3, bytesDone: 1 });
  harness.engine.setStats(parseInfoHash(hashOf('b')), { flags: paused });

  t.same(await namesOf(admin, { category: 'tv', sort: 'name' }), ['name-b'], 'whatever the case');
  t.same(await namesOf(admin, { category: '', sort: 'name' }), ['name-a', 'name-c', 'name-d']);
  t.same(await namesOf(admin, { category: 'other' }), []);
  t.same(await namesOf(admin, { tag: 'OLD' }), ['name-c']);
  t.same(await namesOf(admin, { tag: '', sort: 'name' }), ['name-a', 'name-b', 'name-d']);
  t.same(await namesOf(admin, { private: 'true' }), ['name-a']);
  t.same(await namesOf(admin, { filter: 'uploading' }).then((names) => names.length), 4, 'none that is known: all');
  t.same(await namesOf(admin, { filter: 'completed' }), ['name-a']);
  t.same(await namesOf(admin, { filter: 'paused' }), ['name-b']);
  t.same(await namesOf(admin, { filter: 'downloading', category: 'TV' }), ['name-b'], 'all that is asked for');
  t.same(await namesOf(admin, { sort: 'name', reverse: 'true' }), ['name-d', 'name-c', 'name-b', 'name-a']);
  t.equal((await namesOf(admin, { sort: 'ratio', reverse: 'true' }))[0], 'name-a');
  t.equal((await namesOf(admin, { sort: 'private' })).at(-1), 'name-a', 'what is not known comes first');
  t.same(await namesOf(admin, { sort: 'name', limit: '2' }), ['name-a', 'name-b']);
  t.same(await namesOf(admin, { sort: 'name', limit: '2', offset: '-1' }), ['name-d']);
  t.same(await namesOf(admin, { sort: 'name', offset: '3', limit: '-5' }), ['name-d']);
  t.equal((await namesOf(admin, { offset: '9' })).length, 4, 'beyond the end: from the beginning');
  const [state] = await admin.read<{ state: string; popularity: number }[]>('torrents/info', { hashes: hashOf('a') });
  t.match(state, { state: 'uploading', ratio: 3, category: '', infohash_v1: hashOf('a') });
});

void t.test('reads by POST, trackers, wrong fields', async (t) => {
  const { harness, admin } = await startToolScene(t);
  const hash = await admin.addFile(
    makeTorrent({ name: 'one.bin', pieceLength: 16_384, files: Buffer.alloc(9) }).torrentBytes,
  );
  harness.engine.setDetails(parseInfoHash(hash), {
    trackers: [
      shownTracker({
        ...{ url: TRACKER, status: 'working', hasTold: true, seeds: 3, peers: 4, downloaded: 5 },
        ...{ answered: true, peersGiven: 7 },
      }),
      shownTracker({ url: 'udp://b.example', tier: 1, status: 'error: no', message: 'no' }),
    ],
  });
  t.match((await admin.post('torrents/info', { hashes: hash, includeTrackers: 'true' })).json(), [
    {
      ...{ hash, content_path: `${harness.filesDir}/one.bin`, total_size: 9 },
      trackers: [
        { url: TRACKER, tier: 0, status: 2, num_seeds: 3, num_leeches: 4, num_peers: 7, num_downloaded: 5, msg: '' },
        { url: 'udp://b.example', tier: 1, status: 4, msg: 'no', num_peers: -1 },
      ],
    },
  ]);
  t.match((await admin.post('torrents/info?hashes=none')).json<Shown[]>(), [{ hash }], 'of a POST the body counts');
  t.match(
    await admin.read('torrents/info?category&filter'),
    [{ hash }],
    'a part of a query without = counts for nothing',
  );
  for (const [fields, name] of [
    [{ limit: 'x' }, 'limit'],
    [{ offset: '1.5' }, 'offset'],
    [{ private: 'maybe' }, 'private'],
    [{ reverse: '2', sort: 'name' }, 'reverse'],
    [{ sort: '__proto__' }, 'sort'],
    [{ sort: 'nothing' }, 'sort'],
    [{ includeTrackers: 'some' }, 'includeTrackers'],
  ] as const) {
    const answer = await admin.get('torrents/info', fields);
    t.match(answer, { status: 400, text: new RegExp(`^${name}: `) }, JSON.stringify(fields));
  }
});
