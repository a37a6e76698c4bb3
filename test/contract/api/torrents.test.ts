// Torrents through the API: what a client sees of them, where they may go, and how large a file may be.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { AppError } from '../../../shared-protocol/errors.js';
import { parseInfoHash } from '../../../shared-protocol/ids.js';
import { TORRENT_FLAGS } from '../../../shared-protocol/stats-table.js';
import { multipart, startHarness, type HarnessOptions } from '../../support/api-harness.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { World } from './runner/world.js';
import { wantsGroup } from '../../support/own-engine.js';
import { waitUntil } from '../../support/peers/wait-until.js';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const C = 'c'.repeat(40);
const magnet = (hash: string) => `magnet:?xt=urn:btih:${hash}&dn=${hash[0]}`;
const MIB = 1024 * 1024;

async function start(t: Tap, options: HarnessOptions = {}) {
  const harness = await startHarness(options);
  t.teardown(() => harness.close());
  const headers = { authorization: `Bearer ${await harness.apiKey()}` };
  const add = (hash: string, save_path?: string) =>
    harness.call('POST', '/api/torrents/magnet', { headers, body: { magnet: magnet(hash), save_path } });
  const list = async () => (await harness.call('GET', '/api/torrents', { headers })).json<Record<string, unknown>[]>();
  return { harness, headers, add, list };
}
interface Tap {
  teardown(handler: () => Promise<void>): void;
}

void t.test('a torrent has exactly the fields of TorrentDTO', async (t) => {
  const { harness, add, list } = await start(t);
  await add(A);
  t.same(await list(), [
    {
      id: A,
      name: 'a',
      magnet: magnet(A),
      save_path: harness.filesDir,
      content_path: '',
      total_bytes: 0,
      bytes_done: 0,
      progress: 0,
      download_rate: 0,
      upload_rate: 0,
      peers: 0,
      seeds: 0,
      paused: false,
      completed: false,
      added_at: 1_700_000_000,
      category_id: null,
      tags: [],
      queue_position: 0,
      force_start: false,
      sequential: false,
      queued: false,
      verifying: false,
      files_missing: false,
      completed_at: null,
      moving: false,
      private: false,
      error: null,
      tracker_error: null,
      tracker_works: false,
      total_down: 0,
      total_up: 0,
      ratio: 0,
      swarm_seeds: -1,
      swarm_leechers: -1,
      availability: null,
      last_activity_at: 0,
      seeding_seconds: 0,
      seeding_since: 0,
      checking_progress: null,
      active_seconds: 0,
      active_since: 0,
      rate_limits: null,
      access: 'owner',
    },
  ]);
});

void t.test('lists are newest first, and show each change of row and facts', async (t) => {
  const { harness, headers, add, list } = await start(t);
  for (const hash of [B, C, A]) await add(hash);
  const ids = async () => (await list()).map(({ id }) => id);
  t.same(await ids(), [A, C, B]);
  for (const hash of [A, B, C]) harness.engine.setFacts(parseInfoHash(hash), { addedAt: 5 });
  t.same(await ids(), [A, B, C], 'equal times: ascending id');
  harness.engine.setStats(parseInfoHash(B), {
    flags: TORRENT_FLAGS.completed | TORRENT_FLAGS.paused,
    wantedBytes: 200,
    wantedDone: 50,
    bytesDone: 60,
    downloadRate: 10.6,
    peers: 3,
  });
  t.match((await list())[1], { completed: true, paused: true, progress: 0.25, bytes_done: 60, download_rate: 11 });
  t.same((await harness.call('GET', '/api/stats', { headers })).json(), {
    total_torrents: 3,
    active_torrents: 2,
    seeding_torrents: 1,
    total_download_rate: 11,
    total_upload_rate: 0,
    total_peers: 3,
  });
});

