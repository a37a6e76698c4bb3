// Whose files are whose, over a real daemon, real files and a seed of the attacker's own: what an account that may only
// add torrents can learn, change and delete of what others have below the same save path. The rules are in
// engine/claims/claims.ts.
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { setBobsScene } from '../support/bobs-scene.js';
import { runDaemon, startDaemon, type ApiClient, type DaemonUnderTest, type TorrentView } from '../support/daemon.js';
import { makeAccount, sameAccount, type AccountUnderTest } from '../support/daemon-account.js';
import { makeTorrent, seededBytes, type MadeTorrent } from '../support/make-torrent.js';
import { makeScratch } from '../support/peers/scratch.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';

const PIECE_LENGTH = 16_384;
const BYTES = 40_000;
const TIMEOUT_MS = 60_000;

t.setTimeout(300_000);

const single = (name: string, bytes: Uint8Array) => makeTorrent({ name, pieceLength: PIECE_LENGTH, files: bytes });

/** Answered only when it is known whether there is something to verify; then it is waited for. */
async function settled({ client }: { readonly client: Pick<ApiClient, 'waitFor'> }, id: string): Promise<TorrentView> {
  return client.waitFor(id, ({ verifying }) => !verifying, TIMEOUT_MS);
}

async function downloaded(daemon: DaemonUnderTest, who: AccountUnderTest, made: MadeTorrent): Promise<TorrentView> {
  const content = { bytes: made.payload, infoHash: made.infoHash, pieceLength: PIECE_LENGTH };
  const seed = await seedContent(content, daemon.peerPort, Infinity);
  const torrent = await who.client.waitFor(made.infoHash, ({ completed }) => completed, TIMEOUT_MS);
  seed.destroy();
  return torrent;
}

/** Files are deleted behind the answer. */
async function gone(path: string): Promise<void> {
  await waitUntil(`${path} to be gone`, TIMEOUT_MS, async () =>
    (await stat(path).catch(() => null)) === null ? true : undefined,
  );
}

async function piecesHad({ client }: AccountUnderTest, id: string): Promise<string> {
  const { json } = await client.api<{ readonly have: string }>('GET', `/api/torrents/${id}/pieces`);
  return Buffer.from(json.have, 'base64').toString('hex');
}

void t.test('a file of nobody is neither read, written nor deleted by whoever names it', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const secret = seededBytes(1, BYTES);
  await writeFile(at('secret.txt'), secret);
  await mkdir(at('private'));
  await writeFile(at('private', 'letter'), secret);

  const guess = single('secret.txt', secret);
  const folder = makeTorrent({
    name: 'private',
    pieceLength: PIECE_LENGTH,
    files: [{ path: ['letter'], bytes: secret }],
  });
  for (const made of [guess, folder]) {
    const id = await bob.client.addTorrentFile(made.torrentBytes);
    const seen = await settled(bob, id);
    t.match(seen, { bytes_done: 0, progress: 0, completed: false }, 'a right guess is not confirmed');
    t.match(await piecesHad(bob, id), /^0+$/);
    t.match(seen.name, new RegExp(`\\.${id.slice(0, 8)}$`), 'it lies beside');
    t.equal(seen.content_path, at(seen.name));
    await bob.client.api('POST', `/api/torrents/${id}/recheck`);
    t.match(await settled(bob, id), { bytes_done: 0 });
  }

  const other = seededBytes(2, BYTES);
  const forged = single('secret.txt', other);
  const id = await bob.client.addTorrentFile(forged.torrentBytes);
  const there = await downloaded(daemon, bob, forged);
  t.same(await readFile(at(there.name, 'secret.txt')), Buffer.from(other), 'in a folder of its own');
  t.same(await readFile(at('secret.txt')), Buffer.from(secret), 'not overwritten');
  for (const made of [guess.infoHash, folder.infoHash, id]) {
    t.equal((await bob.client.api('DELETE', `/api/torrents/${made}?delete=1`)).status, 200);
  }
  await gone(at(there.name));
  t.same(await readFile(at('secret.txt')), Buffer.from(secret));
  t.same(await readFile(at('private', 'letter')), Buffer.from(secret));
  t.same((await readdir(daemon.savePath)).sort(), ['private', 'secret.txt'], 'and nothing of its own is left');
});

