// Names over a real daemon and real files: first what an account may do to others by renaming, then what is refused with
// everything as it was, then what is kept over restarts, rechecks, moves and by those who share files.
import { link, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { downloaded, FILE_BYTES, madeFilm, PIECE_LENGTH, setBobsScene } from '../support/bobs-scene.js';
import { startDaemon, type Reply } from '../support/daemon.js';
import { makeAccount } from '../support/daemon-account.js';
import { seededBytes } from '../support/make-torrent.js';
import { askMove, askRename, fileNamesOf, moveEnded, moveOf, TIMEOUT_MS, type Caller } from '../support/moves.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

t.setTimeout(300_000);

const names = async (folder: string): Promise<string[]> => (await readdir(folder, { recursive: true })).sort();
const isFilm = async (path: string, seed: number): Promise<boolean> =>
  (await readFile(path)).equals(Buffer.from(seededBytes(seed, FILE_BYTES)));

void t.test('no file of others is hit, followed or hidden', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const alice = await makeAccount(daemon, 'alice');
  const id = await downloaded(daemon, bob.client, madeFilm('show', 1));
  await downloaded(daemon, alice.client, madeFilm('alices', 5));
  await writeFile(at('notes.txt'), 'of nobody');
  await mkdir(at('folder'));
  await writeFile(at('show', 'mine.txt'), 'laid here by hand');
  await mkdir(at('show', 'mine'));
  const outside = at('..', 'outside');
  await mkdir(outside);
  await symlink(outside, at('show', 'link'));
  await symlink(at('alices'), at('show', 'inside'));
  const before = await names(daemon.savePath);

  const isRefused = async (caller: Caller, from: string, to: string, expected: object): Promise<void> => {
    t.match(await askRename(caller, id, from, to), expected, `${from} to ${to}`);
    t.match(await moveOf(bob.client, id), { state: 'none', error: null });
    t.same(await names(daemon.savePath), before);
    t.same(await fileNamesOf(bob.client, id, 3), ['film', 'empty', 'sound']);
  };
  const taken = { status: 409, json: { error: /^to: / } };
  await isRefused(bob.client, 'show/film', 'show/mine.txt', taken);
  await isRefused(bob.client, 'show/film', 'show/mine', taken);
  await isRefused(bob.client, 'show/film', 'show/mine.txt/film', taken);
  await isRefused(bob.client, 'show/film', 'show/extras/sound', taken);
  await isRefused(bob.client, 'show/film', 'show/EXTRAS/Sound', taken);
  await isRefused(bob.client, 'show/film', 'notes.txt', taken);
  await isRefused(bob.client, 'show', 'folder', taken);
  await isRefused(bob.client, 'show', 'alices', taken);
  await isRefused(bob.client, 'show/film', 'alices/film2', taken);
  await isRefused(bob.client, 'show/film', 'ALICES/film2', taken);
  await isRefused(bob.client, 'show/film', 'show/link/film', taken);
  await isRefused(bob.client, 'show/extras', 'show/link', taken);
  await isRefused(bob.client, 'show/film', 'show/inside/film2', taken);
  for (const to of ['../film', '/etc/film', 'show/../../film', 'show/..', 'show/a\u202eb', 'show//film']) {
    await isRefused(bob.client, 'show/film', to, { status: 400, json: { error: /^to: / } });
  }
  await isRefused(bob.client, 'alices/film', 'show/theirs', { status: 404 });
  await isRefused(bob.client, 'show/mine.txt', 'show/x', { status: 404 });
  // Nor by the rights of an administrator, where a file would be written over.
  await isRefused(daemon, 'show/film', 'notes.txt', taken);
  t.same(await readdir(outside), []);
});

