// Settings through the API: what was stored is what is shown and what holds, at once, after a restart and in an engine
// that takes a dead one's place; where plain users may save; what older and damaged files become.
import { mkdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { parseInfoHash } from '../../../shared-protocol/ids.js';
import { TORRENT_FLAGS } from '../../../shared-protocol/stats-table.js';
import { startHarness, type HarnessOptions } from '../../support/api-harness.js';
import { record, wantsDatabase } from '../../support/own-database.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { World } from './runner/world.js';

const HASH = 'a'.repeat(40);
const QUEUE = { max_active_downloads: 3, max_active_seeds: 7, stalled_minutes: 30 };
const PEERS = {
  listen_port: 0,
  max_peers_per_torrent: 33,
  dht_enabled: false,
  encryption_enabled: false,
  upnp_enabled: false,
};

/** After a restart: with the key of before. */
async function start(t: Test, options: HarnessOptions = {}, known?: { readonly key: string }) {
  const harness = await startHarness(options);
  t.teardown(() => harness.close());
  const key = known?.key ?? (await harness.apiKey());
  const headers = { authorization: `Bearer ${key}` };
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await harness.call(method, `/api/${path}`, { headers, ...(body === undefined ? {} : { body }) });
    return [answer.status, answer.json<unknown>()] as const;
  };
  const get = async (path: string) => (await call('GET', path))[1];
  const add = (save_path?: string) =>
    call('POST', 'torrents/magnet', { magnet: `magnet:?xt=urn:btih:${HASH}`, save_path });
  return { harness, key, call, get, add };
}
const OK = [200, { ok: true }] as const;

void t.test('what was stored is shown, now and after a restart', async (t) => {
  const dataDir = await temporaryDirectory();
  const filesDir = `${dataDir}-files`;
  const watch = join(filesDir, 'watch');
  await mkdir(watch, { recursive: true });
  const groups = {
    'settings/limits': { down_kbps: 1, up_kbps: 2, alt_down_kbps: 3, alt_up_kbps: 4, alt_active: true },
    'settings/queue_limits': QUEUE,
    'settings/peer_limits': PEERS,
    'settings/seeding_defaults': { ratio_limit: 1.25, time_min_limit: 0 },
    'settings/watch_folder': { path: watch, delete_after_add: true, enabled: true },
  };
  const first = await start(t, { dataDir });
  for (const [path, body] of Object.entries(groups)) {
    t.same(await first.call('PUT', path, { ...body, unknown: 1 }), OK, path);
    t.match(await first.get(path), body, path);
  }
  await first.harness.close();
  const second = await start(t, { dataDir }, first);
  for (const [path, body] of Object.entries(groups)) t.match(await second.get(path), body, path);
});

void t.test('what the command line has decided is told, beside what is stored', async (t) => {
  const flags = ['--dht', 'off', '--encryption', 'required', '--upnp', 'off', '--peer-port', '40000-40010'];
  const { call, get } = await start(t, { args: flags });
  t.same(await call('PUT', 'settings/peer_limits', { ...PEERS, dht_enabled: true, encryption_enabled: false }), OK);
  t.match(await get('settings/peer_limits'), {
    ...{ dht_enabled: true, encryption_enabled: false },
    pinned: ['listen_port', 'dht_enabled', 'encryption_enabled', 'upnp_enabled'],
    in_force: { listen_port: null, dht_enabled: false, encryption_enabled: true, upnp_enabled: false },
  });
  t.match(await get('settings/web'), { port: 9480, pinned: ['port'] });
  const free = await start(t);
  const stored = await free.get('settings/peer_limits');
  t.match(stored, { pinned: [], in_force: { listen_port: 51_413, dht_enabled: true, encryption_enabled: true } });
});