void t.test("another account's torrent is neither overwritten nor deleted, however the name is written", async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const holiday = seededBytes(3, BYTES);
  await writeFile(at('holiday.mkv'), holiday);
  const owned = single('holiday.mkv', holiday);
  const id = await daemon.addTorrentFile(owned.torrentBytes);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);

  const names = ['holiday.mkv', 'HOLIDAY.MKV', `${'\u200b'.repeat(1_500)}holiday.mkv`, 'holiday.mkv\u0000'];
  for (const [n, name] of names.entries()) {
    const forged = single(name, seededBytes(10 + n, BYTES));
    const added = await bob.client.addTorrentFile(forged.torrentBytes);
    const there = await downloaded(daemon, bob, forged);
    t.not(there.name, 'holiday.mkv');
    t.equal((await bob.client.api('DELETE', `/api/torrents/${added}?delete=1`)).status, 200);
    await gone(at(there.name));
  }
  t.same(await readFile(at('holiday.mkv')), Buffer.from(holiday));
  await daemon.api('POST', `/api/torrents/${id}/recheck`);
  t.match(await settled({ client: daemon }, id), { completed: true, progress: 1 });
});

void t.test('adds of two accounts at once never come to lie in one place', async (t) => {
  const { daemon, bob } = await setBobsScene(t);
  const alice = await makeAccount(daemon, 'alice');
  const made = Array.from({ length: 24 }, (_, n) => single('same', seededBytes(100 + n, 100 + n)));
  await Promise.all(made.map(({ torrentBytes }, n) => [alice, bob][n % 2]!.client.addTorrentFile(torrentBytes)));
  const owners = new Map<string, Set<string>>();
  for (const { client, id } of [alice, bob]) {
    for (const { name } of await client.torrents()) owners.set(name, (owners.get(name) ?? new Set()).add(String(id)));
  }
  t.ok(
    [...owners.values()].every((accounts) => accounts.size === 1),
    JSON.stringify([...owners.keys()]),
  );
});

void t.test('torrents of one account share what they have, and only that', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const [film, extra] = [seededBytes(5, BYTES), seededBytes(6, BYTES)];
  const one = makeTorrent({ name: 'pack', pieceLength: PIECE_LENGTH, files: [{ path: ['film'], bytes: film }] });
  const two = makeTorrent({
    name: 'pack',
    pieceLength: PIECE_LENGTH,
    files: [
      { path: ['film'], bytes: film },
      { path: ['extra'], bytes: extra },
    ],
  });
  await bob.client.addTorrentFile(one.torrentBytes);
  await downloaded(daemon, bob, one);
  const id = await bob.client.addTorrentFile(two.torrentBytes);
  const cross = await bob.client.waitFor(id, ({ bytes_done }) => bytes_done > 0, TIMEOUT_MS);
  t.equal(cross.name, 'pack', 'laid over the other one');
  await bob.client.api('DELETE', `/api/torrents/${id}?delete=1`);
  t.same(await readFile(at('pack', 'film')), Buffer.from(film), 'what the other has stays');

  // Somebody else's file in the folder of the account's own torrent is none of either.
  await writeFile(at('pack', 'extra'), extra);
  const again = await bob.client.addTorrentFile(two.torrentBytes);
  t.match(await settled(bob, again), { bytes_done: 0, name: `pack.${again.slice(0, 8)}` });
});

