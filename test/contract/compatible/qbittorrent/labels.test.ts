// Categories and tags by qBittorrent's interface: names without case, what is made on the way, and what stays as it is.
import { join } from 'node:path';
import t from 'tap';
import {
  change,
  EDITED,
  OWN,
  setCompatibleScene,
  VIEWED,
  type CompatibleScene,
} from '../../../support/compatible-scene.js';

interface Listed {
  readonly id: string;
  readonly category_id: number | null;
  readonly tags: readonly { readonly name: string }[];
}

const categories = ({ ann }: CompatibleScene) =>
  ann.ask<{ id: number; name: string; default_save_path: string }[]>('GET', '/api/categories');
const tags = async ({ admin }: CompatibleScene) =>
  (await admin.ask<{ name: string }[]>('GET', '/api/tags')).map(({ name }) => name);
async function torrent({ admin }: CompatibleScene, id: string): Promise<Listed> {
  const found = (await admin.ask<Listed[]>('GET', '/api/torrents')).find((listed) => listed.id === id);
  if (!found) throw new Error(`no torrent ${id}`);
  return found;
}
const tagsOf = async (scene: CompatibleScene, id: string) => (await torrent(scene, id)).tags.map(({ name }) => name);

void t.test('categories are made, changed and removed', async (t) => {
  const scene = await setCompatibleScene(t);
  const { filesDir } = scene.harness;
  const ask = (route: string, fields: Record<string, string>) => change(scene, scene.ann, `torrents/${route}`, fields);
  t.equal((await ask('createCategory', { category: 'tv', savePath: 'shows' })).status, 200);
  t.match(await ask('createCategory', { category: 'tv' }), { status: 409, text: /there is one of that name/ });
  t.equal((await ask('createCategory', { category: 'TV', savePath: 'other' })).status, 200, 'the same by case');
  t.match(await categories(scene), [{ name: 'tv', default_save_path: join(filesDir, 'shows') }]);
  for (const category of ['a//b', '/a', 'a\\b', 'x'.repeat(101)])
    t.equal((await ask('createCategory', { category })).status, 409, category.slice(0, 10));
  t.equal((await ask('createCategory', { category: 'none', savePath: '/etc' })).status, 409);
  const [tv] = await categories(scene);
  await scene.admin.ask('PUT', '/api/categories', { ...tv, color: '#09f' });
  t.equal((await ask('editCategory', { category: 'TV', savePath: '' })).status, 200);
  t.match(await categories(scene), [{ id: tv?.id, name: 'tv', default_save_path: '', color: '#09f' }]);
  t.equal((await ask('editCategory', { category: 'none', savePath: '' })).status, 409);
  await ask('createCategory', { category: 'b' });
  t.equal((await ask('removeCategories', { categories: 'none\nTV\n\nb' })).status, 200);
  t.same(await categories(scene), []);
  t.equal((await ask('removeCategories', { categories: 'tv' })).status, 200, 'once more');
});

void t.test(
  'a category of a torrent; one that is not there is a conflict, where there is a torrent for it',
  async (t) => {
    const scene = await setCompatibleScene(t);
    const set = (hashes: string, category: string) =>
      change(scene, scene.ann, 'torrents/setCategory', { hashes, category });
    await change(scene, scene.ann, 'torrents/createCategory', { category: 'tv' });
    t.equal((await set(`${OWN}|${EDITED}`, 'Tv')).status, 200);
    const [tv] = await categories(scene);
    for (const id of [OWN, EDITED]) t.equal((await torrent(scene, id)).category_id, tv?.id);
    t.equal((await set(OWN, 'none')).status, 409);
    t.equal((await torrent(scene, OWN)).category_id, tv?.id);
    t.equal((await set('f'.repeat(40), 'none')).status, 200);
    t.equal((await set(OWN, '')).status, 200);
    t.equal((await torrent(scene, OWN)).category_id, null);
  },
);

