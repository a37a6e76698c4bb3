// Accounts against `.swarmd` of a shared root, through all routes that take a path or read files: by its name, by `..` and by links that
// lie on the disk. Two engine processes and a front; nothing is saved there, nothing of it is told, and no torrent's files come to lie there.
import t, { type Test } from 'tap';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeAccount, type AccountUnderTest } from '../../support/daemon-account.js';
import { makeTorrent } from '../../support/make-torrent.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { startSharedRootScene } from '../../support/shared-root-scene.js';

const TIMEOUT_MS = 60_000;
const PIECE_LENGTH = 16_384;
const BYTES = 3 * PIECE_LENGTH;
/** Contents of a file in the folder, of the length of the torrents'. */
const SECRET = 's'.repeat(BYTES);

type Call = readonly [method: string, path: string, body: object];
type Asks = Pick<AccountUnderTest['client'], 'api'>;

const made = (name: string) =>
  makeTorrent({
    name,
    pieceLength: PIECE_LENGTH,
    files: [{ path: ['film'], bytes: Buffer.alloc(BYTES, name) }],
  });

async function scene(t: Test) {
  const { front, shared, has } = await startSharedRootScene(t);
  await has('b', 0);
  const [hidden, home] = [join(shared, '.swarmd'), join(shared, 'bob')];
  await mkdir(home);
  await symlink(hidden, join(shared, 'way'));
  await symlink(join(hidden, 'engines'), join(home, 'way'));
  await writeFile(join(hidden, 'secret'), SECRET);
  const bob = await makeAccount(front, 'bob', { engine: 'b', home });
  /** A torrent that is whole, of the account whose folder it is. */
  const whole = async (client: Pick<typeof front, 'addTorrentFile' | 'waitFor'>, folder: string, name: string) => {
    const { torrentBytes, payload, infoHash } = made(name);
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'film'), payload);
    await client.addTorrentFile(torrentBytes, folder);
    await client.waitFor(infoHash, ({ completed }) => completed, TIMEOUT_MS);
    return infoHash;
  };
  const ways = (folder: string) => [
    hidden,
    `${hidden}/engines`,
    `${hidden}/.`,
    `${folder}/../${folder === home ? '' : 'shared/'}.swarmd/engines`,
    join(folder, 'way'),
    `${folder}/way/new`,
  ];
  return { front, shared, hidden, home, bob, whole, ways };
}

/** Why a path is refused; of the home of an account nothing more is said. */
const REFUSED = /what engines know of each other is there|^forbidden$/;

/** Those that were not refused for their path. */
async function taken(client: Asks, calls: readonly Call[]): Promise<unknown[]> {
  const answers = [];
  for (const [method, path, body] of calls) {
    const { status, json } = await client.api<{ readonly error?: string }>(method, path, body);
    const isRefused = (status === 400 || status === 403) && REFUSED.test(json.error ?? '');
    if (!isRefused) answers.push([method, path, body, status, json]);
  }
  return answers;
}

const magnet = (n: number) => `magnet:?xt=urn:btih:${n.toString(16).padStart(40, '0')}`;

void t.test('paths that lead there are refused, and nothing is told of what is there', async (t) => {
  const { front, shared, hidden, home, bob, whole, ways } = await scene(t);
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
      const { json } = await client.api('GET', `/api/paths?prefix=${encodeURIComponent(`${path}/`)}`);
      t.same(json['paths'], [], path);
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
  const { front, shared, hidden, home, bob, whole } = await scene(t);
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
  t.equal((await readFile(join(shared, 'film', 'film'))).length, BYTES, 'they lie where they lay');
  t.equal((await readFile(join(home, 'bobs', 'film'))).length, BYTES);

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
