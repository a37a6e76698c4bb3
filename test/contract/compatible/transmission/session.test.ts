// session-stats, free-space, port-test and blocklist-update: each account is told of its own.
import { join } from 'node:path';
import t from 'tap';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { MemoryEngine } from '../../../support/memory-engine.js';
import { makeTorrent } from '../../../support/make-torrent.js';
import { startRpcScene, type RpcCaller } from '../../../support/transmission-callers.js';
import { startUpstream } from '../../../support/upstream.js';

const NOT_ALLOWED = 'this account may not do that';

const fileNamed = (name: string) => makeTorrent({ name, pieceLength: 16_384, files: Buffer.from(name) }).torrentBytes;
const stats = ({ rpc }: RpcCaller) => rpc.get('session-stats');
const movedStats = (downloadedBytes: number, uploadedBytes: number) => ({
  ...{ downloadedBytes, uploadedBytes, filesAdded: 0, sessionCount: 1 },
  secondsActive: Number,
});

void t.test("figures of torrents in sight, and bytes of one's own", async (t) => {
  const { harness, admin, ann, bob } = await startRpcScene(t);
  const [one, two] = [await ann.addFile(fileNamed('one')), await ann.addFile(fileNamed('two'))];
  await admin.addFile(fileNamed('three'));
  await ann.own('POST', `/api/torrents/${two}/pause`);
  await ann.own('POST', `/api/torrents/${one}/shares`, { user_id: bob.accountId, access: 'viewer' });
  const moved = { downloadRate: 300, uploadRate: 20, totalDown: 5_000, totalUp: 700 };
  harness.engine.setStats(parseInfoHash(one), moved);
  t.match(await stats(ann), {
    ...{ torrentCount: 2, activeTorrentCount: 1, pausedTorrentCount: 1, downloadSpeed: 300, uploadSpeed: 20 },
    ...{ 'cumulative-stats': movedStats(5_000, 700), 'current-stats': movedStats(5_000, 700) },
  });
  t.match(await stats(bob), {
    ...{ torrentCount: 1, activeTorrentCount: 1, pausedTorrentCount: 0, downloadSpeed: 300 },
    ...{ 'cumulative-stats': movedStats(0, 0), 'current-stats': movedStats(0, 0) },
  });
  t.match(await stats(admin), {
    ...{ torrentCount: 3, activeTorrentCount: 2, pausedTorrentCount: 1 },
    ...{ 'cumulative-stats': movedStats(0, 0), 'current-stats': movedStats(0, 0) },
  });
  const call = { jsonrpc: '2.0', method: 'session_stats', params: {}, id: 1 };
  t.match((await ann.rpc.post(call)).json(), {
    result: { torrent_count: 2, cumulative_stats: { downloaded_bytes: 5_000 }, current_stats: { uploaded_bytes: 700 } },
  });
  t.match(await ann.rpc.post({ method: 'session-stats', arguments: 21 }), { status: 200, text: /"success"/ });
});

void t.test('of a torrent that several hold each counts its own share', async (t) => {
  const { harness, ann, join: joinAs } = await startRpcScene(t);
  const cleo = await joinAs('cleo', { perm_add_torrents: true });
  const id = await ann.addFile(fileNamed('both'));
  await cleo.addFile(fileNamed('both'));
  await ann.own('POST', `/api/torrents/${id}/pause`);
  harness.engine.setStats(parseInfoHash(id), { downloadRate: 300, totalDown: 900 });
  t.match(await stats(ann), { activeTorrentCount: 0, pausedTorrentCount: 1, 'current-stats': movedStats(0, 0) });
  t.match(await stats(cleo), { activeTorrentCount: 1, pausedTorrentCount: 0, 'current-stats': movedStats(900, 0) });
});