void t.test('tags are made, put on torrents, replaced and taken off', async (t) => {
  const scene = await setCompatibleScene(t);
  const ask = (route: string, fields: Record<string, string>) => change(scene, scene.ann, `torrents/${route}`, fields);
  for (let count = 0; count < 2; count++)
    t.equal((await ask('createTags', { tags: 'a, b,,A' })).status, 200, 'twice alike');
  t.same(await tags(scene), ['a', 'b']);
  for (let count = 0; count < 2; count++)
    t.equal((await ask('addTags', { hashes: `${OWN}|${EDITED}`, tags: 'B,c' })).status, 200);
  for (const id of [OWN, EDITED]) t.same(await tagsOf(scene, id), ['b', 'c']);
  t.equal((await ask('setTags', { hashes: OWN, tags: 'd,a' })).status, 200);
  t.same(await tagsOf(scene, OWN), ['d', 'a']);
  t.equal((await ask('removeTags', { hashes: OWN, tags: 'D,none' })).status, 200);
  t.same(await tagsOf(scene, OWN), ['a']);
  t.equal((await ask('removeTags', { hashes: EDITED })).status, 200, 'all of them');
  t.same(await tagsOf(scene, EDITED), []);
  t.equal((await ask('setTags', { hashes: OWN, tags: '' })).status, 200);
  t.same(await tagsOf(scene, OWN), []);
  t.equal((await ask('deleteTags', { tags: 'A,none' })).status, 200);
  t.same(await tags(scene), ['b', 'c', 'd']);
});

void t.test('a tag is made for a torrent that may have it, and for no other', async (t) => {
  const scene = await setCompatibleScene(t);
  for (const hashes of ['f'.repeat(40), VIEWED]) {
    await change(scene, scene.ann, 'torrents/addTags', { hashes, tags: 'new' });
    await change(scene, scene.ann, 'torrents/setTags', { hashes, tags: 'new' });
  }
  t.same(await tags(scene), []);
  const tooMany = Array.from({ length: 101 }, (_, i) => `t${i}`).join(',');
  t.match(await change(scene, scene.ann, 'torrents/addTags', { hashes: OWN, tags: tooMany }), {
    status: 400,
    text: 'tags: at most 100',
  });
  const names = Array.from({ length: 1_001 }, (_, i) => `t${i}`).join(',');
  t.equal((await change(scene, scene.ann, 'torrents/createTags', { tags: names })).status, 400);
  t.equal((await change(scene, scene.ann, 'torrents/createTags', { tags: `ok,${'x'.repeat(101)}` })).status, 400);
  t.same(await tags(scene), []);
});

void t.test('labels that an account is not shown are as if there were none', async (t) => {
  const scene = await setCompatibleScene(t);
  const { admin, plain, harness } = scene;
  await change(scene, admin, 'torrents/createTags', { tags: 'secret,known' });
  await change(scene, admin, 'torrents/createCategory', { category: 'secret' });
  const users = await admin.ask<{ id: number; username: string }[]>('GET', '/api/users');
  const user_id = users.find(({ username }) => username === 'plain')?.id;
  await admin.ask('POST', `/api/torrents/${EDITED}/shares`, { user_id, access: 'editor' });
  await change(scene, admin, 'torrents/addTags', { hashes: EDITED, tags: 'known' });
  const none = await change(scene, plain, 'torrents/addTags', { hashes: EDITED, tags: 'secret' });
  t.match(none, { status: 409, text: 'there is no tag "secret", and this account may not make one' });
  t.equal((await change(scene, plain, 'torrents/setCategory', { hashes: EDITED, category: 'secret' })).status, 409);
  t.equal((await change(scene, plain, 'torrents/setTags', { hashes: EDITED, tags: 'KNOWN' })).status, 200);
  t.same(await tagsOf(scene, EDITED), ['known']);
  t.ok(harness.engine.ids.includes(EDITED));
});
