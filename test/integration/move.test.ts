// Moving torrents between save paths over a real daemon and real files: first what an account may do to others by it, then
// what stays as it was when it cannot be, then moves within a volume and what else is done to a torrent meanwhile.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { downloaded, FILE_BYTES, madeFilm, setBobsScene } from '../support/bobs-scene.js';
import { startDaemon } from '../support/daemon.js';
import { makeAccount } from '../support/daemon-account.js';
import { seededBytes, type MadeTorrent } from '../support/make-torrent.js';
import { askMove, moveEnded, moveOf, TIMEOUT_MS, type Caller } from '../support/moves.js';
import { makeScratch } from '../support/peers/scratch.js';

t.setTimeout(300_000);

async function liesAt(t: Test, made: MadeTorrent, folder: string, seed: number): Promise<void> {
  t.same(await readFile(join(folder, 'film')), Buffer.from(seededBytes(seed, FILE_BYTES)));
  t.same(await readFile(join(folder, 'extras', 'sound')), Buffer.from(seededBytes(seed + 1, FILE_BYTES)));
  t.equal((await stat(join(folder, 'extras', 'empty'))).size, 0, made.infoHash);
}

const names = async (folder: string): Promise<string[]> => (await readdir(folder)).sort();

void t.test('what lies at the target and is not its own is neither written over nor taken', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const made = madeFilm('show', 1);
  const id = await downloaded(daemon, bob.client, made);
  const secret = seededBytes(1, FILE_BYTES);
  await mkdir(at('other', 'show'), { recursive: true });
  await writeFile(at('other', 'show', 'film'), secret);

  const isRefused = async (caller: Caller, body: object, expected: object): Promise<void> => {
    t.match(await askMove(caller, id, body), expected, JSON.stringify(body));
    t.match(await moveOf(bob.client, id), { state: 'none', error: null });
    t.match(await bob.client.torrent(id), { save_path: daemon.savePath, completed: true, files_missing: false });
    await liesAt(t, made, at('show'), 1);
    t.same(await readFile(at('other', 'show', 'film')), Buffer.from(secret));
    t.same(await names(at('other', 'show')), ['film']);
  };
  await isRefused(bob.client, { path: 'other' }, { status: 409, json: { error: /^path: show lies there already/ } });
  await isRefused(daemon, { path: at('other') }, { status: 409, json: { error: /^path: show lies there already/ } });
  // The very bytes: whether a guess at a file of others is right is not told either.
  await isRefused(bob.client, { path: 'other', existing: true }, { status: 409, json: { error: /^path: show lies/ } });
  await isRefused(bob.client, { path: '/var/elsewhere' }, { status: 403, json: { error: 'forbidden' } });
  await isRefused(daemon, { path: daemon.dataDir }, { status: 400, json: { error: /^path: contains or lies in/ } });
  await isRefused(bob.client, { path: daemon.savePath }, { status: 400, json: { error: /lies there already$/ } });

  const alice = await makeAccount(daemon, 'alice');
  await downloaded(daemon, alice.client, madeFilm('alices', 5));
  await isRefused(bob.client, { path: 'alices' }, { status: 400, json: { error: /torrent of another account/ } });
  await writeFile(at('file'), '');
  await isRefused(daemon, { path: at('file') }, { status: 400, json: { error: /^path: not a directory/ } });
});

