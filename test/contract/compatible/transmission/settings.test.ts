// session-get and session-set: what is shown, what becomes of changes, and who may make any.
import { join } from 'node:path';
import t from 'tap';
import { startRpcScene, type RpcCaller } from '../../../support/transmission-callers.js';

const shown = ({ rpc }: RpcCaller, args: object = {}) => rpc.get<Record<string, unknown>>('session-get', args);
const set = async ({ rpc }: RpcCaller, args: object) => (await rpc.ask('session-set', args)).result;

/** All of Transmission 4.0. */
const NAMES = [
  ...['alt-speed-down', 'alt-speed-enabled', 'alt-speed-time-begin', 'alt-speed-time-day', 'alt-speed-time-enabled'],
  ...['alt-speed-time-end', 'alt-speed-up', 'blocklist-enabled', 'blocklist-size', 'blocklist-url', 'cache-size-mb'],
  ...['config-dir', 'default-trackers', 'dht-enabled', 'download-dir', 'download-dir-free-space'],
  ...['download-queue-enabled', 'download-queue-size', 'encryption', 'idle-seeding-limit'],
  ...['idle-seeding-limit-enabled', 'incomplete-dir', 'incomplete-dir-enabled', 'lpd-enabled', 'peer-limit-global'],
  ...['peer-limit-per-torrent', 'peer-port', 'peer-port-random-on-start', 'pex-enabled', 'port-forwarding-enabled'],
  ...['queue-stalled-enabled', 'queue-stalled-minutes', 'rename-partial-files', 'rpc-version', 'rpc-version-minimum'],
  ...['rpc-version-semver', 'script-torrent-added-enabled', 'script-torrent-added-filename'],
  ...['script-torrent-done-enabled', 'script-torrent-done-filename', 'script-torrent-done-seeding-enabled'],
  ...['script-torrent-done-seeding-filename', 'seed-queue-enabled', 'seed-queue-size', 'seedRatioLimit'],
  ...['seedRatioLimited', 'session-id', 'speed-limit-down', 'speed-limit-down-enabled', 'speed-limit-up'],
  ...['speed-limit-up-enabled', 'start-added-torrents', 'tcp-enabled', 'trash-original-torrent-files', 'units'],
  ...['utp-enabled', 'version'],
];

void t.test('all settings of Transmission 4.0 are there, or those that are asked for, in both dialects', async (t) => {
  const { harness, ann } = await startRpcScene(t);
  const all = await shown(ann);
  t.same(Object.keys(all).sort(), NAMES);
  t.match(all, {
    version: '4.0.6 (Swarmd)',
    'rpc-version': 17,
    'rpc-version-minimum': 14,
    'rpc-version-semver': '5.3.0',
    'download-dir': harness.filesDir,
    'download-dir-free-space': Number,
    'session-id': ann.rpc.headers['x-transmission-session-id'],
    'script-torrent-done-filename': '',
    'config-dir': '',
    units: { 'speed-bytes': 1024, 'speed-units': ['KiB/s', 'MiB/s', 'GiB/s', 'TiB/s'] },
  });
  t.same(await shown(ann, { fields: ['rpc_version', 'seedRatioLimited', 'nothing', 'constructor'] }), {
    'rpc-version': 17,
    seedRatioLimited: false,
  });
  t.same(await shown(ann, { fields: [] }), {});
  t.match(await ann.rpc.ask('session-get', { fields: 'version' }), { result: 'fields: expected a list of texts' });
  const call = { jsonrpc: '2.0', method: 'session_get', id: 1 };
  const newer = (await ann.rpc.post(call)).json<{ result: Record<string, unknown> }>().result;
  t.same(newer['rpc_version_semver'], '5.3.0');
  t.match(newer['units'], { speed_bytes: 1024 });
  t.equal(Object.keys(newer).length, NAMES.length);
  t.notOk(Object.keys(newer).some((name) => /[-A-Z]/.test(name)));
});

