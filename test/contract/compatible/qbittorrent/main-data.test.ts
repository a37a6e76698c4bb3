// sync/maindata: in full, as what changed since a version, and by account.
import t from 'tap';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { startToolScene, type Tool } from '../../../support/qbittorrent-scene.js';
import type { MainDataAnswer } from '../../../support/main-data-page.js';

const SECRET = '0123456789abcdef0123456789abcdef';
const TRACKER = `https://tracker.example/${SECRET}/announce`;
const hashOf = (digit: string) => digit.repeat(40);
const magnetOf = (digit: string) => `magnet:?xt=urn:btih:${hashOf(digit)}&dn=name-${digit}&tr=${TRACKER}`;
const LABEL = { default_save_path: '', color: '#000000' };

function ask(tool: Tool, rid?: number): Promise<MainDataAnswer> {
  return tool.read<MainDataAnswer>('sync/maindata', rid === undefined ? {} : { rid: String(rid) });
}

void t.test('in full and as differences', async (t) => {
  const { harness, admin } = await startToolScene(t);
  await admin.own('POST', '/api/torrents/magnet', { magnet: magnetOf('a') });
  const { id: category } = await admin.own<{ id: number }>('POST', '/api/categories', { ...LABEL, name: 'tv' });
  const first = await ask(admin);
  t.match(first, {
    rid: Number,
    full_update: true,
    torrents: { [hashOf('a')]: { name: 'name-a', category: '', state: 'metaDL', hash: hashOf('a') } },
    categories: { tv: { name: 'tv', savePath: '' } },
    tags: [],
    trackers: { [TRACKER]: [hashOf('a')] },
    server_state: {
      ...{ connection_status: String, dl_info_speed: 0, up_info_data: 0, alltime_dl: 0, global_ratio: '-' },
      ...{ free_space_on_disk: Number, queueing: false, use_alt_speed_limits: false, refresh_interval: 1_500 },
    },
  });
  await admin.own('POST', '/api/tags', { name: 'old', color: '#000000' });
  await admin.own('POST', '/api/torrents/category', { infohash: hashOf('a'), category_id: category });
  await admin.own('POST', '/api/torrents/magnet', { magnet: magnetOf('b') });
  await admin.own('POST', '/api/settings/alt_speed/toggle');
  harness.engine.setStats(parseInfoHash(hashOf('a')), { downloadRate: 50, peers: 2 });
  const second = await ask(admin, first.rid);
  t.notOk('full_update' in second);
  t.same(second.torrents?.[hashOf('a')], { category: 'tv', dlspeed: 50, num_leechs: 2, num_incomplete: 2 });
  t.match(second.torrents?.[hashOf('b')], { name: 'name-b', hash: hashOf('b') }, 'a new one is whole');
  t.same([...(second.trackers?.[TRACKER] ?? [])].sort(), [hashOf('a'), hashOf('b')], 'all that have the address');
  t.same(second.tags, ['old']);
  t.match(second.server_state, { use_alt_speed_limits: true, dl_info_speed: 50, total_peer_connections: 2 });
  t.notOk('alltime_dl' in (second.server_state ?? {}), 'what did not change');
  t.notOk('categories' in second);

  await admin.own('DELETE', `/api/torrents/${hashOf('a')}`);
  await admin.own('DELETE', `/api/torrents/${hashOf('b')}`);
  await admin.own('DELETE', `/api/categories/${category}`);
  const third = await ask(admin, second.rid);
  t.same([...(third.torrents_removed ?? [])].sort(), [hashOf('a'), hashOf('b')]);
  t.same([third.trackers_removed, third.categories_removed], [[TRACKER], ['tv']]);
  t.notOk('torrents' in third || 'trackers' in third);
  t.match(await ask(admin, first.rid), { tags: ['old'], torrents_removed: [hashOf('a')] }, 'an older one too');
  const { rid, ...nothing } = await ask(admin, third.rid);
  t.same([rid, nothing], [third.rid, {}], 'nothing changed');
});

void t.test('a number that is not known is answered in full', async (t) => {
  const { admin, ann } = await startToolScene(t);
  const { rid } = await ask(admin);
  for (const unknown of [0, -1, rid + 1_000]) t.equal((await ask(admin, unknown)).full_update, true);
  t.equal((await ask(ann, rid)).full_update, true, "another account's");
  let last = rid;
  for (let count = 0; count < 20; count++) {
    await admin.own('POST', '/api/settings/alt_speed/toggle');
    last = (await ask(admin, last)).rid;
  }
  t.equal((await ask(admin, rid)).full_update, true, 'not for ever');
  t.match(await admin.get('sync/maindata', { rid: 'x' }), { status: 400, text: /^rid: / });
});

void t.test('by account', async (t) => {
  const { harness, admin, ann, bob } = await startToolScene(t);
  await ann.own('POST', '/api/torrents/magnet', { magnet: magnetOf('a') });
  await ann.own('POST', `/api/torrents/${hashOf('a')}/shares`, { user_id: bob.accountId, access: 'viewer' });
  await admin.own('POST', '/api/torrents/magnet', { magnet: magnetOf('b') });
  for (const name of ['used', 'unused']) await admin.own('POST', '/api/categories', { ...LABEL, name });
  const [used] = await admin.own<{ id: number }[]>('GET', '/api/categories');
  await ann.own('POST', '/api/torrents/category', { infohash: hashOf('a'), category_id: used?.id });
  harness.engine.setStats(parseInfoHash(hashOf('b')), { downloadRate: 70, peers: 3, workingTracker: 0 });
  harness.engine.setStats(parseInfoHash(hashOf('a')), { uploadRate: 5, peers: 1, workingTracker: 0 });

  const shown = await ask(bob);
  t.same(Object.keys(shown.torrents ?? {}), [hashOf('a')]);
  t.same(Object.keys(shown.categories ?? {}), ['used'], 'others say what others do');
  t.match(shown.server_state, { dl_info_speed: 0, up_info_speed: 5, total_peer_connections: 1 });
  t.notMatch(JSON.stringify(shown), SECRET, 'viewers see no passkeys');
  t.same(Object.values(shown.trackers ?? {}), [[hashOf('a')]]);
  t.match((await ask(admin)).server_state, { dl_info_speed: 70, up_info_speed: 5, total_peer_connections: 4 });

  await ann.own('POST', `/api/torrents/${hashOf('a')}/shares`, { user_id: bob.accountId, access: 'editor' });
  const raised = await ask(bob, shown.rid);
  t.equal(raised.torrents?.[hashOf('a')]?.['tracker'], TRACKER, 'who may edit sees them');
  t.same(raised.trackers, { [TRACKER]: [hashOf('a')] });
  t.same(raised.trackers_removed, Object.keys(shown.trackers ?? {}));
  await ann.own('DELETE', `/api/torrents/${hashOf('a')}/shares/${bob.accountId}`);
  const lost = await ask(bob, raised.rid);
  t.match(lost, { torrents_removed: [hashOf('a')], trackers_removed: [TRACKER], categories_removed: ['used'] });
  t.notOk('torrents' in lost);
  t.match(await harness.call('GET', '/api/v2/sync/maindata'), { status: 403, text: 'Forbidden' });
});
