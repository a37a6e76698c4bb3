// Links to files of torrents: what who has a key may read, and for how long. Nobody's link is another's to see or end.
import t, { type Test } from 'tap';
import { parseInfoHash } from '../../../shared-protocol/ids.js';
import { World, type Caller } from './runner/world.js';

const PLAIN = { name: 'plain', isAdmin: false, permissions: [] };
const OTHER = { name: 'other', isAdmin: false, permissions: [] };
const MAX_LINKS = 100;

interface Made {
  readonly id: number;
  readonly path: string;
}

async function start(t: Test) {
  const world = await World.start();
  t.teardown(() => world.close());
  const caller = await world.caller(PLAIN);
  const { torrentId } = await world.scene(caller, 'viewer');
  world.harness.engine.setFile(parseInfoHash(torrentId), 0, { path: 'box/a.bin', bytes: Buffer.from('0123456789') });
  const as = (who: Caller, method: string, path: string, body?: unknown) =>
    world.harness.call(method, path, { headers: who.bearer, ...(body === undefined ? {} : { body }) });
  const link = async (who = caller, body: object = {}) =>
    (await as(who, 'POST', `/api/torrents/${torrentId}/links`, body)).json<Made & Record<string, unknown>>();
  /** Without any credential. */
  const get = (path: string, method = 'GET') => world.harness.call(method, path);
  return { world, caller, torrentId, as, link, get };
}

void t.test('who has the key reads this torrent, and nothing else', async (t) => {
  const { world, caller, link, get } = await start(t);
  const { torrentId: other } = await world.scene(caller, 'owner');
  world.harness.engine.setFile(parseInfoHash(other), 0, { path: 'b', bytes: Buffer.from('secret') });
  const { path } = await link();
  const read = await get(`${path}/0/film.mkv`);
  t.match([read.status, read.text], [200, '0123456789']);
  t.match(read.headers, { 'referrer-policy': 'no-referrer', 'content-security-policy': /sandbox/ });
  t.equal((await get(`${path}/0/film.mkv`, 'HEAD')).status, 200);
  t.equal((await get(`${path}/1/x`)).status, 404);
  t.equal((await get(`${path}/x/x`)).status, 400);
  for (const method of ['POST', 'PUT', 'DELETE']) t.equal((await get(`${path}/0/x`, method)).status, 405);
  const undecodable = await get('/api/links/%/files/%20/1?');
  t.match([undecodable.status, undecodable.json()], [400, { error: 'path: not valid percent-encoding' }]);
  const [, , , key = ''] = path.split('/');
  const asKey = { headers: { authorization: `Bearer ${key}` } };
  t.equal((await world.harness.call('GET', '/api/torrents', asKey)).status, 401, 'it is no key of an account');
  for (const guess of ['x', key.slice(1), `${key}x`, key.toUpperCase(), '%00', '..%2f']) {
    t.equal((await get(`/api/links/${guess}/files/0/a`)).status, 404, guess);
  }
});

void t.test('it ends with the access, the account, the torrent, its time, and when it is ended', async (t) => {
  const { world, caller, torrentId, as, link, get } = await start(t);
  const other = await world.caller(OTHER);
  const { path, id } = await link();
  const works = async (which = path) => (await get(`${which}/0/a`)).status === 200;
  await as(other, 'DELETE', `/api/torrents/${torrentId}/links/${id}`);
  await world.asAdmin('POST', `/api/torrents/${torrentId}/shares`, { user_id: other.id, access: 'editor' });
  t.same((await as(other, 'GET', `/api/torrents/${torrentId}/links`)).json(), [], 'nobody is shown it');
  await as(other, 'DELETE', `/api/torrents/${torrentId}/links/${id}`);
  t.ok(await works(), 'nor may end it');
  t.match((await as(caller, 'GET', `/api/torrents/${torrentId}/links`)).json(), [{ id, user_id: caller.id }]);
  t.notMatch((await as(caller, 'GET', `/api/torrents/${torrentId}/links`)).text, path.split('/')[3]);

  await world.asAdmin('DELETE', `/api/torrents/${torrentId}/shares/${caller.id}`);
  t.notOk(await works(), 'the access');
  await world.asAdmin('POST', `/api/torrents/${torrentId}/shares`, { user_id: caller.id, access: 'viewer' });
  t.equal((await as(caller, 'DELETE', `/api/torrents/${torrentId}/links/${id}`)).status, 200);
  t.notOk(await works(), 'ended');

  const { path: disabled } = await link();
  t.ok(await works(disabled));
  await world.asAdmin('PUT', `/api/users/${caller.id}`, { disabled: true });
  t.notOk(await works(disabled), 'the account');

  const others = await link(other);
  t.ok(await works(others.path));
  await world.asAdmin('DELETE', `/api/torrents/${torrentId}`);
  t.notOk(await works(others.path), 'the torrent');
});

void t.test('there is an end to how many an account makes, and they leave its own places alone', async (t) => {
  const { world, caller, torrentId, as, link, get } = await start(t);
  const made = await Promise.all(Array.from({ length: MAX_LINKS }, () => link()));
  t.equal(new Set(made.map(({ path }) => path)).size, MAX_LINKS);
  t.match(await link(), { error: /^links: at most/ });
  await as(caller, 'DELETE', `/api/torrents/${torrentId}/links/${made[1]!.id}`);
  t.match(await link(), { id: Number });

  const { engine } = world.harness;
  let release = (): void => undefined;
  engine.readsHeldBy = new Promise<void>((resolve) => (release = resolve));
  const reading = Array.from({ length: 9 }, () => get(`${made[0]!.path}/0/a`));
  const refused = await Promise.race(reading);
  t.equal(refused.status, 429, 'the ninth of a link');
  engine.readsHeldBy = null;
  t.equal((await as(caller, 'GET', `/api/torrents/${torrentId}/files/0`)).status, 200);
  release();
  t.equal((await Promise.all(reading)).filter(({ status }) => status === 200).length, 8);
});
