// An account that is placed by the fleet: each of its torrents is on one of the engines, by rules, path, room and load, whichever way
// it comes in; and what is asked of the account's paths is asked of whoever has them.
import t from 'tap';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CategoryDto, TagDto } from '../../../shared-protocol/dto/labels.js';
import type { PathsDto } from '../../../shared-protocol/dto/paths.js';
import type { StorageDto } from '../../../shared-protocol/dto/storage.js';
import type { TorrentDto } from '../../../shared-protocol/dto/torrents.js';
import { multipart } from '../../support/api-harness.js';
import type { Client } from '../../support/browser.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { magnetOf, startTwoEngines, torrentId } from '../../support/two-engines.js';

const MIB = 2 ** 20;
const EXBI = 2 ** 60;
const AUTO = { engine: 'auto' };
type Scene = Awaited<ReturnType<typeof startTwoEngines>>;

/** A torrent file of one file of so many bytes, which nobody has. */
function torrentOf(name: string, bytes: number) {
  const info = `d6:lengthi${bytes}e4:name${name.length}:${name}12:piece lengthi1048576e6:pieces20:${'x'.repeat(20)}e`;
  const id = createHash('sha1').update(info).digest('hex');
  return { id, file: Buffer.from(`d4:info${info}e`, 'latin1') };
}

async function addFile({ front }: Scene, client: Client, file: Uint8Array, fields: Record<string, string> = {}) {
  const { headers, body } = multipart({ file, ...fields });
  return front().call('POST', '/api/torrents/file', { headers: { ...headers, ...client.headers }, body });
}

const magnet = (n: number, fields: object = {}) =>
  ['POST', '/api/torrents/magnet', { magnet: magnetOf(n), ...fields }] as const;
const counts = ({ engines }: Scene) => [engines.first.ids.length, engines.second.ids.length];

void t.test('torrents on a root that engines share go to whoever has fewer', async (t) => {
  const scene = await startTwoEngines(t);
  const { account, admin, engines, shared } = scene;
  const { client: bob } = await account('bob', { ...AUTO, home: join(shared, 'bob') });
  for (const n of [1, 2, 3, 4]) await bob.ask(...magnet(n));
  t.same(counts(scene), [2, 2]);
  for (const n of [5, 6, 7]) await admin.ask(...magnet(n));
  t.same(counts(scene), [5, 2], 'an account of the first engine is on it all the same');
  for (const n of [8, 9, 10]) await bob.ask(...magnet(n, { save_path: join(shared, 'bob', 'films') }));
  t.same(counts(scene), [5, 5]);
  const paths = [...engines.first.added, ...engines.second.added].filter(({ ownerId }) => ownerId !== 1);
  t.same([...new Set(paths.map(({ savePath }) => savePath))].sort(), [
    join(shared, 'bob'),
    join(shared, 'bob', 'films'),
  ]);
  t.ok(
    [...engines.first.added, ...engines.second.added].every((params) => !('on' in params)),
    'an engine is not told that it was chosen',
  );
  await Promise.all(Array.from({ length: 20 }, (_, n) => bob.ask(...magnet(n + 100))));
  t.same(counts(scene), [15, 15], 'at once as well');
});

void t.test(
  'a path that one engine has decides; where none is said the first root of the chosen one counts',
  async (t) => {
    const scene = await startTwoEngines(t);
    const { account, admin, engines, roots } = scene;
    const { client: bob } = await account('bob', AUTO);
    await bob.ask(...magnet(1, { save_path: join(roots.second, 'x') }));
    await bob.ask(...magnet(2, { save_path: roots.first }));
    t.same([engines.first.ids, engines.second.ids], [[torrentId(2)], [torrentId(1)]]);
    const big = torrentOf('big', 64 * MIB);
    t.equal((await addFile(scene, bob, big.file)).status, 200);
    for (const n of [3, 4, 5, 6]) await bob.ask(...magnet(n));
    for (const [name, engine] of Object.entries(engines)) {
      const root = roots[name as keyof typeof roots];
      t.ok(
        engine.added.every(({ savePath }) => savePath === root || savePath === join(root, 'x')),
        name,
      );
    }
    await bob.ask(...magnet(7, { save_path: 'below' }));
    const added = [...engines.first.added, ...engines.second.added];
    t.ok(
      added.some(({ savePath }) => savePath === join(roots.first, 'below') || savePath === join(roots.second, 'below')),
      'a relative one is below it',
    );
    t.equal(added.length, 8);

    await admin.ask('PUT', '/api/users/1', AUTO);
    const given = { name: 'Films', color: '#112233', default_save_path: join(roots.second, 'films') };
    await admin.ask('POST', '/api/categories', given);
    const [films] = await admin.ask<CategoryDto[]>('GET', '/api/categories');
    const before = counts(scene)[1]!;
    await bob.ask(...magnet(8, { category_id: films!.id }));
    t.equal(counts(scene)[1], before + 1);
    t.equal(engines.second.added.at(-1)?.savePath, join(roots.second, 'films'), 'the path of a category');
    const outside = await bob.call('POST', '/api/torrents/magnet', { magnet: magnetOf(9), save_path: scene.base });
    t.equal(outside.status, 403);
  },
);

