// torrents/*: what is told of one torrent, to whom; categories and tags.
import t from 'tap';
import type { TorrentDetails } from '../../../../shared-protocol/commands/inspection.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';
import { startToolScene, type Tool } from '../../../support/qbittorrent-scene.js';
import { QUIET_PEER, shownPeer, shownTracker } from '../../../support/shown-details.js';

const KEY = '0123456789abcdef0123456789abcdef';
const URL = `http://tracker.example/${KEY}/announce`;
const MADE = makeTorrent({ name: 'film', pieceLength: 16_384, files: seededBytes(1, 40_000), trackers: [URL] });
const ID = parseInfoHash(MADE.infoHash);
const UNKNOWN = 'f'.repeat(40);
const ONE = ['properties', 'trackers', 'webseeds', 'files', 'pieceStates', 'pieceHashes', 'export', 'SSLParameters'];

const DETAILS: TorrentDetails = {
  files: [
    { index: 0, path: 'film/a', sizeBytes: 100, bytesDone: 100, priority: 'max' },
    { index: 1, path: 'film/b', sizeBytes: 0, bytesDone: 0, priority: 'normal' },
    { index: 3, path: 'film/c', sizeBytes: 80, bytesDone: 20, priority: 'skip' },
  ],
  filePieces: {
    first: Uint32Array.of(0, 4, 4),
    last: Uint32Array.of(4, 4, 9),
    availability: Float64Array.of(1, 0, 0.5),
  },
  trackers: [
    shownTracker({ url: URL, status: 'working', hasTold: true, answered: true, peersGiven: 7, seeds: 3, peers: 2 }),
    shownTracker({ url: 'udp://b.example', tier: 1, status: 'error: gone', message: `no ${KEY}`, nextAnnounce: 1 }),
  ],
  peers: [
    shownPeer({ progress: 1, facts: { ...QUIET_PEER, sources: ['dht', 'pex'] } }),
    shownPeer({ progress: 0.5, facts: { ...QUIET_PEER, sources: ['dht'] } }),
  ],
  pieces: { pieceCount: 10, pieceLength: 16_384, have: Uint8Array.of(0b1010_0000, 0b0100_0000), availability: null },
  pieceHashes: new Uint8Array(40).fill(0xab),
  metainfo: {
    ...{ comment: 'of ann', createdBy: 'maker', createdAt: 1_600_000_000, source: '', infoHashV2: 'cd'.repeat(32) },
    ...{ isPrivate: false, pieceLength: 16_384, pieceCount: 10 },
  },
  webSeeds: [
    { url: `http://seed.example/?passkey=${KEY}`, form: 'files', state: 'idle', downloadRate: 0, bytesDown: 0 },
  ],
};

const read = (tool: Tool, path: string, hash: string = ID) => tool.get(`torrents/${path}`, { hash });