void t.test('what was downloaded is known again after an end without order', async (t) => {
  const scratch = await makeScratch('claims');
  t.teardown(() => scratch.remove());
  const home = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') };
  const first = await startDaemon(home);
  const bob = await makeAccount(first, 'bob');
  const files = Array.from({ length: 9 }, (_, n) => ({
    path: [`${n}`],
    bytes: seededBytes(30 + n, n === 4 ? 0 : BYTES),
  }));
  const made = makeTorrent({ name: 'many', pieceLength: PIECE_LENGTH, files });
  await bob.client.addTorrentFile(made.torrentBytes);
  await downloaded(first, bob, made);
  await first.kill();

  const second = await startDaemon(home);
  t.teardown(() => second.stop());
  const again = await sameAccount(second, 'bob', bob.id);
  const seen = await again.client.waitFor(made.infoHash, ({ completed }) => completed, TIMEOUT_MS);
  t.match(seen, { name: 'many', progress: 1 });
  await again.client.api('POST', `/api/torrents/${made.infoHash}/recheck`);
  t.match(await settled(again, made.infoHash), { completed: true });

  // Replaced by another program: not its own any more, until an administrator says so.
  const path = join(home.savePath, 'many', '0');
  await writeFile(`${path}.new`, files[0]!.bytes);
  await rename(`${path}.new`, path);
  await again.client.api('POST', `/api/torrents/${made.infoHash}/recheck`);
  t.match(await settled(again, made.infoHash), { completed: false });
  await again.client.api('POST', `/api/torrents/${made.infoHash}/pause`);
  await second.api('POST', `/api/torrents/${made.infoHash}/recheck`);
  t.match(await settled(again, made.infoHash), { completed: true, progress: 1 }, 'taken over');
  await writeFile(`${path}.new`, files[0]!.bytes);
  await rename(`${path}.new`, path);
  t.equal((await again.client.api('DELETE', `/api/torrents/${made.infoHash}?delete=1`)).status, 200);
  await gone(join(home.savePath, 'many', '8'));
  t.same(await readdir(join(home.savePath, 'many')), ['0'], 'deleted by what it is, not by its name');
});

void t.test('in its home an account takes over what lies there, and nowhere else', async (t) => {
  const { daemon, at } = await setBobsScene(t);
  const home = at('homes', 'carol');
  await mkdir(home, { recursive: true });
  const bytes = seededBytes(8, BYTES);
  await writeFile(join(home, 'mine'), bytes);
  await writeFile(at('theirs'), bytes);
  const carol = await makeAccount(daemon, 'carol', { home });
  const made = single('mine', bytes);
  await carol.client.addTorrentFile(made.torrentBytes);
  const seen = await carol.client.waitFor(made.infoHash, ({ completed }) => completed, TIMEOUT_MS);
  t.match(seen, { save_path: home, name: 'mine', content_path: join(home, 'mine') });
  for (const path of [daemon.savePath, at('homes'), '/tmp', `${home}/../..`]) {
    const refused = await carol.client.api('POST', '/api/torrents/magnet', {
      magnet: `magnet:?xt=urn:btih:${'12'.repeat(20)}`,
      save_path: path,
    });
    t.equal(refused.status, 403, path);
  }
  const users = await daemon.api<readonly { readonly username: string; readonly home: string }[]>('GET', '/api/users');
  t.match(users.json, [{ home: '' }, { username: 'bob', home: '' }, { username: 'carol', home }]);
});

void t.test('who is left with a private torrent lies by its own rights, not by those of who is put out', async (t) => {
  const { daemon, bob, at } = await setBobsScene(t);
  const home = at('homes', 'carol');
  await mkdir(home, { recursive: true });
  const bytes = seededBytes(9, BYTES);
  await writeFile(join(home, 'letter'), bytes);
  const carol = await makeAccount(daemon, 'carol', { home });
  const made = makeTorrent({ name: 'letter', pieceLength: PIECE_LENGTH, files: bytes, private: true });
  await carol.client.addMagnet(`magnet:?xt=urn:btih:${made.infoHash}`);
  const id = await bob.client.addTorrentFile(made.torrentBytes);
  const seen = await settled(bob, id);
  t.match(seen, { bytes_done: 0, name: `letter.${id.slice(0, 8)}` }, 'beside what lies there');
  t.same(await carol.client.torrents(), [], 'who had only heard of it is put out');
});

