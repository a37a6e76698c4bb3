// Torrents made of files of the server, by a whole daemon: first what an account may not have hashed and seeded, then what
// becomes of one that is asked for.
import { execFileSync } from 'node:child_process';
import { appendFile, link, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { begin, created, ended, setScene, type CreationView } from '../support/creations.js';
import { startDaemon } from '../support/daemon.js';
import { makeAccount, setPermissions } from '../support/daemon-account.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { seedContent } from '../support/peers/scripted-seed.js';

const TIMEOUT_MS = 60_000;
const MIB = 1024 * 1024;

t.setTimeout(300_000);

void t.test('an account has nothing hashed that is not its own, and is not told what is there', async (t) => {
  const { daemon, files, scratch } = await setScene(t);
  await files(daemon.savePath, { 'secret.txt': 'of somebody', 'folder/inner': 'as well' });
  const bob = await makeAccount(daemon, 'bob');
  const { client } = bob;
  const notHis = /^path: not in the home of the account/;
  for (const path of ['secret.txt', 'nothing-there.txt', 'folder', 'folder/inner', '.', daemon.savePath]) {
    const { status, json } = await begin(client, { path });
    t.match([status, json.error], [403, notHis], `${path}: the same whether it is there or not`);
  }
  for (const path of [
    '/etc/passwd',
    '/nothing',
    '..',
    '../data/users.json',
    daemon.dataDir,
    `${daemon.dataDir}/x`,
    '/',
  ]) {
    const { status, json } = await begin(client, { path });
    t.match([status, json.error], [403, 'forbidden'], path);
  }
  await symlink('/etc', join(daemon.savePath, 'etc'));
  t.match((await begin(client, { path: 'etc/passwd' })).status, 403, 'a link leads nowhere else');

  const home = await files(join(scratch, 'home'), { 'own/a': seededBytes(1, 50_000), 'own/b': 'x' });
  await daemon.api('PUT', `/api/users/${bob.id}`, { home });
  t.match((await begin(client, { path: join(daemon.savePath, 'secret.txt') })).json.error, 'forbidden', 'outside');
  t.match(await created(client, { path: join(home, 'own') }), { state: 'done', files: 2, error: null });

  await link(join(daemon.savePath, 'secret.txt'), join(home, 'own', 'linked'));
  t.match(
    await created(client, { path: 'own' }),
    { state: 'failed', code: 'CREATE_NOT_ALLOWED', error: /^path: own\/linked has other names/ },
    'a hard link may be of others',
  );
  await rm(join(home, 'own', 'linked'));
  await symlink(join(daemon.savePath, 'secret.txt'), join(home, 'own', 'symbolic'));
  t.match(await created(client, { path: 'own' }), { state: 'failed', error: /symbolic is a symbolic link/ });
  t.match((await begin(client, { path: 'own/symbolic' })).status, 400);
  const absent = join(home, 'own', 'absent', 'film');
  t.equal(
    (await begin(client, { path: 'own/absent/film' })).json.error,
    `path: ${absent} is not there`,
    'all of it is named',
  );
  t.match(
    await begin(client, { path: home, seed: true }),
    { status: 403 },
    'what lies beside the home is not seeded from',
  );
});

void t.test('what lies in a home and is a torrent of another account is not hashed', async (t) => {
  const { daemon, files, scratch } = await setScene(t);
  const home = await files(join(scratch, 'home'), { 'mine.txt': 'mine' });
  const bob = await makeAccount(daemon, 'bob', { home });
  const theirs = makeTorrent({ name: 'theirs', pieceLength: 16_384, files: seededBytes(2, 40_000), private: true });
  const id = await daemon.addTorrentFile(theirs.torrentBytes, home);
  const content = { bytes: theirs.payload, infoHash: theirs.infoHash, pieceLength: 16_384 };
  const seed = await seedContent(content, daemon.peerPort, Infinity);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  seed.destroy();
  for (const path of ['theirs', '.', home]) {
    t.match(await begin(bob.client, { path }), { status: 403, json: { error: /files of others/ } }, path);
  }
  t.match(await created(bob.client, { path: 'mine.txt' }), { state: 'done' });
});

void t.test('what an account’s torrent has downloaded is its own, without a home', async (t) => {
  const { daemon } = await setScene(t);
  const bob = await makeAccount(daemon, 'bob');
  const made = makeTorrent({
    name: 'film',
    pieceLength: 16_384,
    files: [{ path: ['a'], bytes: seededBytes(3, 40_000) }],
  });
  const id = await bob.client.addTorrentFile(made.torrentBytes);
  const content = { bytes: made.payload, infoHash: made.infoHash, pieceLength: 16_384 };
  const seed = await seedContent(content, daemon.peerPort, Infinity);
  await bob.client.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  seed.destroy();
  const again = await created(bob.client, { path: 'film', piece_length: 32_768, seed: true });
  t.match(again, { state: 'done', error: null, torrent_id: /^[0-9a-f]{40}$/ });
  t.match(await bob.client.torrent(String(again.torrent_id)), { completed: true, verifying: false });
  await writeFile(join(daemon.savePath, 'film', 'planted'), 'by another program');
  t.match(await created(bob.client, { path: 'film' }), { state: 'failed', code: 'CREATE_NOT_ALLOWED' });
});

void t.test('creations are their account’s', async (t) => {
  const { daemon, files, scratch } = await setScene(t);
  const home = await files(join(scratch, 'home'), { 'mine.txt': 'mine' });
  const bob = await makeAccount(daemon, 'bob', { home });
  const eve = await makeAccount(daemon, 'eve', { home });
  const { id } = await created(bob.client, { path: 'mine.txt' });
  for (const [method, path] of [
    ['GET', `/api/create/${id}`],
    ['GET', `/api/create/${id}/file`],
    ['DELETE', `/api/create/${id}`],
  ] as const) {
    t.equal((await eve.client.api(method, path)).status, 404, `${method} ${path}`);
  }
  t.same((await eve.client.api('GET', '/api/create')).json, []);
  t.equal((await daemon.api<CreationView[]>('GET', '/api/create')).json[0]?.id, id, 'administrators see all');
  await setPermissions(daemon, bob, { perm_add_torrents: false });
  t.equal((await bob.client.api('GET', `/api/create/${id}`)).status, 403);
  t.same((await daemon.api('GET', '/api/create')).json, [], 'who may make none has none');
});

void t.test('a file that changes while it is hashed is named, and one is ended', async (t) => {
  const { daemon, files } = await setScene(t);
  await files(daemon.savePath, { 'pack/a-still': seededBytes(4, 100_000), 'pack/b-grows': seededBytes(5, 24 * MIB) });
  let isOver = false;
  const growing = (async () => {
    while (!isOver) await appendFile(join(daemon.savePath, 'pack', 'b-grows'), 'x');
  })();
  const { json } = await begin(daemon, { path: 'pack' });
  const failed = await ended(daemon, json.id);
  isOver = true;
  await growing;
  t.match(failed, { state: 'failed', code: 'FILES_CHANGED', error: /^path: pack\/b-grows has changed/ });
  t.equal((await daemon.api('GET', `/api/create/${json.id}/file`)).status, 409);

  await truncate(join(daemon.savePath, 'pack', 'b-grows'), 0);
  execFileSync('truncate', ['-s', '40G', join(daemon.savePath, 'pack', 'c-large')]);
  await appendFile(join(daemon.savePath, 'pack', 'c-large'), 'end');
  const large = (await begin(daemon, { path: 'pack' })).json;
  t.equal((await daemon.api('DELETE', `/api/create/${large.id}`)).status, 200);
  t.equal((await daemon.api('GET', `/api/create/${large.id}`)).status, 404);
});

void t.test('what was made is forgotten with a restart; what is asked for at once is bounded', async (t) => {
  const { daemon, files } = await setScene(t);
  await files(daemon.savePath, { 'pack/a': seededBytes(6, 24 * MIB) });
  const answers = await Promise.all(Array.from({ length: 12 }, () => begin(daemon, { path: 'pack' })));
  const refused = answers.filter(({ status }) => status === 400);
  t.equal(refused.length, 10);
  t.match(refused[0]?.json.error, /^create: at most 2 at a time of an account/);
  const begun = answers.filter(({ status }) => status === 200);
  for (const { json } of begun) t.match(await ended(daemon, json.id), { state: 'done' });
  await daemon.stop();
  const again = await startDaemon({ dataDir: daemon.dataDir, savePath: daemon.savePath });
  t.teardown(() => again.stop());
  t.same((await again.api('GET', '/api/create')).json, []);
});

void t.test('seeding at once trusts what was hashed, over a restart too, and nothing that has changed', async (t) => {
  const { daemon: first, files } = await setScene(t);
  let daemon = first;
  await files(daemon.savePath, { 'pack/a': seededBytes(13, 100_000), 'pack/b': seededBytes(14, 100_000) });
  // It lies where it was hashed, however others are laid out.
  await daemon.api('PUT', '/api/settings/adding', { content_layout: 'no_subfolder', portable_names: true });
  const { json } = await begin(daemon, { path: 'pack', seed: true });
  const { torrent_id: id } = await ended(daemon, json.id);
  t.match(await daemon.torrent(String(id)), { completed: true, verifying: false, bytes_done: 200_000 });
  await daemon.stop();
  daemon = await startDaemon({ dataDir: first.dataDir, savePath: first.savePath });
  t.teardown(() => daemon.stop());
  t.match(await daemon.torrent(String(id)), { completed: true, verifying: false, bytes_done: 200_000 });

  await files(daemon.savePath, { 'quoted/a: "b"?': 'name', 'odd/a\nb': 'name' });
  const quoted = await created(daemon, { path: 'quoted', seed: true });
  t.match(await daemon.torrent(String(quoted.torrent_id)), { completed: true });
  const odd = await created(daemon, { path: 'odd', seed: true });
  t.match(odd, { state: 'failed', code: 'CREATE_REFUSED', error: /odd\/a\nb would be odd\/a_b in a torrent/ });
  t.match(await created(daemon, { path: 'odd' }), { state: 'done' }, 'elsewhere it may be called that');
  await rename(join(daemon.savePath, 'pack', 'a'), join(daemon.savePath, 'pack', 'c'));
  await daemon.api('POST', `/api/torrents/${id}/recheck`);
  await daemon.waitFor(String(id), ({ completed, verifying }) => !completed && !verifying, TIMEOUT_MS);
});