void t.test('pause, resume, recheck and removal reach the engine', async (t) => {
  const { harness, headers, add, list } = await start(t);
  await add(A);
  const post = (action: string) => harness.call('POST', `/api/torrents/${A}/${action}`, { headers });
  await post('pause');
  t.match(await list(), [{ paused: true }]);
  await post('resume');
  await post('recheck');
  t.match(await list(), [{ paused: false, verifying: true }]);
  const peers = { headers, body: { peers: ['127.0.0.1:1', '[::1]:2'] } };
  t.match((await harness.call('POST', `/api/torrents/${A}/peers`, peers)).json(), { added: 2 });
  t.same(harness.engine.peersOf(parseInfoHash(A)), ['127.0.0.1:1', '[::1]:2']);
  t.equal((await harness.call('DELETE', `/api/torrents/${A}`, { headers })).status, 200);
  t.same(await list(), []);
  t.notOk(harness.engine.deletedData.has(parseInfoHash(A)));
  await add(B);
  await harness.call('DELETE', `/api/torrents/${B}?delete=1`, { headers });
  t.ok(harness.engine.deletedData.has(parseInfoHash(B)));
});

void t.test('adding twice is no error; what the engine cannot store is', async (t) => {
  const { harness, add, list } = await start(t);
  t.match((await add(A)).json(), { id: A });
  t.match((await add(A)).json(), { id: A });
  t.equal((await list()).length, 1);
  harness.engine.refuseNextAdd = new AppError('DISK_FULL', 'disk full: 0 bytes left');
  const refused = await add(B);
  t.match([refused.status, refused.json()], [400, { error: 'disk full: 0 bytes left' }]);
  harness.engine.refuseNextAdd = new AppError('BUG', 'bug: secret details');
  const bug = await add(B);
  t.match([bug.status, bug.json()], [500, { error: 'internal error' }]);
});

void t.test('save paths', async (t) => {
  const open = await start(t);
  await open.add(A, '/srv/elsewhere');
  await open.add(B, 'series');
  t.same(
    (await open.list()).map(({ save_path }) => save_path),
    [join(open.harness.filesDir, 'series'), '/srv/elsewhere'],
  );
  const confined = await start(t, { args: ['--allowed-paths', '/tmp/swarmd-allowed'] });
  t.equal((await confined.add(A, '/tmp/swarmd-allowed/x')).status, 200);
  t.equal((await confined.add(B, '')).status, 200, 'the default is always allowed');
  for (const path of ['/etc', '/tmp/swarmd-allowed/../x', '/tmp/swarmd-allowed-not']) {
    const answer = await confined.add(C, path);
    t.match([answer.status, answer.json()], [400, { error: 'save_path: outside the allowed paths' }]);
  }
});

void t.test('a link does not lead out of the allowed paths', async (t) => {
  const outer = await startHarness();
  t.teardown(() => outer.close());
  const root = outer.dataDir;
  const { add } = await start(t, { args: ['--allowed-paths', root] });
  await symlink('/etc', join(root, 'out'));
  await symlink('/nonexistent/later', join(root, 'dangling'));
  t.match((await add(A, join(root, 'out', 'x'))).json(), { error: /outside/ });
  t.match((await add(A, join(root, 'dangling', 'x'))).json(), { error: /leads nowhere/ });
  t.equal((await add(A, join(root, 'inside', 'x'))).status, 200);
});

void t.test('an upload of exactly 10 MiB is read, one byte more is refused', async (t) => {
  const { harness, headers } = await start(t);
  const upload = (file: Uint8Array) => {
    const { headers: type, body } = multipart({ file, save_path: Array(5).fill('x'.repeat(199)).join('/') });
    return harness.call('POST', '/api/torrents/file', { headers: { ...headers, ...type }, body });
  };
  const exact = await upload(Buffer.alloc(10 * MIB));
  t.match([exact.status, exact.json()], [400, { error: /^torrent: not a bencoded/ }], 'it got as far as the parser');
  const over = await upload(Buffer.alloc(10 * MIB + 1));
  t.match([over.status, over.json()], [400, { error: 'file: larger than 10 MiB' }]);
  const farOver = await upload(Buffer.alloc(12 * MIB));
  t.match([farOver.status, farOver.json()], [400, { error: 'file: larger than 10 MiB' }]);
  const made = makeTorrent({ name: 'small', pieceLength: 16_384, files: seededBytes(2, 100) });
  t.match((await upload(made.torrentBytes)).json(), { id: made.infoHash });
});

