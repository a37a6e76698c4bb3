// Categories that move their torrents: whose torrents follow, and where to; nobody's torrent is moved by another account.
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startHarness } from '../../support/api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY, type Client } from '../../support/browser.js';

const PASSWORD = 'correct horse';
const ANNS = 'a'.repeat(40);
const BOBS = 'b'.repeat(40);
const SEEN = 'c'.repeat(40);

interface Category {
  readonly name: string;
  readonly default_save_path: string;
  readonly color: string;
  readonly auto_move?: boolean;
}

/** ann manages labels, bob adds torrents; `SEEN` is the administrator's, and ann may look at it. */
async function start(t: Test) {
  const harness = await startHarness({ args: THROUGH_A_PROXY });
  t.teardown(() => harness.close());
  const admin = await scriptOf(harness, await openBrowser(harness, 'admin', harness.password));
  const account = async (username: string, rights: object) => {
    const user = { username, password: PASSWORD, perm_add_torrents: true, ...rights };
    const { id } = await admin.ask<{ id: number }>('POST', '/api/users', user);
    return { id, client: await scriptOf(harness, await openBrowser(harness, username, PASSWORD)) };
  };
  const ann = await account('ann', { perm_manage_cat_tags: true });
  const bob = await account('bob', {});
  const add = (client: Client, hash: string, more: object = {}) =>
    client.ask('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${hash}`, ...more });
  await add(ann.client, ANNS);
  await add(bob.client, BOBS);
  await add(admin, SEEN);
  await admin.ask('POST', `/api/torrents/${SEEN}/shares`, { user_id: ann.id, access: 'viewer' });
  const at = (name: string) => join(harness.filesDir, name);
  const make = async (category: Category) =>
    (await ann.client.ask<{ id: number }>('POST', '/api/categories', category)).id;
  const assign = (client: Client, infohash: string, category_id: number | null) =>
    client.call('POST', '/api/torrents/category', { infohash, category_id });
  const places = async () => {
    const all = await admin.ask<{ id: string; save_path: string }[]>('GET', '/api/torrents');
    return Object.fromEntries(all.map(({ id, save_path }) => [id, save_path]));
  };
  return { harness, admin, ann, bob: bob.client, at, make, assign, places };
}

void t.test('a changed path takes along the torrents that the account may move, and nobody else’s', async (t) => {
  const { harness, admin, ann, bob, at, make, assign, places } = await start(t);
  const category = { name: 'films', default_save_path: '', color: '' };
  const id = await make(category);
  for (const [client, hash] of [
    [ann.client, ANNS],
    [bob, BOBS],
    [admin, SEEN],
  ] as const)
    await assign(client, hash, id);
  const films = at('films');
  const change = (client: Client, more: object) =>
    client.ask<object>('PUT', '/api/categories', { id, ...category, default_save_path: films, ...more });
  t.same(await change(ann.client, {}), { ok: true }, 'a category that does not move');
  t.same(await places(), { [ANNS]: harness.filesDir, [BOBS]: harness.filesDir, [SEEN]: harness.filesDir });
  t.same(await change(ann.client, { auto_move: true }), { ok: true, moves: [{ id: ANNS, ok: true }] });
  t.same(await places(), { [ANNS]: films, [BOBS]: harness.filesDir, [SEEN]: harness.filesDir });
  t.same(await change(ann.client, {}), { ok: true }, 'it is where it was');
  t.match(await ann.client.ask('GET', '/api/categories'), [{ id, auto_move: true }], 'and what is left out stays');

  const moved = await change(admin, { default_save_path: at('elsewhere') });
  t.same(
    (moved as { moves: { id: string }[] }).moves.map((outcome) => outcome.id).sort(),
    [ANNS, BOBS, SEEN],
    'an administrator moves all',
  );
  t.same(new Set(Object.values(await places())), new Set([at('elsewhere')]));
});

void t.test('a torrent that comes into a category that moves goes to its path', async (t) => {
  const { harness, admin, ann, bob, at, make, assign, places } = await start(t);
  const [still, moving, pathless] = [
    await make({ name: 'still', default_save_path: at('still'), color: '' }),
    await make({ name: 'moving', default_save_path: at('moving'), color: '', auto_move: true }),
    await make({ name: 'pathless', default_save_path: '', color: '', auto_move: true }),
  ];
  for (const [id, place] of [
    [still, harness.filesDir],
    [moving, at('moving')],
    [pathless, at('moving')],
  ] as const) {
    t.equal((await assign(ann.client, ANNS, id)).status, 200);
    t.equal((await places())[ANNS], place);
  }
  const outcomes = await bob.ask('POST', '/api/torrents/batch', {
    ids: [BOBS, ANNS],
    action: 'category',
    category_id: moving,
  });
  t.match(outcomes, {
    outcomes: [
      { id: BOBS, ok: true },
      { id: ANNS, ok: false, status: 403 },
    ],
  });
  t.match(await places(), { [BOBS]: at('moving') });

  const home = at('home-of-bob');
  const bobId = (await admin.ask<{ id: number; username: string }[]>('GET', '/api/users')).find(
    ({ username }) => username === 'bob',
  )?.id;
  await admin.ask('PUT', `/api/users/${bobId}`, { home });
  await assign(bob, BOBS, null);
  const away = await make({ name: 'away', default_save_path: at('away'), color: '', auto_move: true });
  const refused = await assign(bob, BOBS, away);
  t.match([refused.status, refused.json()], [403, { error: 'forbidden' }], 'not out of the home that he was given');
  const mine = (await bob.ask<{ id: string; category_id: unknown }[]>('GET', '/api/torrents'))[0];
  t.match(mine, { id: BOBS, category_id: null }, 'and so it is not in the category');
});