void t.test('who may move it', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const id = await downloaded(daemon, bob.client, madeFilm('show', 1));
  const home = at('homes', 'eve');
  await mkdir(home, { recursive: true });
  await mkdir(at('homes', 'bob'), { recursive: true });
  const eve = await makeAccount(daemon, 'eve', { home });
  const share = (access: string) => daemon.api('POST', `/api/torrents/${id}/shares`, { user_id: eve.id, access });
  const answers = async (expected: readonly number[]): Promise<void> => {
    const path = `/api/torrents/${id}/move`;
    const seen = [await eve.client.api('GET', path), await eve.client.api('POST', path, { path: home })];
    t.same(
      [...seen, await eve.client.api('DELETE', path)].map(({ status }) => status),
      expected,
    );
  };
  await answers([403, 403, 403]);
  await share('viewer');
  await answers([200, 403, 403]);
  await share('editor');
  await daemon.api('PUT', `/api/users/${bob.id}`, { home: at('homes', 'bob') });
  // Where she may save, but not its owner.
  await answers([200, 403, 200]);
  t.match(await askMove(eve.client, id, { path: at('homes', 'bob') }), { status: 403 }, 'nor where she may not');
  t.match(await bob.client.torrent(id), { save_path: daemon.savePath });
  await daemon.api('PUT', `/api/users/${bob.id}`, { home: '' });
  t.match(await askMove(eve.client, id, { path: home }), { status: 200 });
  await moveEnded(bob.client, id);
  t.match(await bob.client.torrent(id), { save_path: home, completed: true });

  // One of several who hold it moves nobody else's files.
  const ann = await makeAccount(daemon, 'ann');
  await ann.client.addTorrentFile(madeFilm('show', 1).torrentBytes);
  for (const { client } of [ann, bob, eve]) {
    const body = { path: client === eve.client ? home : at('there') };
    t.match(await askMove(client, id, body), { status: 403, json: { error: /administrator/ } });
    t.equal((await client.api('DELETE', `/api/torrents/${id}/move`)).status, 403);
  }
  t.equal((await moveOf(ann.client, id)).path, null, 'where it lies is not hers to know');
  t.match(await askMove(daemon, id, { path: at('there') }), { status: 200 });
  await moveEnded(daemon, id);
  t.match(await bob.client.torrent(id), { save_path: at('there') });
  t.match(await ann.client.torrent(id), { save_path: '', completed: true });
});

void t.test('within a volume: the same files under other names, and it is known again', async (t) => {
  const scratch = await makeScratch('move');
  t.teardown(() => scratch.remove());
  const home = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') };
  let daemon = await startDaemon(home);
  t.teardown(() => daemon.stop());
  const bob = await makeAccount(daemon, 'bob');
  const made = madeFilm('show', 1);
  const id = await downloaded(daemon, bob.client, made);
  const before = await stat(join(home.savePath, 'show', 'film'));
  await writeFile(join(home.savePath, 'show', 'notes.txt'), 'mine');
  t.match(await askMove(daemon, id, { path: join(home.savePath, 'new') }), { status: 200 });
  await moveEnded(daemon, id);
  const target = join(home.savePath, 'new', 'show');
  await liesAt(t, made, target, 1);
  const after = await stat(join(target, 'film'));
  t.same([after.ino, after.nlink, after.mtimeMs], [before.ino, 1, before.mtimeMs]);
  t.same(await names(join(home.savePath, 'show')), ['notes.txt'], 'what is not its own stays');
  t.match(await bob.client.torrent(id), {
    save_path: join(home.savePath, 'new'),
    content_path: target,
    completed: true,
    verifying: false,
  });
  await daemon.stop();

  daemon = await startDaemon(home);
  let wasVerified = false;
  await daemon.waitFor(id, (torrent) => (wasVerified ||= torrent.verifying) || torrent.completed, TIMEOUT_MS);
  t.notOk(wasVerified, 'nothing is verified again');
  t.match(await moveOf(daemon, id), { state: 'none', error: null });
  t.equal((await daemon.api('DELETE', `/api/torrents/${id}?delete=1`)).status, 200);
  await daemon.api('GET', '/api/torrents');
  t.same((await names(home.savePath)).includes('show'), true);
});

void t.test('a magnet without metadata goes where it is told at once', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const id = await bob.client.addMagnet(`magnet:?xt=urn:btih:${'ab'.repeat(20)}`);
  t.match(await askMove(bob.client, id, { path: 'other' }), { status: 200 });
  t.match(await bob.client.torrent(id), { save_path: at('other') });
  t.match(await moveOf(bob.client, id), { state: 'none' });
  t.match(await daemon.api('DELETE', `/api/torrents/${id}`), { status: 200 });
});