void t.test('what is promised to others is no room', async (t) => {
  const scene = await startTwoEngines(t);
  const { client: bob } = await scene.account('bob', AUTO);
  const { volumes } = await bob.ask<StorageDto>('GET', '/api/storage');
  const free = volumes.find(({ is_default }) => is_default)?.free_bytes ?? 0;
  const part = Math.floor(free / 10);
  for (const name of ['a', 'b', 'c', 'd']) await addFile(scene, bob, torrentOf(name, part).file);
  t.same(counts(scene), [2, 2], 'disks that are as free get as much');
  const more = await Promise.all(['e', 'f', 'g', 'h'].map((name) => addFile(scene, bob, torrentOf(name, part).file)));
  t.same(
    more.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  t.same(counts(scene), [4, 4], 'at once as well');
});

void t.test('one that has room nowhere is refused, unless its files may be there', async (t) => {
  const scene = await startTwoEngines(t);
  const { account, admin, shared } = scene;
  const { client: bob } = await account('bob', AUTO);
  const huge = torrentOf('huge', EXBI / 256);
  const refused = await addFile(scene, bob, huge.file);
  t.equal(refused.status, 400);
  t.match(refused.text, /no room left on the disks of the engines for \d+ MiB: (first, second|second, first)"/);
  await admin.ask('PUT', '/api/users/1', AUTO);
  t.match((await addFile(scene, admin, huge.file)).text, /first \(\d+ MiB free\)/, 'administrators are told how much');
  t.equal((await addFile(scene, admin, huge.file, { save_path: shared })).status, 400, 'on a root that they share too');
  t.same(counts(scene), [0, 0]);
  t.equal((await addFile(scene, admin, huge.file, { save_path: shared, skip_check: 'true' })).status, 200);
  t.equal((await addFile(scene, admin, huge.file)).status, 200, 'one that it has');
  const again = await addFile(scene, bob, huge.file);
  t.equal(again.text, refused.text, 'whether others have it nobody learns by that');
  t.equal((await addFile(scene, bob, huge.file, { save_path: scene.roots.second })).status, 200, 'the path decides');
  t.equal(counts(scene)[0]! + counts(scene)[1]!, 1, 'it is joined where it is');
});

void t.test('rules come before paths, and the first that holds decides', async (t) => {
  const placement = [
    { tag: ['4k', 'uhd'], engines: ['second'] },
    { account: 'ann', engines: ['first'] },
    { category: 'Films', engines: ['second', 'first'] },
  ];
  const scene = await startTwoEngines(t, { placement });
  const { account, admin, engines, roots } = scene;
  const { client: ann } = await account('ann', AUTO);
  const { client: bob } = await account('bob', AUTO);
  const { client: eve } = await account('eve');
  for (const name of ['UHD', 'other']) await admin.ask('POST', '/api/tags', { name, color: '#112233' });
  const tags = await admin.ask<TagDto[]>('GET', '/api/tags');
  const uhd = tags.find(({ name }) => name === 'UHD')!.id;
  for (const n of [1, 2, 3]) await bob.ask(...magnet(n, { tags: [uhd] }));
  t.same(counts(scene), [0, 3]);
  for (const n of [4, 5, 6, 7]) await ann.ask(...magnet(n));
  t.same(counts(scene), [4, 3]);
  await ann.ask(...magnet(8, { tags: [uhd] }));
  t.same(counts(scene), [4, 4], 'the tag comes first');
  const elsewhere = await ann.call('POST', '/api/torrents/magnet', { magnet: magnetOf(9), save_path: roots.second });
  t.equal(elsewhere.status, 403, 'a path of another engine than the rule allows');
  await eve.ask(...magnet(10, { tags: [uhd] }));
  t.ok(engines.first.ids.includes(torrentId(10)), 'rules are for accounts that are placed');
});

void t.test('engines that are away or to be left get nothing', async (t) => {
  const scene = await startTwoEngines(t, { placement: [{ account: 'ann', engines: ['second'] }] });
  const { account, admin, hosts, shared } = scene;
  const { client: bob } = await account('bob', { ...AUTO, home: join(shared, 'bob') });
  const { client: ann } = await account('ann', AUTO);
  const draining = (name: string, is: boolean) => admin.ask('PUT', `/api/engines/${name}`, { draining: is });
  await draining('first', true);
  for (const n of [1, 2]) await bob.ask(...magnet(n));
  t.same(counts(scene), [0, 2]);
  await draining('second', true);
  const none = await bob.call('POST', '/api/torrents/magnet', { magnet: magnetOf(3) });
  t.equal(none.status, 503);
  t.match(none.text, 'ENGINE_AWAY');
  await draining('first', false);
  await draining('second', false);
  await hosts.second.end();
  await waitUntil('the engine is away', 30_000, async () => {
    const { engine_away_since } = await bob.ask<{ engine_away_since: number | null }>('GET', '/api/status');
    return engine_away_since !== null || undefined;
  });
  for (const n of [4, 5, 6]) await bob.ask(...magnet(n));
  t.same(counts(scene), [3, 2]);
  t.equal((await ann.call('POST', '/api/torrents/magnet', { magnet: magnetOf(7) })).status, 503, 'her rule says where');
});

void t.test('the same new torrent at once is on one engine', async (t) => {
  const scene = await startTwoEngines(t);
  const { account, shared } = scene;
  const clients: Client[] = [];
  for (const name of ['ann', 'bob', 'eve'])
    clients.push((await account(name, { ...AUTO, home: join(shared, name) })).client);
  const numbers = Array.from({ length: 20 }, (_, n) => n + 1);
  await Promise.all(numbers.flatMap((n) => [...clients, clients[0]!].map((client) => client.ask(...magnet(n)))));
  const [first = 0, second = 0] = counts(scene);
  t.equal(first + second, 20);
  t.ok(first > 0 && second > 0, 'and not all of them on one');
  for (const client of clients) t.equal((await client.ask<TorrentDto[]>('GET', '/api/torrents')).length, 20);
  await clients[1]!.ask(...magnet(1));
  t.equal(counts(scene)[0]! + counts(scene)[1]!, 20, 'and is joined there later');
});

void t.test('paths are asked of whoever has them', async (t) => {
  const scene = await startTwoEngines(t);
  const { account, admin, roots, shared, engines } = scene;
  await mkdir(join(shared, 'bob', 'films'), { recursive: true });
  await mkdir(join(roots.second, 'bobs'));
  const { client: bob, id } = await account('bob', { ...AUTO, home: join(shared, 'bob') });
  const completed = await bob.ask<PathsDto>('GET', `/api/paths?prefix=${encodeURIComponent(`${shared}/bob/`)}`);
  t.match(completed, { paths: [join(shared, 'bob', 'films')], allowed: true, exists: true });
  t.type(completed.free_bytes, 'number');
  t.same(
    [engines.first, engines.second].map(({ adopters }) => adopters.some(({ accountId }) => accountId === id)),
    [true, true],
    'files in a home on a root that is shared are its own, whoever saves there',
  );
  await admin.ask('PUT', `/api/users/${id}`, { home: join(roots.second, 'bobs') });
  await waitUntil(
    'the engines are told of the home',
    30_000,
    async () => !engines.first.adopters.some(({ accountId }) => accountId === id) || undefined,
  );
  t.ok(engines.second.adopters.some(({ accountId }) => accountId === id));
  t.match(await bob.ask('GET', '/api/settings/save_path'), { path: join(roots.second, 'bobs') });
  const { volumes } = await bob.ask<StorageDto>('GET', '/api/storage');
  t.match(volumes, [{ is_default: true }]);
  t.equal((await admin.call('PUT', `/api/users/${id}`, { home: join(scene.base, 'none') })).status, 400);
  t.match(
    (await admin.call('PUT', `/api/users/${id}`, { engine: 'none' })).text,
    /engine: expected first, second, or auto/,
  );
});

void t.test('torrents are made of files where they lie, and seeded there', async (t) => {
  const scene = await startTwoEngines(t);
  const { account, engines, roots } = scene;
  await writeFile(join(roots.second, 'made'), 'abc');
  const { client: bob } = await account('bob', AUTO);
  const { id } = await bob.ask<{ id: number }>('POST', '/api/create', { path: join(roots.second, 'made'), seed: true });
  await waitUntil('the torrent is made', 30_000, async () => {
    const { state, error } = await bob.ask<{ state: string; error: string | null }>('GET', `/api/create/${id}`);
    if (state === 'failed') throw new Error(String(error));
    return state === 'done' || undefined;
  });
  t.same([engines.first.creationsAsked.length, engines.second.creationsAsked.length], [0, 1]);
  t.same(counts(scene), [0, 1]);
});

void t.test('clients of the compatible interfaces are placed as well', async (t) => {
  const scene = await startTwoEngines(t);
  const { account, shared, front } = scene;
  await account('bob', { ...AUTO, home: join(shared, 'bob') });
  const call = (path: string, headers: Record<string, string>, body: string) =>
    front().call('POST', path, { headers, body });
  const form = { 'content-type': 'application/x-www-form-urlencoded', host: '127.0.0.1' };
  const signedIn = await call('/api/v2/auth/login', form, 'username=bob&password=correct+horse');
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!;
  const basic = `Basic ${Buffer.from('bob:correct horse').toString('base64')}`;
  const rpc = { 'content-type': 'application/json', authorization: basic, host: '127.0.0.1' };
  const asked = await call('/transmission/rpc', rpc, '{}');
  const session = String(asked.headers['x-transmission-session-id']);
  for (const n of [1, 3, 5]) {
    const added = await call('/api/v2/torrents/add', { ...form, cookie }, `urls=${encodeURIComponent(magnetOf(n))}`);
    t.equal(added.text, 'Ok.');
    const method = { method: 'torrent-add', arguments: { filename: magnetOf(n + 1) } };
    const headers = { ...rpc, 'x-transmission-session-id': session };
    t.match((await call('/transmission/rpc', headers, JSON.stringify(method))).text, '"result":"success"');
  }
  t.same(counts(scene), [3, 3]);
});