void t.test("the data directory, what is around it and what is in it are nobody's save path", async (t) => {
  const scratch = await makeScratch('claims-data');
  t.teardown(() => scratch.remove());
  const dataDir = join(scratch.path, '.local', 'share', 'swarmd');
  for (const savePath of [scratch.path, dataDir, join(dataDir, 'files')]) {
    const ended = await runDaemon(['--data-dir', dataDir, '--save-path', savePath, '--port', '0', '--peer-port', '0']);
    t.match(ended, { code: 1, stdout: [], stderr: /save path .*contains or lies in the data directory/ });
  }
  const { daemon } = await setBobsScene(t);
  for (const path of [daemon.dataDir, join(daemon.dataDir, 'x'), join(daemon.dataDir, '..')]) {
    const refused = await daemon.api('POST', '/api/torrents/magnet', {
      magnet: `magnet:?xt=urn:btih:${'13'.repeat(20)}`,
      save_path: path,
    });
    t.match(refused, { status: 400, json: { error: /^save_path: contains or lies in the data directory/ } });
  }
  t.equal((await stat(join(daemon.dataDir, 'accounts.json'))).mode & 0o777, 0o600);
});

void t.test('archives of the state are read and made by no torrent, whoever has a home around them', async (t) => {
  const scratch = await makeScratch('claims-backups');
  t.teardown(() => scratch.remove());
  const savePath = join(scratch.path, 'files');
  const backups = join(savePath, 'backups');
  const flags = ['--data-dir', join(scratch.path, 'data'), '--port', '0', '--peer-port', '0', '--backup-dir', savePath];
  t.match(await runDaemon([...flags, '--save-path', savePath]), {
    ...{ code: 1, stdout: [], stderr: /save path .*lies in the folder of the backups/ },
  });
  const daemon = await startDaemon({ savePath, args: ['--backup-dir', backups] });
  t.teardown(() => daemon.stop());
  const { json } = await daemon.api<{ readonly name: string }>('POST', '/api/backups');
  await waitUntil('the archive to be there', TIMEOUT_MS, async () =>
    stat(join(backups, json.name)).catch(() => undefined),
  );
  const carol = await makeAccount(daemon, 'carol', { home: savePath });
  for (const path of [backups, join(backups, json.name)]) {
    const asked = await carol.client.api('POST', '/api/create', { path, seed: true });
    t.match(asked, { status: 400, json: { error: /lies in the folder of the backups/ } }, path);
  }
  const forged = single('swarmd-2099-01-01T00-00-00Z.tar.gz', seededBytes(20, BYTES));
  const saved = await carol.client.api('POST', '/api/torrents/magnet', {
    magnet: `magnet:?xt=urn:btih:${forged.infoHash}`,
    save_path: backups,
  });
  t.match(saved, { status: 400, json: { error: /^save_path: lies in the folder of the backups/ } });
  const around = makeTorrent({
    ...{ name: 'backups', pieceLength: PIECE_LENGTH },
    files: [{ path: ['swarmd-2099-01-01T00-00-00Z.tar.gz'], bytes: seededBytes(21, BYTES) }],
  });
  const id = await carol.client.addTorrentFile(around.torrentBytes);
  const content = { bytes: around.payload, infoHash: around.infoHash, pieceLength: PIECE_LENGTH };
  const seed = await seedContent(content, daemon.peerPort, Infinity);
  await carol.client.waitFor(id, ({ error }) => error !== null, TIMEOUT_MS);
  seed.destroy();
  t.same(await readdir(backups), [json.name], 'there is no other archive');
});