void t.test('who may rename it', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const id = await downloaded(daemon, daemon, madeFilm('show', 1));
  await mkdir(at('folder'));
  const eve = await makeAccount(daemon, 'eve');
  const rename = (caller: Caller, from: string, to: string) => askRename(caller, id, from, to);
  const nameIt = (caller: Caller, name: string | null) => caller.api('PUT', `/api/torrents/${id}/name`, { name });
  const share = (access: string) => daemon.api('POST', `/api/torrents/${id}/shares`, { user_id: eve.id, access });
  t.match([(await rename(eve.client, 'show', 'b')).status, (await nameIt(eve.client, 'b')).status], [403, 403]);
  await share('viewer');
  t.match([(await rename(eve.client, 'show', 'b')).status, (await nameIt(eve.client, 'b')).status], [403, 403]);
  await share('editor');
  // What its owner may do, being an administrator, is not for an editor to do by it.
  t.match(await rename(eve.client, 'show/film', 'folder/film'), { status: 409 });
  t.match(await rename(eve.client, 'show/film', 'show/b'), { status: 200, json: { state: 'none' } });
  t.match(await rename(daemon, 'show/b', 'folder/film'), { status: 200 });
  t.ok(await isFilm(at('folder', 'film'), 1));

  // One of several who hold it renames nobody else's files, and names its own share.
  await bob.client.addTorrentFile(madeFilm('show', 1).torrentBytes);
  t.match(await rename(bob.client, 'folder/film', 'folder/b'), { status: 403, json: { error: /administrator/ } });
  t.match(await rename(eve.client, 'folder/film', 'folder/b'), { status: 403 });
  t.match(await nameIt(bob.client, "Bob's show"), { status: 200 });
  t.match(await bob.client.torrent(id), { name: "Bob's show" });
  t.match(await eve.client.torrent(id), { name: 'show' }, 'of the share of the owner');
  t.match(await nameIt(eve.client, "Eve's name"), { status: 200 });
  t.match(await daemon.torrent(id), { name: "Eve's name" });
  t.match(await bob.client.torrent(id), { name: "Bob's show" });
  t.match(await nameIt(bob.client, '  '), { status: 200 });
  t.match(await bob.client.torrent(id), { name: 'show' });
  t.match(await rename(daemon, 'folder/film', 'folder/b'), { status: 200 });
});

void t.test('names are kept over restart, recheck, export, move and adding again', async (t) => {
  const scratch = await makeScratch('rename');
  t.teardown(() => scratch.remove());
  const home = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') };
  let daemon = await startDaemon(home);
  t.teardown(() => daemon.stop());
  const bob = await makeAccount(daemon, 'bob');
  const made = madeFilm('show', 1);
  const id = await downloaded(daemon, bob.client, made);
  const at = (...path: readonly string[]) => join(home.savePath, ...path);
  await writeFile(at('show', 'notes.txt'), 'mine');
  const { ino } = await stat(at('show', 'film'));
  const renamed = async (from: string, to: string): Promise<void> => {
    t.match(await askRename(bob.client, id, from, to), { status: 200, json: { ok: true, state: 'none' } }, to);
  };
  await renamed('show/film', 'show/Film (2020).mkv');
  await renamed('show/extras', 'show/music/more');
  await renamed('show', 'Show');
  await renamed('Show/music', 'music');
  const paths = ['Show/Film (2020).mkv', 'music/more/empty', 'music/more/sound'];
  const lieThere = async (savePath: string): Promise<void> => {
    t.same(await fileNamesOf(daemon, id, 3), ['Film (2020).mkv', 'empty', 'sound']);
    t.ok(await isFilm(join(savePath, paths[0]!), 1));
    t.ok(await isFilm(join(savePath, paths[2]!), 2));
    t.match(await daemon.torrent(id), { name: 'show', save_path: savePath, content_path: savePath, completed: true });
  };
  await lieThere(home.savePath);
  const { ino: after, nlink } = await stat(at(paths[0]!));
  t.same([after, nlink], [ino, 1], 'the same file under another name');
  t.same(await names(at('show')), ['notes.txt'], 'what is not its own stays');
  const exported = await daemon.download(`/api/torrents/${id}/file`);
  t.ok(exported.bytes.includes(Buffer.from(made.infoBytes)), 'the info dictionary is byte for byte');
  t.match(await bob.client.api('PUT', `/api/torrents/${id}/name`, { name: 'Shown' }), { status: 200 });
  t.match(await bob.client.torrent(id), { name: 'Shown', content_path: home.savePath });
  t.match(await bob.client.api('PUT', `/api/torrents/${id}/name`, { name: null }), { status: 200 });

  await daemon.stop();
  daemon = await startDaemon(home);
  let wasVerified = false;
  await daemon.waitFor(id, (torrent) => (wasVerified ||= torrent.verifying) || torrent.completed, TIMEOUT_MS);
  t.notOk(wasVerified, 'nothing is verified again');
  await lieThere(home.savePath);
  await daemon.api('POST', `/api/torrents/${id}/recheck`);
  await daemon.waitFor(id, ({ verifying }) => !verifying, TIMEOUT_MS);
  await lieThere(home.savePath);
  await daemon.addTorrentFile(made.torrentBytes);
  await lieThere(home.savePath);
  t.match(await askMove(daemon, id, { path: at('moved') }), { status: 200 });
  await moveEnded(daemon, id);
  await lieThere(at('moved'));
  t.same(await names(at('moved')), ['Show', 'music', 'music/more', ...paths].sort());
  t.equal((await daemon.api('DELETE', `/api/torrents/${id}?delete=1`)).status, 200);
  await daemon.stop();
  t.same(await names(at('moved')), [], 'and they go with it');
});

