// transfer/banPeers and the preference banned_IPs: the same bans as those of the service's own interface, for
// administrators alone.
import t from 'tap';
import { startToolScene, type Tool } from '../../../support/qbittorrent-scene.js';

const set = (tool: Tool, banned_IPs: string) =>
  tool.post('app/setPreferences', { json: JSON.stringify({ banned_IPs }) });
const shown = async (tool: Tool) => (await tool.read<{ banned_IPs: string }>('app/preferences')).banned_IPs;

void t.test('peers are banned by their addresses, and shown one on each line', async (t) => {
  const { harness, admin } = await startToolScene(t);
  const peers = '192.0.2.1:6881| [2001:db8::7]:51413 |::ffff:192.0.2.2|peer.example:1|192.0.2.1:9';
  t.match(await admin.post('transfer/banPeers', { peers }), { status: 200, text: '' });
  t.equal(await shown(admin), '192.0.2.1\n2001:db8::7');
  t.equal(harness.engine.blocklist.length, 1, 'in force');
  t.match(await admin.post('transfer/banPeers', { peers: 'nobody' }), { status: 200, text: '' }, 'as in qBittorrent');
  t.match(await admin.post('transfer/banPeers', {}), { status: 400, text: 'peers: required' });
  const many = Array.from({ length: 1_001 }, (_, port) => `192.0.2.9:${port + 1}`).join('|');
  t.match(await admin.post('transfer/banPeers', { peers: many }), { status: 400, text: 'peers: at most 1000' });
  t.equal(await shown(admin), '192.0.2.1\n2001:db8::7');
});

void t.test('the preference takes the place of all of them; what stays keeps its time', async (t) => {
  const { harness, admin } = await startToolScene(t);
  await admin.own('POST', '/api/bans', { addresses: ['192.0.2.1', '198.51.100.0/24'] });
  const before = await admin.own('GET', '/api/bans');
  t.match(await set(admin, await shown(admin)), { status: 200 });
  t.same(await admin.own('GET', '/api/bans'), before, 'sent back as it was shown');
  t.match(await set(admin, '198.51.100.0/24\n\n 203.0.113.7 \n'), { status: 200, text: '' });
  t.equal(await shown(admin), '198.51.100.0/24\n203.0.113.7');
  const bad = await set(admin, '203.0.113.8\npeer.example');
  t.match(bad, { status: 400, text: 'banned_IPs: no address: peer.example' });
  t.equal(await shown(admin), '198.51.100.0/24\n203.0.113.7');
  t.match(await set(admin, ''), { status: 200 });
  t.same(harness.engine.blocklist, []);
});

void t.test('an account that may change settings neither bans nor sees bans', async (t) => {
  const { admin, ann } = await startToolScene(t);
  await admin.own('POST', '/api/bans', { addresses: ['192.0.2.1'] });
  t.equal(await shown(ann), '');
  t.match(await set(ann, ''), { status: 200 }, 'as it was shown');
  for (const answer of [await ann.post('transfer/banPeers', { peers: '192.0.2.2:1' }), await set(ann, '192.0.2.2')]) {
    t.match(answer, { status: 409, text: 'this account may not do that' });
  }
  t.equal(await shown(admin), '192.0.2.1');
});