void t.test('one torrent, as qBittorrent shows it', async (t) => {
  const { harness, ann } = await startToolScene(t);
  await ann.addFile(MADE.torrentBytes);
  harness.engine.setDetails(ID, DETAILS);
  harness.engine.setStats(ID, {
    ...{ totalDown: 900, totalUp: 450, bytesDone: 300, wantedBytes: 600, wantedDone: 300, downloadRate: 30 },
    ...{ peers: 2, seeds: 1, swarmSeeds: 12, swarmLeechers: 5, activeSeconds: 90, seedingSeconds: 30, countedSince: 0 },
  });
  await ann.own('PUT', `/api/torrents/${ID}/rate_limits`, { down_kbps: 5, up_kbps: 0 });
  t.match((await read(ann, 'properties', ID.toUpperCase())).json(), {
    ...{ hash: ID, infohash_v1: ID, infohash_v2: 'cd'.repeat(32), name: 'film', save_path: harness.filesDir },
    ...{ comment: 'of ann', created_by: 'maker', creation_date: 1_600_000_000, private: false, has_metadata: true },
    ...{ piece_size: 16_384, pieces_num: 10, pieces_have: 3, total_size: 40_000, progress: 0.5, eta: 10 },
    ...{
      total_downloaded: 900,
      total_uploaded: 450,
      share_ratio: 1.5,
      dl_speed: 30,
      dl_speed_avg: 15,
      up_speed_avg: 5,
    },
    ...{ dl_limit: 5_120, up_limit: -1, nb_connections: 2, nb_connections_limit: 80, time_elapsed: 90 },
    ...{ seeds: 1, seeds_total: 12, peers: 1, peers_total: 5, seeding_time: 30, completion_date: -1, reannounce: 0 },
  });
  const way = { tier: -1, msg: '', num_downloaded: 0 };
  t.same((await read(ann, 'trackers')).json(), [
    { url: '** [DHT] **', ...way, status: 2, num_peers: 2, num_seeds: 1, num_leeches: 1 },
    { url: '** [PeX] **', ...way, status: 2, num_peers: 1, num_seeds: 1, num_leeches: 0 },
    { url: '** [LSD] **', ...way, status: 2, num_peers: 0, num_seeds: 0, num_leeches: 0 },
    { url: URL, tier: 0, status: 2, msg: '', num_peers: 7, num_seeds: 3, num_leeches: 2, num_downloaded: 0 },
    {
      ...{ url: 'udp://b.example', tier: 1, status: 4, msg: `no ${KEY}` },
      ...{ num_peers: -1, num_seeds: -1, num_leeches: -1, num_downloaded: -1 },
    },
  ]);
  const files = [
    {
      index: 0,
      name: 'film/a',
      size: 100,
      progress: 1,
      priority: 7,
      is_seed: true,
      piece_range: [0, 4],
      availability: 1,
    },
    { index: 1, name: 'film/b', size: 0, progress: 1, priority: 1, piece_range: [4, 4], availability: 0 },
    { index: 3, name: 'film/c', size: 80, progress: 0.25, priority: 0, piece_range: [4, 9], availability: 0.5 },
  ];
  t.same((await read(ann, 'files')).json(), files);
  t.same(await ann.read('torrents/files', { hash: ID, indexes: '3|0' }), [files[0], files[2]]);
  for (const indexes of ['2', '0|4', 'x', '-1', '1.5']) {
    t.match(await ann.get('torrents/files', { hash: ID, indexes }), { status: 409, text: /^indexes: / }, indexes);
  }
  t.same((await read(ann, 'pieceStates')).json(), [2, 0, 2, 0, 0, 0, 0, 0, 0, 2]);
  t.same((await read(ann, 'pieceHashes')).json(), ['ab'.repeat(20), 'ab'.repeat(20)]);
  t.same((await read(ann, 'webseeds')).json(), [{ url: `http://seed.example/?passkey=${KEY}` }]);
  t.match((await read(ann, 'SSLParameters')).json(), { ssl_certificate: '', ssl_private_key: '', ssl_dh_params: '' });
  const exported = await read(ann, 'export');
  t.match(exported.headers, { 'content-type': 'application/x-bittorrent', 'content-disposition': /film\.torrent/ });
  t.match(exported.text, /^d8:announce/);
  t.same(await ann.read('torrents/downloadLimit', { hashes: `${ID}|${UNKNOWN}` }), { [ID]: 5_120, [UNKNOWN]: -1 });
  t.same(await ann.read('torrents/uploadLimit', { hashes: 'all' }), { [ID]: 0 });
  t.equal((await ann.post('torrents/files', { hash: ID })).status, 200, 'by POST as well');
});

