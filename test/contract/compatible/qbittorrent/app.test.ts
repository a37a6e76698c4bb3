// app/* but for preferences, transfer/*, log/* and search/*: what is answered to whom.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { startToolScene, type Tool } from '../../../support/qbittorrent-scene.js';

const HASH = 'a'.repeat(40);
const ADD = { magnet: `magnet:?xt=urn:btih:${HASH}` };

void t.test('which program it is', async (t) => {
  const { harness, bob } = await startToolScene(t);
  t.match(await bob.get('app/version'), { text: 'v5.1.4', headers: { 'content-type': /^text\/plain/ } });
  t.match(await bob.post('app/webapiVersion'), { text: '2.11.4' }, 'also by POST');
  t.match(await bob.read('app/buildInfo'), {
    libtorrent: /^2\./,
    qt: String,
    boost: String,
    zlib: String,
    bitness: 64,
  });
  t.equal((await bob.get('app/defaultSavePath')).text, harness.filesDir);
  const head = await harness.call('HEAD', '/api/v2/app/version', { headers: bob.headers });
  t.match(head, { status: 200, text: '' });
  t.match(await harness.call('GET', '/api/v2/app/version'), { status: 403, text: 'Forbidden' });
  t.match(await bob.get('app/nothing'), { status: 404 });
});

void t.test('what no tool is to do', async (t) => {
  const { admin } = await startToolScene(t);
  for (const path of ['app/shutdown', 'app/sendTestEmail', 'app/setCookies', 'search/start']) {
    t.match(await admin.post(path, { cookies: '[]', pattern: 'a' }), { status: 409, text: /: / });
    t.equal((await admin.get(path)).status, 405, path);
  }
  t.equal((await admin.get('app/version')).status, 200, 'it is still there');
  for (const path of ['app/cookies', 'log/main', 'log/peers', 'search/plugins', 'search/status']) {
    t.same(await admin.read(path), [], path);
  }
  t.equal((await admin.get('search/results', { id: '1' })).status, 409);
});

void t.test('interfaces are shown to those who may change settings', async (t) => {
  const { ann, bob } = await startToolScene(t);
  const named = await ann.read<{ name: string; value: string }[]>('app/networkInterfaceList');
  t.ok(named.some(({ value }) => value === 'lo'));
  t.ok((await ann.read<string[]>('app/networkInterfaceAddressList', { iface: 'lo' })).includes('127.0.0.1'));
  t.ok((await ann.read<string[]>('app/networkInterfaceAddressList', { iface: '' })).includes('127.0.0.1'));
  t.same(await ann.read('app/networkInterfaceAddressList', { iface: 'none' }), []);
  t.match(await ann.get('app/networkInterfaceAddressList'), { status: 400, text: 'iface: required' });
  t.same(await bob.read('app/networkInterfaceList'), []);
  t.same(await bob.read('app/networkInterfaceAddressList', { iface: '' }), []);
});

void t.test('folders: of administrators where they may save, of others in their home', async (t) => {
  const { harness, admin, ann, bob, join: joinAs } = await startToolScene(t);
  const root = harness.filesDir;
  const home = join(root, 'cleo');
  const cleo = await joinAs('cleo', { perm_add_torrents: true, home });
  await mkdir(join(home, 'films'), { recursive: true });
  await mkdir(join(root, 'anns'));
  await writeFile(join(home, 'notes'), '');
  await symlink(root, join(home, 'out'));
  const look = (tool: Tool, dirPath: string, mode = 'all') => tool.get('app/getDirectoryContent', { dirPath, mode });
  t.same((await look(cleo, home)).json(), [join(home, 'films'), join(home, 'notes')]);
  t.same((await look(cleo, home, 'dirs')).json(), [join(home, 'films')]);
  t.same((await look(cleo, home, 'files')).json(), [join(home, 'notes')]);
  t.same((await look(admin, root)).json(), [join(root, 'anns'), home]);
  const missing = { status: 404, text: 'dirPath: no such directory' };
  const away = [root, join(root, 'anns'), join(root, 'none'), join(home, 'out'), join(home, '..'), '/etc', 'relative'];
  for (const path of [...away, harness.dataDir, join(home, 'notes'), join(home, 'none'), '/a\0b']) {
    t.match(await look(cleo, path), missing, path);
  }
  t.match(await look(ann, root), missing, 'who has no home sees no names of others');
  t.match(await look(admin, harness.dataDir), missing);
  t.equal((await look(bob, root)).status, 409);
  t.match(await look(cleo, home, 'constructor'), { status: 400, text: /^mode: / });
  t.match(await cleo.get('app/getDirectoryContent'), { status: 400, text: 'dirPath: required' });
});

