// A torrent that is paused, moved between servers with real data: it runs meanwhile, and is paused again where it ends up.
import t from 'tap';
import { beginMove, hasAll, movesOf, seedAt, startThree, untilMove } from '../../support/moved-torrent.js';
import { MIB } from '../../support/peers/payload.js';

t.setTimeout(400_000);

void t.test('one that is paused runs for its move, and is paused where it ends up', async (t) => {
  const { servers, tracker, one, two } = await startThree(t);
  const { front } = servers;
  const payload = await seedAt(servers.one, tracker.announceUrl, 2 * MIB, 9);
  const infohash = payload.infoHash;
  await servers.one.daemon.api('POST', `/api/torrents/${infohash}/pause`);
  const id = await beginMove(front, payload, { from: one, to: two });
  await untilMove(
    () => front.daemon,
    id,
    'done',
    ({ state }) => state === 'done',
  );
  t.ok(await hasAll(servers.two, payload), 'all of it is there');
  t.match(await servers.two.daemon.torrent(infohash), { completed: true, paused: true });
  t.same(await servers.one.daemon.torrents(), []);
});

void t.test('one that is ended is paused at the source as it was', async (t) => {
  const { servers, tracker, one, two } = await startThree(t);
  const { front } = servers;
  const payload = await seedAt(servers.one, tracker.announceUrl, 2 * MIB, 10);
  const infohash = payload.infoHash;
  await servers.one.daemon.api('POST', `/api/torrents/${infohash}/pause`);
  // Slow enough to be ended on the way.
  await servers.one.daemon.api('PUT', `/api/torrents/${infohash}/rate_limits`, { down_kbps: 0, up_kbps: 64 });
  const id = await beginMove(front, payload, { from: one, to: two });
  await untilMove(
    () => front.daemon,
    id,
    'on its way',
    ({ bytes_done }) => bytes_done > 0,
  );
  t.match(await servers.one.daemon.torrent(infohash), { paused: false });
  t.equal((await front.daemon.api('DELETE', `/api/server_moves/${id}`)).status, 200);
  await untilMove(
    () => front.daemon,
    id,
    'ended',
    ({ state }) => state === 'failed',
  );
  t.match(await servers.one.daemon.torrent(infohash), { completed: true, paused: true });
  t.same(await servers.two.daemon.torrents(), []);
  t.equal((await movesOf(front.daemon)).length, 1);
});