void t.test('a private torrent, and one whose metadata is not there yet', async (t) => {
  const { harness, ann } = await startToolScene(t);
  const secret = makeTorrent({ name: 'secret', pieceLength: 16_384, files: seededBytes(2, 9), private: true });
  const secretId = parseInfoHash(secret.infoHash);
  await ann.addFile(secret.torrentBytes);
  harness.engine.setFacts(secretId, { isPrivate: true });
  const trackers = (await read(ann, 'trackers', secretId)).json<Record<string, unknown>[]>();
  t.match(trackers, Array(3).fill({ status: 0, msg: 'This torrent is private' }));
  t.match((await read(ann, 'properties', secretId)).json(), { private: true, is_private: true });
  await ann.own('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${UNKNOWN}` });
  t.match((await read(ann, 'properties', UNKNOWN)).json(), {
    ...{ has_metadata: false, private: null, piece_size: -1, pieces_num: -1, creation_date: -1, comment: '' },
  });
  for (const path of ['files', 'pieceStates', 'pieceHashes']) t.same((await read(ann, path, UNKNOWN)).json(), [], path);
  t.equal((await read(ann, 'export', UNKNOWN)).status, 409);
});

void t.test('who is not shown a torrent is told of none; who may not edit it sees no passkeys', async (t) => {
  const { harness, ann, bob, admin } = await startToolScene(t);
  await ann.addFile(MADE.torrentBytes);
  harness.engine.setDetails(ID, DETAILS);
  for (const path of ONE) {
    const other = await read(bob, path, UNKNOWN);
    t.match(await read(bob, path), { status: 404, text: other.text }, path);
    t.equal(other.status, 404, path);
    t.equal((await read(admin, path)).status, 200, path);
    t.match(await ann.get(`torrents/${path}`), { status: 400, text: 'hash: required' }, path);
    for (const hash of ['', 'zz', '../x', '__proto__']) t.equal((await read(ann, path, hash)).status, 404, hash);
  }
  t.same(await bob.read('torrents/downloadLimit', { hashes: ID }), { [ID]: -1 });
  t.same(await bob.read('torrents/uploadLimit', { hashes: 'all' }), {});
  t.match(await bob.get('torrents/uploadLimit'), { status: 400, text: 'hashes: required' });

  await ann.own('POST', `/api/torrents/${ID}/shares`, { user_id: bob.accountId, access: 'viewer' });
  for (const path of ONE) {
    const answer = await read(bob, path);
    const isForEditors = path === 'pieceHashes' || path === 'export';
    t.equal(answer.status, isForEditors ? 409 : 200, path);
    t.notMatch(answer.text, new RegExp(KEY), path);
  }
  t.match((await read(bob, 'trackers')).json<object[]>()[3], { status: 2, num_seeds: 3, url: /tracker\.example/ });
  await ann.own('POST', `/api/torrents/${ID}/shares`, { user_id: bob.accountId, access: 'editor' });
  t.match((await read(bob, 'trackers')).text, new RegExp(KEY));
  t.equal((await read(bob, 'export')).status, 200);
});

void t.test('categories and tags are those that the caller is shown', async (t) => {
  const { harness, ann, bob } = await startToolScene(t);
  const path = harness.filesDir;
  await ann.own('POST', '/api/categories', { name: 'TV', default_save_path: path, color: '' });
  const { id } = await ann.own('POST', '/api/categories', { name: 'Films/Old', default_save_path: '', color: '' });
  for (const name of ['b', 'a']) await ann.own('POST', '/api/tags', { name, color: '' });
  t.same(await ann.read('torrents/categories'), {
    TV: { name: 'TV', savePath: path },
    'Films/Old': { name: 'Films/Old', savePath: '' },
  });
  t.same(await ann.read('torrents/tags'), ['b', 'a']);
  t.same(await bob.read('torrents/categories'), {});
  t.same(await bob.read('torrents/tags'), []);
  await ann.addFile(MADE.torrentBytes);
  await ann.own('POST', '/api/torrents/category', { infohash: ID, category_id: id });
  await ann.own('POST', `/api/torrents/${ID}/shares`, { user_id: bob.accountId, access: 'viewer' });
  t.same(await bob.read('torrents/categories'), { 'Films/Old': { name: 'Films/Old', savePath: '' } });
});