void t.test('a torrent begins as it was asked for, and one that is there is not changed', async (t) => {
  const { harness, headers, list } = await start(t);
  const post = (path: string, body: unknown) => harness.call('POST', path, { headers, body });
  const films = join(harness.filesDir, 'films');
  const category = { name: 'Films', default_save_path: films, color: '' };
  const category_id = (await post('/api/categories', category)).json<{ id: number }>().id;
  const beginning = { paused: true, sequential: true, category_id };

  t.equal((await post('/api/torrents/magnet', { magnet: magnet(A), ...beginning })).status, 200);
  const elsewhere = join(harness.filesDir, 'elsewhere');
  t.equal((await post('/api/torrents/url', { url: magnet(B), ...beginning, save_path: elsewhere })).status, 200);
  const { torrentBytes } = makeTorrent({ name: 'c', pieceLength: 16_384, files: seededBytes(3, 100) });
  const form = multipart({ file: torrentBytes, paused: 'true', sequential: '1', category_id: String(category_id) });
  const byFile = { headers: { ...headers, ...form.headers }, body: form.body };
  t.equal((await harness.call('POST', '/api/torrents/file', byFile)).status, 200);
  const begun = { paused: true, sequential: true, category_id };
  t.match(await list(), [
    { ...begun, save_path: films },
    { ...begun, save_path: elsewhere },
    { ...begun, save_path: films },
  ]);

  const otherwise = { paused: false, sequential: false, category_id: null };
  for (const again of [{}, otherwise]) {
    t.equal((await post('/api/torrents/magnet', { magnet: magnet(A), ...again })).status, 200);
  }
  t.match(
    (await list()).find(({ id }) => id === A),
    { ...begun, save_path: films },
  );
  t.equal((await post('/api/torrents/magnet', { magnet: magnet(C), ...otherwise })).status, 200);
  t.match(
    (await list()).find(({ id }) => id === C),
    { ...otherwise, save_path: harness.filesDir },
  );
});

void t.test('while the engine is away commands answer 503 and lists go on; then a new one takes over', async (t) => {
  const { harness, headers, add, list } = await start(t);
  await add(A);
  let load = () => {};
  harness.engine.startHeldBy = new Promise((resolve) => (load = resolve));
  harness.transport().kill('test');
  const away = await harness.call('POST', `/api/torrents/${A}/pause`, { headers });
  t.match([away.status, away.json()], [503, { error: /^engine (restarting|away)$/ }]);
  t.equal((await list()).length, 1);
  // Of several the others answer.
  t.equal((await harness.call('GET', '/api/healthz')).status, wantsGroup() ? 200 : 503);
  load();
  const pause = () => harness.call('POST', `/api/torrents/${A}/pause`, { headers });
  const answer = await waitUntil('the engine to be back', 10_000, async () => {
    const tried = await pause();
    return tried.status === 503 ? undefined : tried;
  });
  t.equal(answer.status, 200);
  t.match(await list(), [{ id: A, paused: true }]);
});

void t.test('trackers: known and absent ones are no error; what is none is refused', async (t) => {
  const { harness, headers, add } = await start(t);
  await add(A);
  const call = async (method: string, url: string) => {
    const { status, text } = await harness.call(method, `/api/torrents/${A}/trackers`, { headers, body: { url } });
    return [status, JSON.parse(text)];
  };
  const trackers = () => harness.engine.trackersOf(parseInfoHash(A));
  const ok = [200, { ok: true }];
  for (let turn = 0; turn < 2; turn++) {
    t.same(await call('POST', 'udp://tracker.example:80'), ok);
    t.same(trackers(), ['udp://tracker.example:80']);
  }
  t.match(await call('POST', 'ftp://tracker.example/'), [400, { error: /^url: / }]);
  for (let turn = 0; turn < 2; turn++) {
    t.same(await call('DELETE', 'udp://tracker.example:80'), ok);
    t.same(trackers(), []);
  }
});

