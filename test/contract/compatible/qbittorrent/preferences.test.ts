// app/preferences and app/setPreferences: what is shown, what becomes of wishes, and who may have any.
import { join } from 'node:path';
import t from 'tap';
import { startToolScene, type Tool } from '../../../support/qbittorrent-scene.js';

const set = (tool: Tool, wishes: unknown) => tool.post('app/setPreferences', { json: JSON.stringify(wishes) });
const shown = (tool: Tool) => tool.read('app/preferences');

void t.test('what Swarmd has is changed, in its own settings, and shown as it is then', async (t) => {
  const { harness, ann } = await startToolScene(t);
  const own = (name: string) => ann.own('GET', `/api/settings/${name}`);
  const wishes = {
    dl_limit: 1_025,
    up_limit: 1,
    alt_dl_limit: 10_240,
    alt_up_limit: 0,
    queueing_enabled: true,
    max_active_downloads: 3,
    max_active_uploads: -1,
    dont_count_slow_torrents: true,
    slow_torrent_inactive_timer: 90,
    max_ratio_enabled: true,
    max_ratio: 1.5,
    max_inactive_seeding_time_enabled: true,
    max_inactive_seeding_time: 90,
    max_ratio_act: 2,
    listen_port: 50_000,
    dht: false,
    upnp: false,
    encryption: 2,
    max_connec_per_torrent: 33,
    save_path: join(harness.filesDir, 'films'),
    temp_path_enabled: true,
    temp_path: join(harness.filesDir, 'unfinished'),
    torrent_content_layout: 'NoSubfolder',
    preallocate_all: true,
    incomplete_files_ext: true,
    excluded_file_names_enabled: true,
    excluded_file_names: '*.exe\nsample',
    add_stopped_enabled: true,
    scheduler_enabled: true,
    schedule_from_hour: 22,
    schedule_from_min: 30,
    schedule_to_hour: 6,
    schedule_to_min: 15,
    scheduler_days: 2,
  };
  t.match(await set(ann, wishes), { status: 200, text: '' });
  t.match(await own('limits'), { down_kbps: 2, up_kbps: 1, alt_down_kbps: 10, alt_up_kbps: 0 }, 'rounded up');
  t.match(await own('queue_limits'), { max_active_downloads: 3, max_active_seeds: 0, stalled_minutes: 2 });
  t.match(await own('seeding_rules'), {
    defaults: { ratio_limit: 1.5, time_min_limit: null, inactive_min_limit: 90, action: 'super_seed' },
  });
  t.match(await own('peer_limits'), {
    ...{ listen_port: 50_000, dht_enabled: false, upnp_enabled: false, encryption_enabled: false },
    max_peers_per_torrent: 33,
  });
  t.match(await own('save_path'), { path: wishes.save_path });
  t.match(await own('adding'), {
    ...{ incomplete_path: wishes.temp_path, content_layout: 'no_subfolder', preallocation: 'full', paused: true },
    incomplete_suffix: '.!qB',
    excluded_file_names: ['*.exe', 'sample'],
  });
  t.match(await ann.own('GET', '/api/schedule_rules'), [
    { days_mask: 0b100_0001, start_min: 1_350, end_min: 375, alt_only: true, enabled: true },
  ]);
  t.match(await shown(ann), {
    ...wishes,
    dl_limit: 2_048,
    up_limit: 1_024,
    slow_torrent_inactive_timer: 120,
    start_paused_enabled: true,
  });

  const taken = {
    queueing_enabled: false,
    dont_count_slow_torrents: false,
    incomplete_files_ext: false,
    excluded_file_names_enabled: false,
    max_ratio_enabled: false,
    temp_path_enabled: false,
    scheduler_days: 5,
    start_paused_enabled: false,
  };
  await set(ann, { ...taken, dl_limit: -1 });
  t.match(await own('queue_limits'), { max_active_downloads: 0, max_active_seeds: 0 });
  t.match(await own('seeding_rules'), { defaults: { ratio_limit: null, inactive_min_limit: 90 } });
  t.match(await own('adding'), {
    ...{ incomplete_path: '', incomplete_suffix: null, content_layout: 'no_subfolder', paused: false },
    excluded_file_names: [],
  });
  t.match(await ann.own('GET', '/api/schedule_rules'), [{ days_mask: 8, start_min: 1_350, enabled: true }]);
  t.match(await shown(ann), { dl_limit: 0, max_active_downloads: -1, max_ratio: -1, temp_path: '' });
});

