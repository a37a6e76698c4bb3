// Categories and tags through the API: on torrents, across restarts, after deletion, and in the hands of accounts that
// may not save everywhere.
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { PERMISSIONS } from '../../../shared-protocol/dto/accounts.js';
import { startHarness, type HarnessOptions } from '../../support/api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY, type Client } from '../../support/browser.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { World } from './runner/world.js';

const HASH = 'a'.repeat(40);

/** After a restart: with the key of before. */
async function start(t: Test, options: HarnessOptions = {}, known?: { readonly key: string }) {
  const harness = await startHarness(options);
  t.teardown(() => harness.close());
  const key = known?.key ?? (await harness.apiKey());
  const headers = { authorization: `Bearer ${key}` };
  const call = async <Body = Record<string, unknown>>(method: string, path: string, body?: unknown) => {
    const answer = await harness.call(method, path, { headers, ...(body === undefined ? {} : { body }) });
    return { status: answer.status, body: answer.json<Body>() };
  };
  const make = async (path: string, body: object) => (await call<{ id: number }>('POST', path, body)).body.id;
  const torrent = async () => (await call<Record<string, unknown>[]>('GET', '/api/torrents')).body[0];
  return { harness, key, call, make, torrent };
}

void t.test('what a torrent has is shown with it, until it is deleted', async (t) => {
  const { call, make, torrent } = await start(t);
  await call('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${HASH}` });
  const category = { name: 'films', default_save_path: '', color: '' };
  const categoryId = await make('/api/categories', category);
  const [b, a] = [
    await make('/api/tags', { name: 'b', color: '#fff' }),
    await make('/api/tags', { name: 'a', color: '' }),
  ];
  t.equal((await call('POST', '/api/torrents/category', { infohash: HASH, category_id: categoryId })).status, 200);
  for (const tag_id of [b, a, b]) await call('POST', '/api/tags/assign', { infohash: HASH.toUpperCase(), tag_id });
  t.match(await torrent(), { category_id: categoryId, tags: [{ id: b, name: 'b', color: '#fff' }, { id: a }] });
  t.same((await torrent())?.['tags'], [
    { id: b, name: 'b', color: '#fff' },
    { id: a, name: 'a', color: '' },
  ]);
  const unassign = () => call('POST', '/api/tags/unassign', { infohash: HASH, tag_id: b });
  t.same([await unassign(), await unassign()], Array(2).fill({ status: 200, body: { ok: true } }));
  t.match(await torrent(), { tags: [{ id: a }] });
  await call('DELETE', `/api/tags/${a}`);
  await call('DELETE', `/api/categories/${categoryId}`);
  t.match(await torrent(), { category_id: null });
  t.same((await torrent())?.['tags'], []);
  t.not(await make('/api/categories', category), categoryId);
  t.not(await make('/api/tags', { name: 'a', color: '' }), a);
  t.match(await torrent(), { category_id: null, tags: [] }, 'those that come after are others');
});

void t.test('labels are shown to those who may use them, to others with the torrents that they see', async (t) => {
  const harness = await startHarness({ args: THROUGH_A_PROXY });
  t.teardown(() => harness.close());
  const admin = await scriptOf(harness, await openBrowser(harness, 'admin', harness.password));
  const make = async (path: string, body: object) => (await admin.ask<{ id: number }>('POST', path, body)).id;
  const path = join(harness.filesDir, 'films');
  const [films, secret] = [
    await make('/api/categories', { name: 'films', default_save_path: path, color: '#0af' }),
    await make('/api/categories', { name: 'secret', default_save_path: '', color: '' }),
  ];
  const [seen, unseen] = [
    await make('/api/tags', { name: 'seen', color: '' }),
    await make('/api/tags', { name: 'unseen', color: '' }),
  ];
  for (const [id, category_id, tag_id] of [
    [HASH, films, seen],
    ['b'.repeat(40), secret, unseen],
  ] as const) {
    await admin.ask('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${id}` });
    await admin.ask('POST', '/api/torrents/category', { infohash: id, category_id });
    await admin.ask('POST', '/api/tags/assign', { infohash: id, tag_id });
  }
  const labelsOf = async (client: Client) => ({
    categories: await client.ask<unknown>('GET', '/api/categories'),
    tags: await client.ask<unknown>('GET', '/api/tags'),
  });
  const all = await labelsOf(admin);
  for (const flag of [null, ...PERMISSIONS]) {
    const username = `only-${flag}`;
    const rights = flag === null ? {} : { [flag]: true };
    const user_id = await make('/api/users', { username, password: 'correct horse', ...rights });
    const client = await openBrowser(harness, username, 'correct horse');
    const mayUse = flag !== null && ['perm_add_torrents', 'perm_manage_cat_tags', 'perm_manage_rss'].includes(flag);
    t.same(await labelsOf(client), mayUse ? all : { categories: [], tags: [] }, username);
    if (mayUse) continue;
    await admin.ask('POST', `/api/torrents/${HASH}/shares`, { user_id, access: 'viewer' });
    t.same(await labelsOf(client), {
      categories: [{ id: films, name: 'films', default_save_path: '', color: '#0af', auto_move: false }],
      tags: [{ id: seen, name: 'seen', color: '' }],
    });
    await admin.ask('DELETE', `/api/torrents/${HASH}/shares/${user_id}`);
    t.same(await labelsOf(client), { categories: [], tags: [] }, `${username}, after it was taken back`);
  }
});

void t.test('null clears the category; an unknown one changes nothing', async (t) => {
  const { call, make, torrent } = await start(t);
  await call('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${HASH}` });
  const id = await make('/api/categories', { name: 'films', default_save_path: '', color: '' });
  const set = (category_id: unknown) => call('POST', '/api/torrents/category', { infohash: HASH, category_id });
  await set(id);
  t.same(await set(id + 1), { status: 404, body: { error: 'category not found' } });
  t.equal((await set(undefined)).status, 400, 'left out is not null');
  t.match(await torrent(), { category_id: id });
  await set(null);
  t.match(await torrent(), { category_id: null });
});

void t.test('names are tidied; a change is stored, and moves no data', async (t) => {
  const dataDir = await temporaryDirectory();
  const filesDir = `${dataDir}-files`;
  const first = await start(t, { dataDir });
  const id = await first.make('/api/categories', { name: ' Gro\u0308\u00dfe ', default_save_path: '', color: 'red' });
  await first.call('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${HASH}` });
  await first.call('POST', '/api/torrents/category', { infohash: HASH, category_id: id });
  t.match((await first.call('GET', '/api/categories')).body, [{ name: 'Gr\u00f6\u00dfe' }]);
  const changed = { id, name: 'Größe', default_save_path: join(filesDir, 'big'), color: '' };
  t.equal(
    (await first.call('PUT', '/api/categories', { ...changed, default_save_path: `${changed.default_save_path}/` }))
      .status,
    200,
  );
  t.equal((await first.torrent())?.['save_path'], filesDir);
  const tag = { id: await first.make('/api/tags', { name: 'x', color: '' }), name: 'x', color: '' };
  await first.harness.close();
  const second = await start(t, { dataDir }, first);
  t.same((await second.call('GET', '/api/categories')).body, [{ ...changed, auto_move: false }]);
  t.same((await second.call('GET', '/api/tags')).body, [tag]);
});

void t.test("a category's path is a place that others may save to, so not everybody may name any", async (t) => {
  const world = await World.start();
  t.teardown(() => world.close());
  const manager = await world.caller({
    name: 'm',
    isAdmin: false,
    permissions: ['perm_manage_cat_tags', 'perm_add_torrents'],
  });
  const elsewhere = await temporaryDirectory();
  const call = (method: string, path: string, body: unknown) =>
    world.harness.call(method, path, { headers: manager.bearer, body });
  const create = (name: string, default_save_path: string) =>
    call('POST', '/api/categories', { name, default_save_path, color: '' });
  const add = async (digit: string, save_path: string) =>
    (await call('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${digit.repeat(40)}`, save_path }))
      .status;
  const refused = await create('theirs', elsewhere);
  t.match([refused.status, refused.json()], [403, { error: 'forbidden' }]);
  const inside = (await create('mine', join(world.harness.filesDir, 'mine'))).json<{ id: number }>();
  const moved = { id: inside.id, name: 'mine', default_save_path: '/etc', color: '' };
  t.equal((await call('PUT', '/api/categories', moved)).status, 403);
  t.equal(await add('1', elsewhere), 403);
  await world.asAdmin('POST', '/api/categories', { name: 'ours', default_save_path: elsewhere, color: '' });
  t.equal(await add('1', join(elsewhere, 'x')), 200, 'an administrator opened it');
  t.equal(await add('2', join(elsewhere, '..', 'x')), 403);
});