void t.test('how peers are met is told to the next engine, and encryption is one setting in two places', async (t) => {
  const dataDir = await temporaryDirectory();
  const first = await start(t, { dataDir });
  const standard = { max_peers: 0, upload_slots: 0, encryption: 'preferred', lsd_enabled: true, pinned: [] };
  t.match(await first.get('settings/connections'), { ...standard, in_force: { max_peers: 1_000 } });
  const set = { max_peers: 300, upload_slots: 4, encryption: 'required', lsd_enabled: false };
  t.same(await first.call('PUT', 'settings/connections', set), OK);
  t.match(await first.get('settings/connections'), { ...set, pinned: [] });
  t.match(await first.get('settings/peer_limits'), { encryption_enabled: true });
  t.same(await first.call('PUT', 'settings/peer_limits', { ...PEERS, encryption_enabled: true }), OK);
  t.match(await first.get('settings/connections'), { encryption: 'required' }, 'the switch says no other');
  await first.harness.close();
  const second = await start(t, { dataDir, args: ['--max-peers', '200'] }, first);
  t.match(second.harness.engine.started, {
    ...{ maxPeers: 200, uploadSlots: { min: 4, max: 4 }, encryption: 'required', lsd: false },
  });
  t.match(await second.get('settings/connections'), {
    ...{ max_peers: 300, pinned: ['max_peers'], in_force: { max_peers: 200, lsd_enabled: false } },
  });
  t.same(await second.call('PUT', 'settings/peer_limits', PEERS), OK);
  t.match(await second.get('settings/connections'), { encryption: 'allowed' }, 'the switch was turned off');
});

void t.test('a refused body changes nothing', async (t) => {
  const { call, get } = await start(t);
  const before = await get('settings/peer_limits');
  for (const [field, value] of [
    ['listen_port', 65_536],
    ['listen_port', -1],
    ['listen_port', 1.5],
    ['max_peers_per_torrent', -1],
    ['dht_enabled', 1],
    ['upnp_enabled', undefined],
  ] as const) {
    const [status, body] = await call('PUT', 'settings/peer_limits', { ...PEERS, [field]: value });
    t.match([status, body], [400, { error: new RegExp(`^${field}: `) }]);
  }
  t.same(await get('settings/peer_limits'), before);
});

void t.test('the engine is told at once what holds at once, and the rest when it starts', async (t) => {
  const dataDir = await temporaryDirectory();
  const first = await start(t, { dataDir });
  t.same(await first.get('settings/queue_limits'), { max_active_downloads: 0, max_active_seeds: 0 });
  t.match(first.harness.engine, { maxPeersPerTorrent: 80, started: { encryption: 'preferred', portMapping: true } });
  await first.call('PUT', 'settings/queue_limits', QUEUE);
  await first.call('PUT', 'settings/peer_limits', PEERS);
  t.same(first.harness.engine.queueLimits, { maxActiveDownloads: 3, maxActiveSeeds: 7, stalledMinutes: 30 });
  t.equal(first.harness.engine.maxPeersPerTorrent, 33);
  await first.call('PUT', 'settings/peer_limits', { ...PEERS, max_peers_per_torrent: 0 });
  t.equal(first.harness.engine.maxPeersPerTorrent, 80, '0 is the default');
  await first.harness.close();
  const second = await start(t, { dataDir }, first);
  t.match(second.harness.engine.started, {
    peerPort: 0,
    dht: null,
    portMapping: false,
    encryption: 'allowed',
    maxPeersPerTorrent: 80,
    queueLimits: { maxActiveDownloads: 3, maxActiveSeeds: 7 },
  });
});

void t.test('a change while the engine is away is stored, and told to its successor', async (t) => {
  const { harness, call } = await start(t);
  let load = () => {};
  harness.engine.startHeldBy = new Promise((resolve) => (load = resolve));
  harness.transport().kill('test');
  t.same(await call('PUT', 'settings/queue_limits', QUEUE), OK);
  t.same(await call('PUT', 'settings/peer_limits', PEERS), OK);
  load();
  for (let turn = 0; turn < 200 && harness.engine.maxPeersPerTorrent !== 33; turn++) await call('GET', 'version');
  t.same(harness.engine.queueLimits, { maxActiveDownloads: 3, maxActiveSeeds: 7, stalledMinutes: 30 });
  t.equal(harness.engine.maxPeersPerTorrent, 33);
});

