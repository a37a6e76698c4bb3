// What is asked of a remote by `server_id`: adding, changing and removing there, and what neither side lets pass.
import t from 'tap';
import { FORWARDED } from '../../../api/routes/forwarding.js';
import { ROUTES } from '../../../api/routes/index.js';
import { startDaemon } from '../../support/daemon.js';
import { makeAccount } from '../../support/daemon-account.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { KIB } from '../../support/peers/payload.js';
import { addRemote, allTorrents, keyOf, startRemote, untilListed, untilState } from '../../support/remotes.js';
import { startUpstream } from '../../support/upstream.js';

const HASH = '1'.repeat(40);

void t.test('every route that is forwarded is there', (t) => {
  const names: readonly string[] = ROUTES.filter(({ isForwarded }) => isForwarded).map(({ name }) => name);
  t.same(names.toSorted(), [...FORWARDED].toSorted());
  t.end();
});

void t.test('a torrent is added, changed and removed there', async (t) => {
  const front = await startDaemon();
  t.teardown(() => front.stop());
  const { daemon, id: server } = await startRemote(front, 'one');
  t.teardown(() => daemon.stop());
  const at = (path: string) => `${path}?server_id=${server}`;
  const made = makeTorrent({ name: 'film.bin', pieceLength: 16 * KIB, files: seededBytes(3, 40 * KIB) });
  const films = { name: 'films', default_save_path: daemon.savePath, color: '' };
  const category = (await daemon.api<{ id: number }>('POST', '/api/categories', films)).json.id;
  t.match(
    (await front.api('GET', at('/api/categories'))).json,
    [{ id: category, name: 'films' }],
    'its names are its own',
  );

  const form = new FormData();
  form.set('file', new Blob([made.torrentBytes]), 'film.torrent');
  form.set('paused', 'true');
  form.set('category_id', String(category));
  form.set('rate_limits', JSON.stringify({ down_kbps: 7, up_kbps: 9 }));
  const added = await front.api<{ id: string }>('POST', at('/api/torrents/file'), form);
  t.equal(added.status, 200);
  const { id } = added.json;
  t.match(await daemon.torrent(id), { paused: true, category_id: category, rate_limits: { down_kbps: 7, up_kbps: 9 } });
  t.same(await front.torrents(), [], 'and not here');
  t.equal((await front.api('POST', at('/api/torrents/magnet'), { magnet: `magnet:?xt=urn:btih:${HASH}` })).status, 200);
  t.match((await front.api('POST', at('/api/torrents/url'), { url: HASH })).json, { ok: true, existed: true });
  await untilListed(front, 'both', ({ length }) => length === 2);

  t.match((await front.api('GET', at(`/api/torrents/${id}/trackers`))).json, []);
  const limits = { down_kbps: 100, up_kbps: 0 };
  t.equal((await front.api('PUT', at(`/api/torrents/${id}/rate_limits`), limits)).status, 200);
  t.same((await daemon.api('GET', `/api/torrents/${id}/rate_limits`)).json, limits);
  t.equal((await front.api('POST', at('/api/torrents/sequential'), { infohash: id, enabled: true })).status, 200);
  t.equal(((await daemon.torrent(id)) as unknown as { sequential: boolean }).sequential, true);
  const batch = await front.api('POST', at('/api/torrents/batch'), { ids: [id, '2'.repeat(40)], action: 'resume' });
  t.match(batch.json, { outcomes: [{ id, ok: true }, { ok: false }] });
  t.equal((await front.api('DELETE', `${at(`/api/torrents/${id}`)}&delete=1`)).status, 200);
  t.same(
    (await daemon.torrents()).map((each) => each.id),
    [HASH],
  );
  await untilListed(front, 'one is left', ({ length }) => length === 1);
});

void t.test('what is wrong with a request is said as the remote says it, and as it is said here', async (t) => {
  const front = await startDaemon();
  t.teardown(() => front.stop());
  const { daemon, id: server } = await startRemote(front, 'one');
  t.teardown(() => daemon.stop());
  const ask = (method: string, path: string, body?: unknown) => front.api(method, path, body);
  const here = `server_id=${server}`;
  t.same(await ask('POST', `/api/torrents/${HASH}/pause?${here}`), {
    status: 404,
    json: { error: 'torrent not found' },
  });
  t.match(await ask('POST', `/api/torrents/..%2f..%2fme/pause?${here}`), {
    status: 400,
    json: { error: /^id: expected an info hash/ },
  });
  t.match(await ask('POST', `/api/torrents/${HASH}/peers?${here}`, { peers: 7 }), {
    status: 400,
    json: { error: /^peers: / },
  });
  t.match(await ask('POST', `/api/torrents/magnet?${here}`, { magnet: 'no' }), {
    status: 400,
    json: { error: /^magnet: / },
  });
  for (const server_id of ['0', '-1', 'x', '1e3', '', '1&server_id=2', '9'.repeat(30)]) {
    t.match(
      await ask('POST', `/api/torrents/${HASH}/pause?server_id=${server_id}`),
      { status: 400, json: { error: /^server_id: / } },
      server_id,
    );
  }
  t.match(
    await ask('GET', `/api/users?${here}`),
    { status: 200, json: [{ username: 'admin' }] },
    'other routes are of this service',
  );
});

void t.test('a key that may little lets nobody do more', async (t) => {
  const front = await startDaemon();
  t.teardown(() => front.stop());
  const remote = await startDaemon();
  t.teardown(() => remote.stop());
  const key = await keyOf(remote, 'reader', { role: 'user' });
  const theirs = await remote.addMagnet(`magnet:?xt=urn:btih:${HASH}`);
  const ann = await makeAccount(front, 'ann', { perm_add_torrents: false });
  const id = await addRemote(front, { name: 'one', url: remote.url, api_key: key, user_ids: [1, ann.id] });
  await untilState(front, id, 'connected');
  t.same(await allTorrents(front), [], 'of the torrents of others there is nothing');
  t.match(await front.api('DELETE', `/api/torrents/${theirs}?server_id=${id}`), {
    status: 403,
    json: { error: 'forbidden' },
  });
  t.equal((await front.api('POST', `/api/torrents/url?server_id=${id}`, { url: '2'.repeat(40) })).status, 403);
  t.equal((await ann.client.api('POST', `/api/torrents/url?server_id=${id}`, { url: '2'.repeat(40) })).status, 403);
  t.same(
    (await remote.torrents()).map((each) => each.id),
    [theirs],
  );
});

void t.test('a remote that is none, or answers nonsense', async (t) => {
  const front = await startDaemon();
  t.teardown(() => front.stop());
  const page = await startUpstream((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  );
  t.teardown(() => page.close());
  const id = await addRemote(front, { name: 'one', url: `${page.origin}/sub/`, api_key: 'k' });
  t.match(await untilState(front, id, 'unreachable'), { reason: 'it answered with HTTP 200' });
  t.match(await front.api('POST', `/api/remotes/${id}/test`), {
    status: 502,
    json: { error: 'server one: its answer is not one of this version' },
  });
  t.same(
    [...new Set(page.requests.map(({ url }) => url))],
    ['/sub/api/ws?frames=delta', '/sub/api/me'],
    'below its sub-path',
  );
  t.ok(page.requests.every(({ headers }) => headers.authorization === 'Bearer k'));
});