void t.test('what Swarmd has is changed, in its own settings, and shown as it is then', async (t) => {
  const { harness, ann } = await startRpcScene(t);
  const own = (name: string) => ann.own('GET', `/api/settings/${name}`);
  const changes = {
    'speed-limit-down': 100,
    'speed-limit-down-enabled': true,
    'alt-speed-down': 7,
    'alt-speed-enabled': true,
    'alt-speed-time-enabled': true,
    'alt-speed-time-begin': 1_350,
    'alt-speed-time-end': 375,
    'alt-speed-time-day': 0b100_0001,
    'download-queue-enabled': true,
    'download-queue-size': 3,
    'queue-stalled-enabled': true,
    'queue-stalled-minutes': 20,
    seedRatioLimited: true,
    seedRatioLimit: 1.5,
    'idle-seeding-limit-enabled': true,
    'idle-seeding-limit': 90,
    'peer-port': 50_000,
    'peer-limit-per-torrent': 33,
    'dht-enabled': false,
    'port-forwarding-enabled': false,
    encryption: 'tolerated',
    'download-dir': join(harness.filesDir, 'films'),
    'incomplete-dir-enabled': true,
    'incomplete-dir': join(harness.filesDir, 'unfinished'),
    'rename-partial-files': true,
    'start-added-torrents': false,
    'trash-original-torrent-files': true,
  };
  t.equal(await set(ann, changes), 'success');
  t.match(await own('limits'), { down_kbps: 100, up_kbps: 0, alt_down_kbps: 7, alt_up_kbps: 0, alt_active: true });
  t.match(await own('queue_limits'), { max_active_downloads: 3, max_active_seeds: 0, stalled_minutes: 20 });
  t.match(await own('seeding_defaults'), { ratio_limit: 1.5, time_min_limit: 90 });
  t.match(await own('peer_limits'), {
    ...{ listen_port: 50_000, dht_enabled: false, upnp_enabled: false, encryption_enabled: false },
    max_peers_per_torrent: 33,
  });
  t.match(await own('save_path'), { path: changes['download-dir'] });
  t.match(await own('adding'), {
    ...{ incomplete_path: changes['incomplete-dir'], incomplete_suffix: '.part', content_layout: 'original' },
    paused: true,
  });
  t.match(await own('watch_folder'), { delete_after_add: true, enabled: false });
  t.match(await ann.own('GET', '/api/schedule_rules'), [
    { days_mask: 0b100_0001, start_min: 1_350, end_min: 375, alt_only: true, enabled: true },
  ]);
  t.match(await shown(ann), changes);

  const params = {
    ...{ speed_limit_down_enabled: 0, speed_limit_up: 2.5, speed_limit_up_enabled: 1, seed_ratio_limited: false },
    ...{ download_queue_enabled: false, alt_speed_time_day: 1, incomplete_dir_enabled: false, dht_enabled: null },
    ...{ peer_port_random_on_start: true },
  };
  const answer = await ann.rpc.post({ jsonrpc: '2.0', method: 'session_set', params, id: 1 });
  t.same(answer.json(), { jsonrpc: '2.0', result: {}, id: 1 });
  t.match(await own('limits'), { down_kbps: 0, up_kbps: 3, alt_down_kbps: 7 }, 'rounded up');
  t.match(await own('queue_limits'), { max_active_downloads: 0 });
  t.match(await own('seeding_defaults'), { ratio_limit: null, time_min_limit: 90 });
  t.match(await own('adding'), { incomplete_path: '' });
  t.match(await own('peer_limits'), { dht_enabled: false, listen_port: 0 });
  t.match(await ann.own('GET', '/api/schedule_rules'), [{ days_mask: 1, start_min: 1_350, enabled: true }]);
});

void t.test("the port's number is told to those who may change settings", async (t) => {
  const { ann, bob } = await startRpcScene(t);
  await set(ann, { 'peer-port': 50_000 });
  t.match(await shown(ann), { 'peer-port': 50_000, 'peer-port-random-on-start': false });
  t.match(await shown(bob), { 'peer-port': 0, 'peer-port-random-on-start': false });
  t.same(await shown(bob, { fields: ['peer-port'] }), { 'peer-port': 0 });
});

void t.test('alternative limits show by whose wish they hold, and are switched by the user alone', async (t) => {
  const { ann } = await startRpcScene(t);
  const always = { days_mask: 127, start_min: 0, end_min: 0, down_kbps: 0, up_kbps: 0, alt_only: true, enabled: true };
  await ann.own('POST', '/api/schedule_rules', always);
  t.match(await shown(ann), { 'alt-speed-enabled': true, 'alt-speed-time-enabled': true });
  t.equal(await set(ann, { 'alt-speed-enabled': true, 'alt-speed-down': 5 }), 'success');
  t.match(await ann.own('GET', '/api/settings/limits'), { alt_active: false, alt_down_kbps: 5 });
});

void t.test('all that is shown may be sent back, and changes nothing', async (t) => {
  const { harness, ann, admin, join: joinAs } = await startRpcScene(t);
  const settings = async () => {
    const names = ['save_path', 'peer_limits', 'adding', 'limits', 'queue_limits', 'seeding_rules', 'blocklist'];
    const all = names.map((name) => admin.own('GET', `/api/settings/${name}`));
    return { all: await Promise.all(all), rules: await admin.own('GET', '/api/schedule_rules') };
  };
  await set(ann, { 'incomplete-dir-enabled': true, 'incomplete-dir': join(harness.filesDir, 'unfinished') });
  const before = await settings();
  t.equal(await set(ann, await shown(ann)), 'success');
  const home = join(harness.filesDir, 'cleo');
  const cleo = await joinAs('cleo', { perm_change_settings: true, home });
  t.match(await shown(cleo), { 'download-dir': home, 'incomplete-dir': '', 'incomplete-dir-enabled': false });
  t.equal(await set(cleo, await shown(cleo)), 'success');
  t.same(await settings(), before, 'also of an account with a home of its own');
});