void t.test('the save path: where adds go, also after a restart with the flag of before', async (t) => {
  const dataDir = await temporaryDirectory();
  const filesDir = `${dataDir}-files`;
  const first = await start(t, { dataDir });
  t.same(await first.get('settings/save_path'), { path: filesDir });
  t.same(await first.call('PUT', 'settings/save_path', { path: `${filesDir}/other/` }), OK);
  t.same(await first.get('settings/save_path'), { path: join(filesDir, 'other') });
  await first.add('sub');
  t.match(await first.get('torrents'), [{ save_path: join(filesDir, 'other', 'sub') }]);
  for (const path of ['', 'other', 'a\0b', `${dataDir}/settings.json`, dataDir, `${dataDir}/below`, '/']) {
    const [status] = await first.call('PUT', 'settings/save_path', { path });
    t.equal(status, 400, JSON.stringify(path));
  }
  t.same(await first.get('settings/save_path'), { path: join(filesDir, 'other') });
  await first.harness.close();
  const second = await start(t, { dataDir }, first);
  t.same(await second.get('settings/save_path'), { path: join(filesDir, 'other') }, 'the harness gives --save-path');
  t.same(await second.call('PUT', 'settings/save_path', { path: join(filesDir, 'third') }), OK);
  await second.harness.close();
  const other = ['--save-path', join(filesDir, 'fourth')];
  const third = await start(t, { dataDir, args: other }, first);
  t.same(await third.get('settings/save_path'), { path: join(filesDir, 'third') }, 'whatever the flag says');
});

void t.test(
  'a stored path that may not be used does not lock the service out: the flag of a start replaces it',
  async (t) => {
    const dataDir = await temporaryDirectory();
    const good = `${dataDir}-files`;
    await t.rejects(startHarness({ dataDir, args: ['--save-path', dataDir] }), /data directory/);
    const first = await start(t, { dataDir });
    t.same(await first.get('settings/save_path'), { path: good }, 'what was refused is not stored');
    await first.harness.close();
    await record<{ save_path: string }>(dataDir, 'settings', (settings) => void (settings.save_path = dataDir));
    await t.rejects(startHarness({ dataDir, args: ['--save-path', dataDir] }), /data directory/);
    const second = await start(t, { dataDir }, first);
    t.same(await second.get('settings/save_path'), { path: good });
  },
);

void t.test('plain users stay inside the roots, whatever they may set', async (t) => {
  const world = await World.start();
  t.teardown(() => world.close());
  const { harness } = world;
  const files = harness.filesDir;
  await mkdir(join(files, 'in'), { recursive: true });
  const user = await world.caller({
    name: 'u',
    isAdmin: false,
    permissions: ['perm_change_settings', 'perm_add_torrents'],
  });
  const call = async (method: string, path: string, body: unknown) => {
    const answer = await harness.call(method, path, { headers: user.bearer, body });
    return [answer.status, answer.json<unknown>()] as const;
  };
  const magnet = `magnet:?xt=urn:btih:${HASH}`;
  for (const path of ['/', '/etc', harness.dataDir, join(files, '..', 'x'), `${files}-not`, '/nonexistent/x']) {
    const folder = { path, delete_after_add: true, enabled: true };
    const forbidden = [403, { error: 'forbidden' }];
    t.same(await call('POST', '/api/torrents/magnet', { magnet, save_path: path }), forbidden, path);
    t.same(await call('POST', '/api/torrents/url', { url: magnet, save_path: path }), forbidden, path);
    t.same(await call('PUT', '/api/settings/save_path', { path }), forbidden, path);
    t.same(await call('PUT', '/api/settings/watch_folder', folder), forbidden, path);
  }
  t.same(harness.engine.ids, []);
  t.match(await call('POST', '/api/torrents/magnet', { magnet, save_path: 'in/x' }), [200, { id: HASH }]);
  const folder = { path: join(files, 'in'), delete_after_add: false, enabled: true };
  t.same(await call('PUT', '/api/settings/watch_folder', folder), OK);
  t.same(await call('PUT', '/api/settings/save_path', { path: join(files, 'in') }), OK);
});

void t.test('a seed policy is shown as it was set, and goes with use_global', async (t) => {
  const { harness, call, get, add } = await start(t);
  await add();
  const path = `torrents/${HASH}/seed_policy`;
  const none = { use_global: true, ratio_limit: null, time_min_limit: null };
  t.same(await get(path), none);
  for (const policy of [
    { use_global: false, ratio_limit: 0, time_min_limit: 90 },
    { use_global: false, ratio_limit: null, time_min_limit: null },
  ]) {
    t.same(await call('PUT', path, policy), OK);
    t.same(await get(path), policy);
  }
  t.same(await call('PUT', path, { use_global: true, ratio_limit: 5, time_min_limit: 5 }), OK);
  t.same(await get(path), none);
  await call('PUT', path, { use_global: false, ratio_limit: 2, time_min_limit: null });
  t.same(await call('PUT', path, { use_global: true }), OK);
  t.same(await get(path), none);
  t.equal(harness.engine.ids.length, 1);
});