void t.test('two torrents that share files both find them', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const [one, other] = [madeFilm('show', 1), madeFilm('show', 1, 2 * PIECE_LENGTH)];
  const first = await downloaded(daemon, bob.client, one);
  const second = await bob.client.addTorrentFile(other.torrentBytes);
  await bob.client.waitFor(second, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  t.match(await askRename(bob.client, first, 'show/film', 'show/other name'), { status: 200, json: { state: 'none' } });
  t.match(await askRename(bob.client, first, 'show/extras', 'extras'), { status: 200, json: { state: 'none' } });
  const [a, b] = [await stat(at('show', 'other name')), await stat(at('show', 'film'))];
  t.equal(a.ino, b.ino, 'one file under two names');
  for (const id of [first, second]) {
    await bob.client.api('POST', `/api/torrents/${id}/recheck`);
    await bob.client.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  }
  // The name that the other one has is taken.
  t.match(await askRename(bob.client, first, 'show/other name', 'show/film'), { status: 409 });
  // And so is one that another torrent of the account has still to download.
  const third = await bob.client.addTorrentFile(madeFilm('third', 7).torrentBytes);
  t.match(await askRename(bob.client, first, 'show/other name', 'third/film'), {
    status: 409,
    json: { error: 'to: third/film is a file of another torrent' },
  });
  t.equal((await bob.client.api('DELETE', `/api/torrents/${third}`)).status, 200);
  t.equal((await bob.client.api('DELETE', `/api/torrents/${first}?delete=1`)).status, 200);
  const left = ['show', 'show/extras', 'show/extras/empty', 'show/extras/sound', 'show/film'];
  // Files are deleted behind the answer, and folders go while they are listed.
  await waitUntil('its files to be gone', TIMEOUT_MS, async () => {
    const found = await names(daemon.savePath).catch(() => []);
    return found.join() === left.join() ? true : undefined;
  });
});

void t.test('a magnet has no files to rename; a name that is linked twice is only renamed', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const magnet = await bob.client.addMagnet(`magnet:?xt=urn:btih:${'ab'.repeat(20)}&dn=Sample`);
  t.match(await askRename(bob.client, magnet, 'Sample', 'b'), { status: 409, json: { error: /metadata/ } });
  t.match(await bob.client.api('PUT', `/api/torrents/${magnet}/name`, { name: 'Better' }), { status: 200 });
  t.match(await bob.client.torrent(magnet), { name: 'Better' });
  const id = await downloaded(daemon, bob.client, madeFilm('show', 1));
  await link(at('show', 'film'), at('kept'));
  t.match(await askRename(bob.client, id, 'show/film', 'show/b'), { status: 200 });
  t.same([(await stat(at('kept'))).nlink, (await names(at('show'))).includes('film')], [2, false]);
  t.match(await askRename(bob.client, id, 'show/b', 'show/b'), { status: 200 }, 'nothing to do');
});

void t.test('renames that are asked for at once are done one after another', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const id = await downloaded(daemon, bob.client, madeFilm('show', 1));
  const asked: Promise<Reply>[] = [];
  for (const from of ['show/film', 'show/extras/empty', 'show/extras/sound']) {
    asked.push(askRename(bob.client, id, from, `${from} 2`));
  }
  for (const answer of await Promise.all(asked)) t.match(answer, { status: 200, json: { state: 'none' } });
  t.same(await names(at('show')), ['extras', 'extras/empty 2', 'extras/sound 2', 'film 2']);
});
