// Who may move what between servers, and what is not moved.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { makeAccount } from '../../support/daemon-account.js';
import { beginMove, movesOf, seedAt, startThree, untilMove } from '../../support/moved-torrent.js';
import { MIB } from '../../support/peers/payload.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { addRemote, keyOf, untilState } from '../../support/remotes.js';

const TIMEOUT_MS = 60_000;

t.setTimeout(400_000);

void t.test('what may not be moved', async (t) => {
  const { servers, tracker, one, two } = await startThree(t);
  const front = servers.front.daemon;
  const payload = await seedAt(servers.front, tracker.announceUrl, MIB, 4);
  const infohash = payload.infoHash;
  const [ann, bob] = [await makeAccount(front, 'ann'), await makeAccount(front, 'bob', { perm_add_torrents: false })];
  await front.api('PUT', `/api/remotes/${one}`, { user_ids: [ann.id, bob.id] });
  const strange = { status: 404, json: { error: 'torrent not found' } };
  t.same(
    await ann.client.api('POST', '/api/server_moves', { infohash, from: null, to: one }),
    strange,
    'another’s torrent',
  );
  const noServer = { status: 404, json: { error: 'server not found' } };
  t.same(await front.api('POST', '/api/server_moves', { infohash, from: null, to: one }), noServer, 'another’s server');
  t.equal((await bob.client.api('POST', '/api/server_moves', { infohash, from: one, to: null })).status, 403);
  await front.api('POST', `/api/torrents/${infohash}/shares`, { user_id: ann.id, access: 'editor' });
  t.equal(
    (await ann.client.api('POST', '/api/server_moves', { infohash, from: null, to: one })).status,
    403,
    'an editor',
  );
  await servers.two.daemon.kill();
  const away = await waitUntil('two is away', TIMEOUT_MS, async () => {
    const answer = await front.api('POST', '/api/server_moves', { infohash, from: null, to: two });
    return answer.status === 503 ? answer : undefined;
  });
  t.match(away.json, { code: 'REMOTE_AWAY' });
  t.same(await movesOf(front), [], 'nothing was begun');
  t.same(await movesOf(ann.client), []);
  t.match(await front.torrent(infohash), { completed: true, paused: false });
});

void t.test('a server that tells no port', async (t) => {
  const { servers, tracker } = await startThree(t);
  const [front, { daemon }] = [servers.front.daemon, servers.two];
  // This key may not change settings, and so is told none.
  const key = await keyOf(daemon, 'plain', { role: 'user', perm_add_torrents: true });
  const plain = await addRemote(front, { name: 'plain', url: daemon.url, api_key: key });
  await untilState(front, plain, 'connected');
  const payload = await seedAt(servers.front, tracker.announceUrl, MIB, 5);
  const id = await beginMove(servers.front, payload, { from: null, to: plain });
  const failed = await untilMove(
    () => front,
    id,
    'failed',
    ({ state }) => state === 'failed',
  );
  t.match(failed, { reason: 'neither server tells the port of its peers: that needs perm_change_settings' });
  t.match(await front.torrent(payload.infoHash), { completed: true, paused: false });
});

void t.test('moves are their account’s, and go with it', async (t) => {
  const { servers, tracker, one } = await startThree(t);
  const front = servers.front.daemon;
  const ann = await makeAccount(front, 'ann', { home: servers.front.state.savePath });
  await front.api('PUT', `/api/remotes/${one}`, { user_ids: [ann.id] });
  const payload = await seedAt(servers.one, tracker.announceUrl, 4 * MIB, 6);
  const infohash = payload.infoHash;
  await servers.one.daemon.api('PUT', `/api/torrents/${infohash}/rate_limits`, { down_kbps: 0, up_kbps: 64 });
  const id = await beginMove({ daemon: ann.client }, payload, { from: one, to: null });
  t.match(await movesOf(ann.client), [{ id, user_id: ann.id, infohash }]);
  t.same(await movesOf(front), [], 'not even an administrator’s to see');
  t.equal((await front.api('DELETE', `/api/server_moves/${id}`)).status, 404);
  await untilMove(
    () => ann.client,
    id,
    'on its way',
    ({ bytes_done }) => bytes_done > 0,
  );
  t.equal((await front.api('DELETE', `/api/users/${ann.id}`)).status, 200);
  await waitUntil('nothing is stored of it', TIMEOUT_MS, async () => {
    const stored = await readFile(join(servers.front.state.dataDir, 'server-moves.json'), 'utf8');
    return !stored.includes(infohash) || undefined;
  });
  t.match(await servers.one.daemon.torrent(infohash), { completed: true, paused: false }, 'the source stays');
});
