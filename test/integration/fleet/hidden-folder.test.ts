// Accounts against `.swarmd` of a shared root, through all routes that take a path or read files: by its name, by `..` and by links that
// lie on the disk. Two engine processes and a front; nothing is saved there, nothing of it is told, and no torrent's files come to lie there.
import t from 'tap';
import { readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  FILM_BYTES,
  SECRET,
  setHiddenFolderScene,
  taken,
  type Asks,
  type Call,
} from '../../support/hidden-folder-scene.js';
import { waitUntil } from '../../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;

const magnet = (n: number) => `magnet:?xt=urn:btih:${n.toString(16).padStart(40, '0')}`;

void t.test('paths that lead there are refused, and nothing is told of what is there', async (t) => {
  const { front, shared, hidden, home, bob, whole, ways } = await setHiddenFolderScene(t);
  const [film, bobs] = [await whole(front, shared, 'film'), await whole(bob.client, home, 'bobs')];
  const moving = (path: string) => ({
    name: 'moves',
    when: { match: 'all', conditions: [{ field: 'save_path', op: 'below', path: shared }] },
    actions: [{ action: 'move', path }],
  });
  const anyone = (torrent: string, path: string): readonly Call[] => [
    ['POST', '/api/torrents/magnet', { magnet: magnet(1), save_path: path }],
    ['POST', `/api/torrents/${torrent}/move`, { path }],
    ['POST', `/api/torrents/${torrent}/move`, { path, existing: true }],
    ['POST', '/api/create', { path }],
    ['POST', '/api/automations', moving(path)],
  ];
  for (const path of ways(shared)) {
    const administrators: readonly Call[] = [
      ['PUT', '/api/settings/save_path', { path }],
      ['PUT', '/api/settings/adding', { incomplete_path: path }],
      ['PUT', `/api/users/${bob.id}`, { home: path }],
      ['POST', '/api/users', { username: 'eve', password: 'eight or more', home: path }],
      ['POST', '/api/categories', { name: 'films', default_save_path: path, color: '#112233' }],
    ];
    t.same(await taken(front, [...anyone(film, path), ...administrators]), [], path);
  }
  for (const path of ways(home)) t.same(await taken(bob.client, anyone(bobs, path)), [], `bob: ${path}`);
  for (const [client, folder] of [
    [front, shared],
    [bob.client, home],
  ] as const) {
    for (const path of ways(folder)) {
      const { json } = await client.api<{ readonly paths: readonly string[] }>(
        'GET',
        `/api/paths?prefix=${encodeURIComponent(`${path}/`)}`,
      );
      t.same(json.paths, [], path);
    }
    const { json } = await client.api<{ readonly paths: readonly string[] }>(
      'GET',
      `/api/paths?prefix=${encodeURIComponent(`${folder}/`)}`,
    );
    const shown = json.paths.map((path) => path.slice(folder.length + 1)).toSorted();
    t.same(shown, folder === home ? ['bobs'] : ['bob', 'film'], 'nor are the ways shown');
  }
  t.same((await readdir(hidden)).toSorted(), ['engines', 'metainfo', 'secret']);
});

void t.test('files of torrents are not laid there, nor read from there', async (t) => {
  const { front, shared, hidden, home, bob, whole } = await setHiddenFolderScene(t);
  const [film, bobs] = [await whole(front, shared, 'film'), await whole(bob.client, home, 'bobs')];
  const renames: readonly (readonly [Asks, string, string, string])[] = [
    [front, film, 'film', '.swarmd'],
    [front, film, 'film/film', '.swarmd/engines/planted'],
    [front, film, 'film/film', 'way/planted'],
    [front, film, 'film/film', 'film/../.swarmd/planted'],
    [bob.client, bobs, 'bobs/film', '../.swarmd/planted'],
    [bob.client, bobs, 'bobs/film', 'way/planted'],
    [bob.client, bobs, 'bobs', 'way'],
  ];
  for (const [client, id, from, to] of renames) {
    const { status, json } = await client.api('POST', `/api/torrents/${id}/rename`, { from, to });
    t.match(String(status), /^40[09]$/, `${from} to ${to}`);
    t.match(
      JSON.stringify(json),
      /inside the folder that engines share|no name that a file can have|lies there already/,
    );
  }
  t.equal((await readFile(join(shared, 'film', 'film'))).length, FILM_BYTES, 'they lie where they lay');
  t.equal((await readFile(join(home, 'bobs', 'film'))).length, FILM_BYTES);

  // Whoever has a shell puts links in the place of files.
  for (const file of [join(shared, 'film', 'film'), join(home, 'bobs', 'film')]) {
    await rm(file);
    await symlink(join(hidden, 'secret'), file);
  }
  for (const [client, id] of [
    [front, film],
    [bob.client, bobs],
  ] as const) {
    const { json: link } = await client.api<{ readonly path: string }>('POST', `/api/torrents/${id}/links`, {});
    t.match(link.path, /^\/api\/links\//);
    for (const path of [
      `/api/torrents/${id}/files/0`,
      `/api/torrents/${id}/zip`,
      `/api/torrents/${id}/files/0/media_info`,
      `${link.path}/0/film`,
    ]) {
      const read = await client.download(path).catch(() => null);
      t.notOk(read?.bytes.includes('ssss'), path);
    }
    t.equal((await client.api('POST', `/api/torrents/${id}/recheck`)).status, 200);
    await client.waitFor(id, ({ completed, verifying }) => !completed && !verifying, TIMEOUT_MS);
    t.equal((await client.api('DELETE', `/api/torrents/${id}?delete=1`)).status, 200);
  }
  await waitUntil('both are gone', TIMEOUT_MS, async () => (await front.torrents()).length === 0 || undefined);
  t.equal(await readFile(join(hidden, 'secret'), 'utf8'), SECRET, 'it is neither deleted nor written');
  t.same((await readdir(hidden)).toSorted(), ['engines', 'metainfo', 'secret']);
});
