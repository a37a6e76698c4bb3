// Adds that leave it to the service to say where: what some server has is not added twice, a category leads to the server that
// has it, and of a server that the account does not see nothing is told.
import t from 'tap';
import { startDaemon } from '../../support/daemon.js';
import { makeAccount } from '../../support/daemon-account.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { KIB } from '../../support/peers/payload.js';
import { startRemote, untilListed } from '../../support/remotes.js';
import { startUpstream } from '../../support/upstream.js';

const AUTO = '?server_id=auto';
const magnet = (digit: string) => ({ magnet: `magnet:?xt=urn:btih:${digit.repeat(40)}` });

interface Placed {
  readonly id?: string;
  readonly existed?: true;
  readonly server_id: number | null;
  readonly server: string;
}

void t.test('anywhere, once', async (t) => {
  const front = await startDaemon();
  t.teardown(() => front.stop());
  const { daemon, id: server_id } = await startRemote(front, 'attic');
  t.teardown(() => daemon.stop());
  const servers = async (id: string) => (await front.api('GET', `/api/servers?infohash=${id}`)).json;

  const { status, json } = await front.api<Placed>('POST', `/api/torrents/magnet${AUTO}`, magnet('a'));
  t.equal(status, 200);
  const chosen = json.server_id === null ? front : daemon;
  t.match(await chosen.torrent('a'.repeat(40)), { id: 'a'.repeat(40) }, 'it is where it is said to be');
  await untilListed(front, 'it is known', ({ length }) => length === 1);
  const place = { server_id: json.server_id, server: json.server_id === null ? 'this server' : 'attic' };
  t.match(json, place);
  t.same((await front.api('POST', `/api/torrents/magnet${AUTO}`, magnet('a'))).json, {
    id: 'a'.repeat(40),
    existed: true,
    ...place,
  });
  t.same((await front.api('POST', `/api/torrents/url${AUTO}`, { url: 'A'.repeat(40) })).json, {
    ok: true,
    existed: true,
    ...place,
  });
  t.same(await servers('a'.repeat(40)), [place]);

  await daemon.addMagnet(magnet('b').magnet);
  await untilListed(front, 'both are known', ({ length }) => length === 2);
  const there = { server_id, server: 'attic' };
  t.same((await front.api('POST', `/api/torrents/magnet${AUTO}`, magnet('b'))).json, {
    id: 'b'.repeat(40),
    existed: true,
    ...there,
  });
  t.same(await servers('c'.repeat(40)), []);
  t.same((await front.api('GET', '/api/servers')).json, [{ server_id: null, server: 'this server' }, there]);
  const ann = await makeAccount(front, 'ann');
  t.same(
    (await ann.client.api('GET', `/api/servers?infohash=${'b'.repeat(40)}`)).json,
    [],
    'nothing of a server that she does not see',
  );
  t.match((await ann.client.api('POST', `/api/torrents/magnet${AUTO}`, magnet('b'))).json, {
    server_id: null,
    existed: undefined,
  });
  await daemon.kill();
  t.match(await servers('b'.repeat(40)), [{ server_id: null }, there], 'of one that is away as it was last');
  t.match(
    (await front.api('POST', `/api/torrents/magnet${AUTO}`, magnet('d'))).json,
    { server_id: null },
    'and nothing goes there',
  );
  const misplaced = await front.api('POST', `/api/torrents/${'a'.repeat(40)}/pause${AUTO}`);
  t.match(misplaced, { status: 400, json: { error: 'server_id: expected the id of a server' } });
});

void t.test('files, URLs, and labels by their names', async (t) => {
  const front = await startDaemon();
  t.teardown(() => front.stop());
  const { daemon, id: server_id } = await startRemote(front, 'attic');
  t.teardown(() => daemon.stop());
  const films = { name: 'films', default_save_path: '', color: '' };
  // Of other numbers than there.
  await daemon.api('POST', '/api/categories', { ...films, name: 'other' });
  await daemon.api('POST', '/api/categories', films);
  const category_id = (await front.api<{ id: number }>('POST', '/api/categories', films)).json.id;
  const tag = (await front.api<{ id: number }>('POST', '/api/tags', { name: 'rare', color: '' })).json.id;
  const made = makeTorrent({ name: 'film.bin', pieceLength: 16 * KIB, files: seededBytes(3, 40 * KIB) });
  const file = await startUpstream((_request, response) => response.end(made.torrentBytes));
  t.teardown(() => file.close());

  // A category that only one of the two has leads there.
  const rare = (await daemon.api<{ id: number }>('POST', '/api/categories', { ...films, name: 'attic only' })).json.id;
  t.ok(rare > 0);
  const own = (await front.api<{ id: number }>('POST', '/api/categories', { ...films, name: 'here only' })).json.id;
  const here = await front.api<Placed>('POST', `/api/torrents/url${AUTO}`, {
    url: `${file.origin}/a.torrent`,
    category_id: own,
  });
  t.match(here, { status: 200, json: { ok: true, server_id: null, server: 'this server' } });
  const form = () => {
    const fields = new FormData();
    fields.set('file', new Blob([made.torrentBytes]), 'film.torrent');
    fields.set('category_id', String(category_id));
    fields.set('tags', JSON.stringify([tag]));
    return fields;
  };
  const again = await front.api<Placed>('POST', `/api/torrents/file${AUTO}`, form());
  t.match(again, { status: 200, json: { existed: true, server_id: null } });
  await front.api('DELETE', `/api/torrents/${again.json.id}?delete=1`);
  await untilListed(front, 'it is gone', ({ length }) => length === 0);
  const { json } = await front.api<Placed>('POST', `/api/torrents/file${AUTO}`, form());
  const chosen = json.server_id === null ? front : daemon;
  const categories = (await chosen.api<{ id: number; name: string }[]>('GET', '/api/categories')).json;
  const expected = categories.find(({ name }) => name === 'films')!.id;
  t.match(await chosen.torrent(json.id!), { category_id: expected, tags: [{ name: 'rare' }] }, `at ${json.server}`);
  t.ok(json.server_id === null || json.server_id === server_id);
  const unknown = await front.api('POST', `/api/torrents/magnet${AUTO}`, { ...magnet('e'), category_id: 987 });
  t.match(unknown, { status: 404, json: { error: 'category not found' } });
});