void t.test('the queue position is clamped, and the others close up', async (t) => {
  const { harness, headers, add, list } = await start(t);
  for (const hash of [A, B, C]) await add(hash);
  const move = async (infohash: string, pos: number) => {
    const { status } = await harness.call('POST', '/api/torrents/queue_position', { headers, body: { infohash, pos } });
    t.equal(status, 200);
    const byPosition = (await list()).sort((a, b) => Number(a['queue_position']) - Number(b['queue_position']));
    t.same(
      byPosition.map(({ queue_position }) => queue_position),
      [0, 1, 2],
    );
    return byPosition.map(({ id }) => String(id)[0]).join('');
  };
  t.equal(await move(C, -7), 'cab');
  t.equal(await move(C, 1_000_000), 'abc');
  t.equal(await move(B, 0), 'bac');
});

void t.test('priorities are for files that there are', async (t) => {
  const { harness, headers, add } = await start(t);
  const files = [1, 2].map((seed) => ({ path: [`file-${seed}`], bytes: seededBytes(seed, 100) }));
  const made = makeTorrent({ name: 'two', pieceLength: 16_384, files });
  const upload = multipart({ file: made.torrentBytes });
  await harness.call('POST', '/api/torrents/file', { headers: { ...headers, ...upload.headers }, body: upload.body });
  const set = async (infohash: string, priorities: unknown) => {
    const body = { infohash, priorities };
    const { status, text } = await harness.call('POST', '/api/torrents/file_priorities', { headers, body });
    return [status, JSON.parse(text)];
  };
  t.same(await set(made.infoHash, { 0: 'skip', 1: 'whatever' }), [200, { ok: true }]);
  t.same(harness.engine.prioritiesOf(made.infoHash), { 0: 'skip', 1: 'normal' });
  t.match(await set(made.infoHash, { 0: 'max', 2: 'high' }), [400, { error: /2/ }]);
  t.same(harness.engine.prioritiesOf(made.infoHash), { 0: 'skip', 1: 'normal' }, 'nothing partial');
  t.match(await set(made.infoHash, 'high'), [400, { error: /^priorities: / }]);
  await add(A);
  t.same(await set(A, { 7: 'high' }), [200, { ok: true }], 'a magnet does not know its files yet');
});

void t.test('an account that has its fill is told so, and administrators go on', async (t) => {
  const world = await World.start();
  t.teardown(() => world.close());
  const { harness, admin } = world;
  const adder = await world.caller({ name: 'adder', isAdmin: false, permissions: ['perm_add_torrents'] });
  const { torrentId } = await world.scene(adder, 'owner');
  harness.engine.setFacts(parseInfoHash(torrentId), { metadataBytes: 512 * MIB });
  const upload = multipart({
    file: makeTorrent({ name: 'n', pieceLength: 16_384, files: seededBytes(1, 10) }).torrentBytes,
  });
  const add = (headers: Readonly<Record<string, string>>) =>
    harness.call('POST', '/api/torrents/file', { ...upload, headers: { ...upload.headers, ...headers } });
  const refused = await add(adder.bearer);
  const error = 'torrent: your account may have at most 512 MiB of torrent files; remove some first';
  t.same([refused.status, refused.json()], [400, { error, code: 'QUOTA_EXCEEDED' }]);
  t.equal((await add(admin.bearer)).status, 200);
  harness.engine.setFacts(parseInfoHash(torrentId), { metadataBytes: 100 });
  const body = { magnet: magnet(B) };
  t.equal((await harness.call('POST', '/api/torrents/magnet', { headers: adder.bearer, body })).status, 200);
});

void t.test('a bare info hash is a magnet, wherever one may be given', async (t) => {
  const { harness, headers, list } = await start(t);
  const byMagnet = await harness.call('POST', '/api/torrents/magnet', { headers, body: { magnet: A.toUpperCase() } });
  t.same([byMagnet.status, byMagnet.json()], [200, { id: A }]);
  const byUrl = await harness.call('POST', '/api/torrents/url', { headers, body: { url: ` ${B} ` } });
  t.same([byUrl.status, byUrl.json()], [200, { ok: true }]);
  t.same((await list()).map(({ id }) => id).sort(), [A, B]);
});