void t.test('room where one may save, and of no other place whether it is there', async (t) => {
  const { harness, admin, ann, bob, join: joinAs } = await startRpcScene(t);
  const room = { 'size-bytes': Number, total_size: Number };
  const within = join(harness.filesDir, 'not yet made');
  for (const caller of [admin, ann, bob]) {
    const found = await caller.rpc.get<Record<string, number>>('free-space', { path: within });
    t.match(found, { path: within, ...room });
    t.ok(found['size-bytes']! > 0 && found['size-bytes']! <= found['total_size']!);
  }
  const missing = (path: string) => ({
    result: 'No such file or directory',
    arguments: { path, 'size-bytes': -1, total_size: -1 },
  });
  const home = join(harness.filesDir, 'cleo');
  const cleo = await joinAs('cleo', { home });
  for (const path of ['/', '/nowhere', '/proc', harness.dataDir, `${harness.filesDir}/../..`, '/a\0b']) {
    for (const caller of [ann, bob, cleo]) t.same(await caller.rpc.ask('free-space', { path }), missing(path), path);
  }
  t.same(await cleo.rpc.ask('free-space', { path: harness.filesDir }), missing(harness.filesDir));
  t.match(await cleo.rpc.get('free-space', { path: home }), { path: home, ...room });
  t.match(await admin.rpc.get('free-space', { path: '/usr' }), { path: '/usr', ...room });

  const refused = async (args: object, result: string) => t.match(await ann.rpc.ask('free-space', args), { result });
  await refused({}, 'directory path argument is missing');
  await refused({ path: 'relative' }, 'directory path is not absolute');
  await refused({ path: 5 }, 'path: expected a text');
  const call = { jsonrpc: '2.0', method: 'free_space', params: { path: '/nowhere' }, id: 1 };
  t.match((await ann.rpc.post(call)).json(), {
    error: {
      data: { error_string: 'No such file or directory', result: { path: '/nowhere', size_bytes: -1, total_size: -1 } },
    },
  });
});

void t.test('a port is open once a peer has come, closed where none is listened on, and else not known', async (t) => {
  const asked = async (reach: MemoryEngine['reach']) => {
    const engine = new MemoryEngine();
    engine.reach = reach;
    const { ann, bob } = await startRpcScene(t, { engine });
    return { ...(await bob.rpc.ask('port-test')), toAnn: (await ann.rpc.ask('port-test')).result };
  };
  t.match(await asked({ listeningPort: 51_413, hasIncoming: true }), {
    result: 'success',
    arguments: { 'port-is-open': true },
  });
  t.match(await asked({ listeningPort: null, hasIncoming: false }), {
    result: 'success',
    arguments: { 'port-is-open': false },
  });
  t.match(await asked({ listeningPort: 51_413, hasIncoming: false }), {
    result: /^no peer has come to the port yet/,
    toAnn: /^no peer has come to port 51413 yet/,
  });
});

void t.test('the blocklist is fetched for those who may change settings', async (t) => {
  let list = '1.2.4.0-1.2.4.255\n';
  const server = await startUpstream((_request, response) => response.end(list));
  t.teardown(() => server.close());
  const { admin, ann, bob } = await startRpcScene(t, { args: ['--fetch-allow', '127.0.0.1'] });
  t.same(await ann.rpc.ask('blocklist-update'), { arguments: {}, result: 'url: not configured' });
  const url = `${server.origin}/list`;
  t.equal((await ann.rpc.ask('session-set', { 'blocklist-url': url })).result, 'success');
  t.match(await admin.own('GET', '/api/settings/blocklist'), { url, enabled: false, entries: 0 });
  const asked = server.requests.length;
  t.same(await bob.rpc.ask('blocklist-update'), { arguments: {}, result: NOT_ALLOWED });
  t.equal(server.requests.length, asked);
  t.same(await ann.rpc.get('blocklist-update'), { 'blocklist-size': 1 });
  list += '5.6.7.8-5.6.7.9\n';
  const call = { jsonrpc: '2.0', method: 'blocklist_update', id: 1 };
  t.match((await ann.rpc.post(call)).json(), { result: { blocklist_size: 2 } });
  t.match(await bob.rpc.get('session-get', { fields: ['blocklist-size', 'blocklist-enabled'] }), {
    ...{ 'blocklist-size': 2, 'blocklist-enabled': false },
  });
});