void t.test('limits of speed are set by those who may, of the pair that is in force', async (t) => {
  const { ann, bob } = await startToolScene(t);
  const limits = () => ann.own('GET', '/api/settings/limits');
  t.equal((await bob.get('transfer/downloadLimit')).text, '0');
  await ann.post('transfer/setDownloadLimit', { limit: '1' });
  await ann.post('transfer/setUploadLimit', { limit: '204801' });
  t.equal((await bob.get('transfer/downloadLimit')).text, '1024');
  t.equal((await bob.get('transfer/uploadLimit')).text, String(201 * 1024));
  t.equal((await ann.get('transfer/speedLimitsMode')).text, '0');
  t.match(await ann.post('transfer/setSpeedLimitsMode', { mode: '1' }), { status: 200, text: '' });
  await ann.post('transfer/setSpeedLimitsMode', { mode: '1' });
  t.equal((await bob.get('transfer/speedLimitsMode')).text, '1');
  t.equal((await bob.get('transfer/downloadLimit')).text, '0');
  await ann.post('transfer/setDownloadLimit', { limit: '2048' });
  t.match(await limits(), { down_kbps: 1, up_kbps: 201, alt_down_kbps: 2, alt_up_kbps: 0, alt_active: true });
  await ann.post('transfer/toggleSpeedLimitsMode');
  await ann.post('transfer/setDownloadLimit', { limit: '-1' });
  t.match(await limits(), { down_kbps: 0, alt_down_kbps: 2, alt_active: false });
  t.match(await ann.post('transfer/setDownloadLimit', { limit: 'fast' }), { status: 400, text: /^limit: / });
  t.match(await ann.post('transfer/setUploadLimit'), { status: 400, text: 'limit: required' });
  t.match(await ann.post('transfer/setSpeedLimitsMode'), { status: 400, text: 'mode: required' });
  const before = await limits();
  for (const path of ['setDownloadLimit', 'setUploadLimit', 'setSpeedLimitsMode', 'toggleSpeedLimitsMode']) {
    t.equal((await bob.post(`transfer/${path}`, { limit: '1', mode: '1' })).status, 409, path);
    t.equal((await ann.get(`transfer/${path}`, { limit: '1', mode: '1' })).status, 405, path);
  }
  t.same(await limits(), before);
});

void t.test('transfer/info has the figures of the caller and of no other account', async (t) => {
  const { harness, ann, bob, admin } = await startToolScene(t);
  await ann.own('POST', '/api/torrents/magnet', ADD);
  harness.engine.setStats(HASH as never, { downloadRate: 700, uploadRate: 90, totalDown: 5_000, totalUp: 300 });
  const info = { dl_info_speed: 700, up_info_speed: 90, dl_info_data: 5_000, up_info_data: 300, dl_rate_limit: 0 };
  harness.engine.dhtNodes = 321;
  t.match(await ann.read('transfer/info'), { ...info, connection_status: 'firewalled', dht_nodes: 321 });
  const none = { dl_info_speed: 0, up_info_speed: 0, dl_info_data: 0, up_info_data: 0 };
  t.match(await bob.read('transfer/info'), none);
  t.match(await admin.read('transfer/info'), { dl_info_speed: 700, dl_info_data: 0 }, 'sees it, and did not move it');
});
