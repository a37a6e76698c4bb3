// How torrents are laid out when they are added: first that no file of others is hit where there is no folder, then each
// layout by each way to add, with libtorrent as the seed.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeAccount } from '../support/daemon-account.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { TIMEOUT_MS } from '../support/moves.js';
import { libtorrent } from '../support/peers/libtorrent.js';
import { MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const PIECE_LENGTH = MIB / 4;

t.setTimeout(240_000);

const filesBelow = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files.map((path) => path.slice(folder.length + 1)).sort();
};

function addFile(daemon: Pick<DaemonUnderTest, 'api'>, bytes: Uint8Array, fields: Readonly<Record<string, string>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([bytes]), 'test.torrent');
  return daemon.api<{ readonly id: string; readonly error?: string }>('POST', '/api/torrents/file', form);
}

void t.test('without a folder nothing of others is read, written or hidden', async (t) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const bob = await makeAccount(daemon, 'bob');
  const alice = await makeAccount(daemon, 'alice');
  const secret = seededBytes(1, 40_000);
  await writeFile(join(daemon.savePath, 'notes.txt'), secret);
  const made = makeTorrent({
    name: 'show',
    pieceLength: 16_384,
    files: [
      { path: ['notes.txt'], bytes: secret },
      { path: ['film'], bytes: seededBytes(2, 1_000) },
    ],
  });
  const { json } = await addFile(bob.client, made.torrentBytes, { content_layout: 'no_subfolder' });
  const seen = await bob.client.waitFor(json.id, ({ verifying }) => !verifying, TIMEOUT_MS);
  t.match(
    seen,
    { bytes_done: 0, completed: false, content_path: join(daemon.savePath, 'show') },
    'it keeps its folder',
  );
  // What one torrent has at the top is no place for another account's.
  const free = makeTorrent({ name: 'box', pieceLength: 16_384, files: [{ path: ['song'], bytes: secret }] });
  const bobs = (await addFile(bob.client, free.torrentBytes, { content_layout: 'no_subfolder' })).json.id;
  t.match(await bob.client.torrent(bobs), { name: 'box', content_path: join(daemon.savePath, 'song') });
  const other = makeTorrent({ name: 'song', pieceLength: 16_384, files: secret.slice(1) });
  const theirs = await alice.client.addTorrentFile(other.torrentBytes);
  t.match(await alice.client.torrent(theirs), { name: new RegExp(`^song\\.${theirs.slice(0, 8)}$`) });
  t.same(await readFile(join(daemon.savePath, 'notes.txt')), Buffer.from(secret));

  // Nor one of another torrent of the same account, which it would share its file with; nor by an administrator's rights.
  const second = makeTorrent({
    name: 'second',
    pieceLength: 16_384,
    files: [{ path: ['song'], bytes: secret.slice(2) }],
  });
  const seconds = (await addFile(bob.client, second.torrentBytes, { content_layout: 'no_subfolder' })).json.id;
  t.match(await bob.client.torrent(seconds), { content_path: join(daemon.savePath, 'second') });
  const third = makeTorrent({
    name: 'third',
    pieceLength: 16_384,
    files: [{ path: ['notes.txt'], bytes: secret.slice(3) }],
  });
  const thirds = (await addFile(daemon, third.torrentBytes, { content_layout: 'no_subfolder' })).json.id;
  t.match(await daemon.torrent(thirds), { content_path: join(daemon.savePath, 'third') });
  t.same(await readFile(join(daemon.savePath, 'notes.txt')), Buffer.from(secret));

  for (const layout of ['flat', 'Original']) {
    t.match(await addFile(bob.client, free.torrentBytes, { content_layout: layout }), {
      status: 400,
      json: { error: /^content_layout: expected original or subfolder/ },
    });
  }
  const magnet = `magnet:?xt=urn:btih:${'ab'.repeat(20)}`;
  t.match(await bob.client.api('POST', '/api/torrents/magnet', { magnet, content_layout: 'flat' }), { status: 400 });
  t.match(await bob.client.api('PUT', '/api/settings/adding', { content_layout: 'subfolder' }), { status: 403 });
});