void t.test('what has seeded enough is paused by the check of every 30 s', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const { harness, call, get, add } = await start(t);
  await add();
  harness.engine.setStats(parseInfoHash(HASH), { flags: TORRENT_FLAGS.completed, bytesDone: 10, totalUp: 10 });
  t.same(await call('PUT', 'settings/seeding_defaults', { ratio_limit: 1, time_min_limit: null }), OK);
  mock.timers.tick(29_000);
  t.match(await get('torrents'), [{ completed: true, paused: false }]);
  mock.timers.tick(1_000);
  for (let turn = 0; turn < 100; turn++) {
    if (((await get('torrents')) as [{ paused: boolean }])[0].paused) break;
  }
  t.match(await get('torrents'), [{ completed: true, paused: true }]);
});

void t.test('settings of an older version, and damaged ones, are filled up', async (t) => {
  const dataDir = await temporaryDirectory();
  const first = await start(t, { dataDir });
  await first.call('PUT', 'settings/queue_limits', QUEUE);
  await first.call('PUT', 'settings/peer_limits', PEERS);
  await first.harness.close();
  await record<Record<string, object>>(dataDir, 'settings', (settings) => {
    const older = ['save_path', 'peer_limits'];
    for (const field of Object.keys(settings)) if (!older.includes(field)) delete settings[field];
    Reflect.deleteProperty(settings['peer_limits']!, 'upnp_enabled');
  });
  const second = await start(t, { dataDir }, first);
  t.same(await second.get('settings/queue_limits'), { max_active_downloads: 0, max_active_seeds: 0 });
  t.match(await second.get('settings/peer_limits'), { ...PEERS, upnp_enabled: true });
  t.same(await second.get('settings/seeding_defaults'), { ratio_limit: null, time_min_limit: null });
  t.same(await second.get('settings/watch_folder'), { path: '', delete_after_add: false, enabled: false });
  await second.call('PUT', 'settings/queue_limits', QUEUE);
  const [status] = await second.call('PUT', 'settings/queue_limits', { max_active_downloads: 3, max_active_seeds: 8 });
  t.equal(status, 200);
  t.same(await second.get('settings/queue_limits'), { ...QUEUE, max_active_seeds: 8 }, 'what is left out stays');
  await second.harness.close();

  // What is damaged in a database is for whoever looks after that.
  if (wantsDatabase()) return;
  await truncate(join(dataDir, 'settings.json'), 40);
  const third = await start(t, { dataDir }, first);
  t.same(await third.get('settings/queue_limits'), QUEUE, 'as before the last change');
});

void t.test('where nothing can be made nothing is to be saved, and the field is named', async (t) => {
  const { call, get, add, harness } = await start(t);
  const before = await get('settings/save_path');
  const nowhere = '/proc/nope';
  const refused = (field: string) => [
    400,
    {
      error: `${field}: does not exist and cannot be made (nothing can be created there)`,
      ...{ code: 'PATH_NOT_CREATABLE', data: { errno: 'ENOENT' } },
    },
  ];
  const feed = (await call('POST', 'feeds', { url: 'https://feeds.example/rss', name: '', enabled: false }))[1];
  const { id: feed_id } = feed as { readonly id: number };
  const filter = { feed_id, regex: 'x', save_path: nowhere };
  const category = { name: 'Films', color: '', default_save_path: nowhere };
  const user = { username: 'mary', password: 'marys password', role: 'user', home: nowhere };
  t.same(await call('PUT', 'settings/save_path', { path: nowhere }), refused('path'));
  t.same(await call('PUT', 'settings/adding', { incomplete_path: nowhere }), refused('incomplete_path'));
  t.same(await call('POST', 'categories', category), refused('default_save_path'));
  t.same(await call('POST', 'filters', filter), refused('save_path'));
  t.same(await call('POST', 'users', user), refused('home'));
  t.same(await add(nowhere), refused('save_path'));
  t.same([await get('settings/save_path'), await get('categories'), await get('torrents')], [before, [], []]);
  t.same(harness.engine.ids, []);

  const [, made] = await call('POST', 'categories', { ...category, default_save_path: '' });
  const changed = { ...category, id: (made as { readonly id: number }).id };
  t.same(await call('PUT', 'categories', changed), refused('default_save_path'));
  t.equal((await add(''))[0], 200);
  t.same(await call('POST', `torrents/${HASH}/move`, { path: nowhere }), refused('path'));
});