void t.test('what is not there keeps showing what is true', async (t) => {
  const { ann } = await startRpcScene(t, { args: ['--dht', 'off', '--lsd', 'off', '--max-peers', '77'] });
  const before = await shown(ann);
  t.match(before, { 'dht-enabled': false, 'lpd-enabled': false, 'pex-enabled': true, 'peer-limit-global': 77 });
  const changes = {
    ...{ 'dht-enabled': true, 'lpd-enabled': true, 'pex-enabled': false, 'utp-enabled': true, encryption: 'required' },
    ...{ 'peer-limit-global': 5, 'script-torrent-done-enabled': true, 'script-torrent-done-filename': '/bin/sh' },
    ...{ 'speed-limit-down': 4, 'incomplete-dir': '/somewhere', 'queue-stalled-minutes': 5, 'no-such': [1] },
    ...{ version: '1', 'session-id': 'x', units: 3, 'config-dir': '/', __proto__: 1 },
  };
  t.equal(await set(ann, changes), 'success');
  t.same(await shown(ann), before);
});

void t.test('of changes that cannot be made none is', async (t) => {
  const { harness, ann } = await startRpcScene(t);
  const before = await shown(ann);
  const refused = async (changes: object, sentence: RegExp) =>
    t.match(await set(ann, { 'alt-speed-down': 5_000, ...changes }), sentence, JSON.stringify(changes));
  await refused({ 'peer-port': 65_536 }, /^peer_port: at most 65535$/);
  await refused({ 'speed-limit-up': '5000' }, /^speed_limit_up: expected number$/);
  await refused({ 'speed-limit-up': 2 ** 60 }, /^speed_limit_up: at most /);
  await refused({ 'speed-limit-up': -1 }, /^speed_limit_up: must not be negative$/);
  await refused({ 'speed-limit-up-enabled': true }, /^speed_limit_up: expected a number above 0$/);
  await refused({ 'speed-limit-up-enabled': 2 }, /^speed_limit_up_enabled: expected boolean$/);
  await refused({ 'alt-speed-up': 0, 'alt-speed-down': 0.2 }, /^success$/);
  await set(ann, { 'alt-speed-down': 9 });
  await refused({ 'alt-speed-down': 0 }, /^alt_speed_down: expected a number above 0$/);
  await refused({ 'seed-queue-enabled': true, 'seed-queue-size': 0 }, /^seed_queue_size: expected a number above 0$/);
  await refused({ seedRatioLimited: true }, /^seed_ratio_limit: required$/);
  await refused({ 'idle-seeding-limit': 1.5 }, /^idle_seeding_limit: expected int$/);
  await refused({ 'alt-speed-time-begin': 1_440 }, /^alt_speed_time_begin: at most 1439$/);
  await refused({ 'alt-speed-time-day': 128 }, /^alt_speed_time_day: at most 127$/);
  await refused({ encryption: 'none' }, /^encryption: expected required or preferred or tolerated$/);
  await refused({ 'download-dir': 'relative' }, /^download_dir: Enter an absolute path/);
  await refused({ 'download-dir': '' }, /^download_dir: must not be empty$/);
  await refused({ 'download-dir': '/elsewhere' }, /^this account may not do that$/);
  await refused({ 'download-dir': harness.dataDir }, /^this account may not do that$/);
  await refused({ 'incomplete-dir-enabled': true }, /^incomplete_dir: required$/);
  await refused({ 'incomplete-dir-enabled': true, 'incomplete-dir': '/a\0' }, /^incomplete_dir: /);
  await refused({ 'blocklist-enabled': true }, /^blocklist_url: required when enabled$/);
  await refused({ 'blocklist-enabled': true, 'blocklist-url': 'http://127.0.0.1/list' }, /^blocklist_url: /);
  t.same(await shown(ann), { ...before, 'alt-speed-down': 9 });
});

void t.test('a rule that removes torrents keeps the limits of seeding to administrators', async (t) => {
  const { ann, admin } = await startRpcScene(t);
  const rule = { ratio_limit: 2, time_min_limit: null, inactive_min_limit: null, action: 'remove' };
  await admin.own('PUT', '/api/settings/seeding_rules/defaults', rule);
  t.equal(await set(ann, { 'dht-enabled': false, seedRatioLimit: 1 }), 'this account may not do that');
  t.match(await shown(ann), { 'dht-enabled': true, seedRatioLimit: 2 });
  t.equal(await set(admin, { seedRatioLimit: 1 }), 'success');
  t.match(await admin.own('GET', '/api/settings/seeding_rules'), { defaults: { ratio_limit: 1, action: 'remove' } });
});

void t.test('others than those who may change settings change none', async (t) => {
  const { admin, ann, bob } = await startRpcScene(t);
  await admin.own('PUT', '/api/settings/blocklist', { url: 'https://list.example/a?key=secret', enabled: false });
  const before = await shown(bob);
  t.equal(await set(bob, { 'speed-limit-down': 5, 'speed-limit-down-enabled': true }), 'this account may not do that');
  t.same(await shown(bob), before);
  t.match(await shown(ann), { 'blocklist-url': 'https://list.example/a?key=secret' });
  t.notMatch(JSON.stringify(before), /secret/);
  const answer = await bob.rpc.post({ jsonrpc: '2.0', method: 'session_set', params: { dht_enabled: false }, id: 1 });
  t.match(answer.json(), { error: { code: -32000, data: { error_string: 'this account may not do that' } } });
});
