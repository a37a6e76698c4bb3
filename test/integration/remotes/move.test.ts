// Torrents that go from one server to another: between remotes, from here and to here; what the tracker hears of it, and
// what becomes of one that is ended.
import { existsSync } from 'node:fs';
import t from 'tap';
import { beginMove, folderAt, hasAll, movesOf, seedAt, startThree, untilMove } from '../../support/moved-torrent.js';
import { MIB } from '../../support/peers/payload.js';
import { waitUntil } from '../../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;

t.setTimeout(400_000);

void t.test('from one remote to another, with its labels, and the tracker knows one place at a time', async (t) => {
  const { servers, tracker, one, two } = await startThree(t);
  const { front } = servers;
  const films = { name: 'films', default_save_path: servers.one.state.savePath, color: '' };
  const category = await servers.one.daemon.api<{ id: number }>('POST', '/api/categories', films);
  const tag = await servers.one.daemon.api<{ id: number }>('POST', '/api/tags', { name: 'rare', color: '' });
  const labels = { category_id: String(category.json.id), tags: JSON.stringify([tag.json.id]) };
  const payload = await seedAt(servers.one, tracker.announceUrl, 4 * MIB, 1, labels);
  await waitUntil('the seed is announced', TIMEOUT_MS, () => tracker.announces.find(({ left }) => left === 0));
  const infohash = payload.infoHash;
  const id = await beginMove(front, payload, { from: one, to: two });
  t.equal((await front.daemon.api('POST', '/api/server_moves', { infohash, from: one, to: two })).status, 409, 'once');
  const done = await untilMove(
    () => front.daemon,
    id,
    'done',
    ({ state }) => state === 'done',
  );
  t.match(done, { name: payload.name, bytes_done: 4 * MIB, bytes_total: 4 * MIB, reason: null, from: one, to: two });
  t.ok(await hasAll(servers.two, payload), 'all of it is there');
  t.same(await servers.one.daemon.torrents(), []);
  await waitUntil('the files are gone', TIMEOUT_MS, () => !existsSync(folderAt(servers.one, payload)) || undefined);
  t.match(await servers.two.daemon.torrent(infohash), { completed: true, paused: false });
  const there = (await servers.two.daemon.api<{ id: number; name: string }[]>('GET', '/api/categories')).json;
  t.match(there, [{ name: 'films' }]);
  t.match(await servers.two.daemon.torrent(infohash), { category_id: there[0]!.id, tags: [{ name: 'rare' }] });

  const [source] = tracker.announces;
  const others = tracker.announces.filter(({ port }) => port !== source?.port);
  t.ok(others.length > 0);
  const goodbye = tracker.announces.findIndex(({ port, event }) => port === source?.port && event === 'stopped');
  t.ok(goodbye >= 0 && goodbye < tracker.announces.indexOf(others[0]!), 'the source had said goodbye before');
  t.ok(
    others.every(({ left }) => left === 0),
    'and of the copy the tracker heard when it was whole',
  );
  t.equal((await front.daemon.api('DELETE', `/api/server_moves/${done.id}`)).status, 200);
  t.same(await movesOf(front.daemon), []);
});

void t.test('from here to a remote and back, the files of the source staying', async (t) => {
  const { servers, tracker, one } = await startThree(t);
  const { front } = servers;
  const payload = await seedAt(front, tracker.announceUrl, 2 * MIB, 2);
  const infohash = payload.infoHash;
  const there = await beginMove(front, payload, { from: null, to: one, delete_data: false });
  await untilMove(
    () => front.daemon,
    there,
    'done',
    ({ state }) => state === 'done',
  );
  t.ok(await hasAll(servers.one, payload));
  t.ok(await hasAll(front, payload), 'files that were to stay');
  t.same(await front.daemon.torrents(), []);
  const back = await beginMove(front, payload, { from: one, to: null, politeness: 'overlap' });
  await untilMove(
    () => front.daemon,
    back,
    'done',
    ({ state }) => state === 'done',
  );
  t.match(await front.daemon.torrent(infohash), { completed: true });
  t.same(await servers.one.daemon.torrents(), []);
});

void t.test('one that is ended leaves nothing', async (t) => {
  const { servers, tracker, one, two } = await startThree(t);
  const { front } = servers;
  const payload = await seedAt(servers.one, tracker.announceUrl, 4 * MIB, 3);
  const infohash = payload.infoHash;
  // Slow enough to be ended on the way.
  await servers.one.daemon.api('PUT', `/api/torrents/${infohash}/rate_limits`, { down_kbps: 0, up_kbps: 64 });
  const id = await beginMove(front, payload, { from: one, to: two });
  await untilMove(
    () => front.daemon,
    id,
    'on its way',
    ({ bytes_done }) => bytes_done > 0,
  );
  t.equal((await front.daemon.api('DELETE', `/api/server_moves/${id}`)).status, 200);
  const failed = await untilMove(
    () => front.daemon,
    id,
    'ended',
    ({ state }) => state === 'failed',
  );
  t.match(failed, { reason: 'ended by hand', ended_at: Number });
  t.same(await servers.two.daemon.torrents(), []);
  await waitUntil('its files are gone', TIMEOUT_MS, () => !existsSync(folderAt(servers.two, payload)) || undefined);
  t.match(await servers.one.daemon.torrent(infohash), { completed: true, paused: false }, 'the source is as it was');
});