void t.test('all that is shown may be sent back, and changes nothing', async (t) => {
  const { harness, ann, admin, join: joinAs } = await startToolScene(t);
  const homeless = await shown(ann);
  const settings = async () => ({
    rules: await admin.own('GET', '/api/schedule_rules'),
    path: await admin.own('GET', '/api/settings/save_path'),
    peers: await admin.own('GET', '/api/settings/peer_limits'),
    adding: await admin.own('GET', '/api/settings/adding'),
  });
  const before = await settings();
  t.equal((await set(ann, homeless)).status, 200);
  const home = join(harness.filesDir, 'cleo');
  const cleo = await joinAs('cleo', { perm_change_settings: true, home });
  t.match(await shown(cleo), { save_path: home });
  t.equal((await set(cleo, await shown(cleo))).status, 200);
  t.same(await settings(), before, 'also of an account with a home of its own');
});

void t.test('what is not there keeps showing what is true', async (t) => {
  const { ann } = await startToolScene(t, { args: ['--dht', 'off', '--lsd', 'off', '--max-peers', '77'] });
  const before = await shown(ann);
  t.match(before, { dht: false, lsd: false, pex: true, max_connec: 77, max_ratio_act: 0 });
  t.match(before, { autorun_enabled: false, autorun_program: '', mail_notification_enabled: false });
  const wishes = {
    ...{ dht: true, lsd: true, pex: false, max_connec: 5, auto_tmm_enabled: true, max_active_downloads: 4 },
    ...{ autorun_enabled: true, autorun_program: '/bin/sh', no_such_thing: [1], proxy_type: 'SOCKS5', encryption: 1 },
    ...{ max_ratio: 4, temp_path: '/somewhere', web_ui_username: 'root', bypass_local_auth: true },
  };
  t.equal((await set(ann, wishes)).status, 200);
  t.same(await shown(ann), before);
});

void t.test('of wishes that cannot be granted none is', async (t) => {
  const { harness, ann } = await startToolScene(t);
  const before = await shown(ann);
  const refused = async (wishes: unknown, text: RegExp, status = 400) =>
    t.match(await set(ann, wishes), { status, text }, JSON.stringify(wishes));
  await refused({ dl_limit: 5_000, listen_port: 65_536 }, /^listen_port: at most 65535$/);
  await refused({ dl_limit: '5000' }, /^dl_limit: expected number$/);
  await refused({ dl_limit: 2 ** 60 }, /^dl_limit: at most /);
  await refused({ queueing_enabled: 1 }, /^queueing_enabled: expected boolean$/);
  await refused({ scheduler_days: 10, dl_limit: 7 }, /^scheduler_days: at most 9$/);
  await refused({ dl_limit: 5_000, save_path: 'relative' }, /^save_path: Enter an absolute path/);
  await refused({ dl_limit: 5_000, temp_path_enabled: true, temp_path: '/a\0' }, /^temp_path: /);
  await refused({ dl_limit: 5_000, save_path: '/elsewhere' }, /^this account may not do that$/, 409);
  await refused({ dl_limit: 5_000, save_path: harness.dataDir }, /^this account may not do that$/, 409);
  await refused({ dl_limit: 5_000, max_ratio_enabled: true, max_ratio: 1, max_ratio_act: 3 }, /may not do that/, 409);
  for (const json of ['{', '[]', '"a"', 'null', '']) {
    t.match(await ann.post('app/setPreferences', { json }), { status: 400, text: /^json: / }, json);
  }
  t.same(await shown(ann), before);
});

void t.test('administrators may have torrents removed', async (t) => {
  const { admin } = await startToolScene(t);
  await set(admin, { max_ratio_act: 3 });
  t.match(await admin.own('GET', '/api/settings/seeding_rules'), { defaults: { action: 'remove_with_data' } });
  t.match(await shown(admin), { max_ratio_act: 3 });
});

void t.test('others than those who may change settings change none, and are not shown the way out', async (t) => {
  const { admin, ann, bob } = await startToolScene(t);
  const proxy = { kind: 'socks5', host: 'proxy.example', port: 1080, username: 'swarm', password: 'secret' };
  await admin.own('PUT', '/api/settings/network', {
    ...{ bind: '', listen_ports: '', anonymous: true },
    proxy: { ...proxy, peers: true, trackers: true, guarded: false },
  });
  t.match(await shown(ann), { proxy_type: 'SOCKS5', proxy_ip: 'proxy.example', proxy_username: 'swarm' });
  t.match(await shown(bob), { proxy_type: 'None', proxy_ip: '', proxy_username: '', anonymous_mode: false });
  t.notMatch((await ann.get('app/preferences')).text, /secret/);
  await set(ann, { listen_port: 50_000 });
  t.match(await shown(ann), { listen_port: 50_000, random_port: false });
  t.match(await shown(bob), { listen_port: 0, random_port: false }, 'nor the port');
  t.match(await set(bob, { dl_limit: 5_000 }), { status: 409, text: 'this account may not do that' });
  t.match(await shown(ann), { dl_limit: 0 });
  t.equal((await ann.get('app/setPreferences', { json: '{"dl_limit":5000}' })).status, 405);
});