void t.test('each layout, by file and by magnet, from libtorrent', { skip: !libtorrent.isAvailable() }, async (t) => {
  const scratch = await makeScratch('content-layout', 64 * MIB);
  t.teardown(() => scratch.remove());
  const source = join(scratch.path, 'source');
  const folder = await writePayload(source, 4 * MIB, PIECE_LENGTH, 1);
  const magnet = await writePayload(source, 4 * MIB, PIECE_LENGTH, 2);
  const files = (top: string) =>
    ['film.bin', 'extras/notes.bin', 'extras/sound.bin'].map((path) => join(top, path)).sort();

  const daemon = await startDaemon({ bytes: 32 * MIB });
  t.teardown(() => daemon.stop());
  const seedOf = async (payload: Payload) => {
    const seed = await libtorrent.start();
    t.teardown(() => seed.close());
    await seed.seed(payload.torrent(), payload.directory);
    return seed.address;
  };
  const arrive = async (payload: Payload): Promise<void> => {
    await daemon.addPeers(payload.infoHash, await seedOf(payload));
    await daemon.waitFor(payload.infoHash, ({ completed }) => completed, TIMEOUT_MS);
  };
  const none = join(daemon.savePath, 'none');
  await addFile(daemon, folder.torrent(), { save_path: none, content_layout: 'no_subfolder' });
  await arrive(folder);
  t.same(await filesBelow(none), files(''));
  t.match(await daemon.torrent(folder.infoHash), { name: folder.name, content_path: none });
  const { bytes } = await daemon.download(`/api/torrents/${folder.infoHash}/file`);
  t.ok(bytes.includes(Buffer.from(folder.infoBytes)));
  t.equal((await daemon.api('DELETE', `/api/torrents/${folder.infoHash}?delete=1`)).status, 200);

  // The setting holds where nothing is said, and until the metadata of a magnet comes.
  t.match(await daemon.api('PUT', '/api/settings/adding', { content_layout: 'no_subfolder' }), { status: 200 });
  const bare = join(daemon.savePath, 'magnet');
  await daemon.addMagnet(magnet.magnet(), bare);
  await arrive(magnet);
  t.same(await filesBelow(bare), files(''));
  t.match(await daemon.torrent(magnet.infoHash), { content_path: bare });

  const kept = join(daemon.savePath, 'kept');
  await addFile(daemon, folder.torrent(), { save_path: kept, content_layout: 'original' });
  await arrive(folder);
  t.same(await filesBelow(kept), files(folder.name));
});

void t.test('a folder for one file, by URL and from the watch folder', async (t) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const film = (seed: number) =>
    makeTorrent({ name: `film ${seed}.mkv`, pieceLength: 16_384, files: seededBytes(seed, 40_000) });
  const there = async (seed: number): Promise<void> => {
    await mkdir(join(daemon.savePath, `film ${seed}`));
    await writeFile(join(daemon.savePath, `film ${seed}`, `film ${seed}.mkv`), seededBytes(seed, 40_000));
  };
  for (const seed of [1, 2, 3]) await there(seed);
  const isFound = async (seed: number): Promise<void> => {
    const { infoHash } = film(seed);
    await daemon.waitFor(infoHash, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
    t.match(await daemon.torrent(infoHash), {
      name: `film ${seed}.mkv`,
      content_path: join(daemon.savePath, `film ${seed}`),
    });
  };
  await addFile(daemon, film(1).torrentBytes, { content_layout: 'subfolder' });
  await isFound(1);
  t.match(await daemon.api('PUT', '/api/settings/adding', { content_layout: 'subfolder' }), { status: 200 });
  t.match(await daemon.api('GET', '/api/settings/adding'), { json: { content_layout: 'subfolder' } });
  const watched = join(daemon.savePath, 'watched');
  await mkdir(watched);
  await writeFile(join(watched, 'film.torrent'), film(2).torrentBytes);
  const folder = { path: watched, delete_after_add: false, enabled: true };
  t.match(await daemon.api('PUT', '/api/settings/watch_folder', folder), { status: 200 });
  await waitUntil('the watched file', TIMEOUT_MS, async () =>
    (await daemon.torrents()).some(({ id }) => id === film(2).infoHash) ? true : undefined,
  );
  await isFound(2);
  // A magnet keeps the wish until its metadata is there, here by its file.
  const url = `magnet:?xt=urn:btih:${film(3).infoHash}`;
  t.match(await daemon.api('POST', '/api/torrents/url', { url, content_layout: null }), { status: 200 });
  t.match(await daemon.api('PUT', '/api/settings/adding', { content_layout: 'original' }), { status: 200 });
  t.match(await daemon.torrent(film(3).infoHash), { content_path: '' });
});
