// Engines that share a root: torrents of one that is lost, or is to be left, go on at another, with all that was said of them; the
// one that comes back finds what is left to it.
import t from 'tap';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeAccount } from '../../support/daemon-account.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { seedContent } from '../../support/peers/scripted-seed.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { startSharedRootScene } from '../../support/shared-root-scene.js';

const TIMEOUT_MS = 60_000;
const PIECE_LENGTH = 16_384;

/** Whole pieces, of a block each. */
const PIECES = 18;

const made = (seed: number) =>
  makeTorrent({
    name: `film-${seed}`,
    pieceLength: PIECE_LENGTH,
    files: [{ path: ['film'], bytes: seededBytes(seed, PIECES * PIECE_LENGTH) }],
  });

void t.test('an engine is lost, and found again', async (t) => {
  const { front, shared, ownRoot, engine, start, states, has, list } = await startSharedRootScene(t);
  const [whole, empty, own] = [made(1), made(2), made(3)];
  await front.addTorrentFile(whole.torrentBytes);
  const port = (await states())[0]!.peer_port!;
  const content = { bytes: whole.payload, infoHash: whole.infoHash, pieceLength: PIECE_LENGTH };
  const seed = await seedContent(content, port, Infinity);
  await front.waitFor(whole.infoHash, ({ completed }) => completed, TIMEOUT_MS);
  seed.destroy();
  await front.addTorrentFile(empty.torrentBytes);
  await front.addTorrentFile(own.torrentBytes, ownRoot('a'));
  const { json: category } = await front.api<{ readonly id: number }>('POST', '/api/categories', {
    name: 'films',
    default_save_path: '',
    color: '#112233',
  });
  const inCategory = { infohash: empty.infoHash, category_id: category.id };
  t.equal((await front.api('POST', '/api/torrents/category', inCategory)).status, 200);
  await front.api('POST', `/api/torrents/${empty.infoHash}/pause`);
  await has('a', 3);
  const bob = await makeAccount(front, 'bob', { engine: 'a', home: join(shared, 'bob') });

  await engine('a').child.stop('SIGKILL');
  await has('b', 2);
  t.same(
    (await list()).map(({ id }) => id).toSorted(),
    [whole, empty, own].map(({ infoHash }) => infoHash).toSorted(),
    'each is shown once, the one on its own root as of an engine that is away',
  );
  await front.waitFor(whole.infoHash, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  const file = await front.download(`/api/torrents/${whole.infoHash}/files/0`);
  t.ok(file.bytes.equals(Buffer.from(whole.payload)), 'read where it is now');
  t.match(await front.torrent(empty.infoHash), { category_id: category.id, paused: true });
  t.equal((await front.api('POST', `/api/torrents/${empty.infoHash}/resume`)).status, 200);
  // Another one of the account whose engine is lost.
  const late = made(4);
  await front.addTorrentFile(late.torrentBytes);
  await has('b', 3);
  const bobs = made(5);
  await mkdir(join(shared, 'bob', 'film-5'), { recursive: true });
  await writeFile(join(shared, 'bob', 'film-5', 'film'), bobs.payload);
  await bob.client.addTorrentFile(bobs.torrentBytes);
  await bob.client.waitFor(bobs.infoHash, ({ completed }) => completed, TIMEOUT_MS);
  t.same(await readdir(join(shared, 'bob')), ['film-5'], 'what lies in its home is its own there, too');

  await start('a');
  await has('a', 1);
  await has('b', 4);
  t.equal((await list()).length, 5);
  const entries = async (kind: string) => {
    const folders = await readdir(join(shared, '.swarmd', 'engines'));
    return (await Promise.all(folders.map((each) => readdir(join(shared, '.swarmd', 'engines', each, kind))))).flat();
  };
  t.equal((await entries('torrents')).length, 4);
  t.same(await entries('gone'), [], 'what it had before was noticed');
  t.ok((await readFile(join(shared, 'film-1', 'film'))).equals(Buffer.from(whole.payload)));
  t.equal((await front.api('DELETE', `/api/torrents/${whole.infoHash}?delete=1`)).status, 200);
  await has('b', 3);
  const isGone = async () => !(await readdir(shared)).includes('film-1') || undefined;
  await waitUntil('its files are deleted, which were its own there', TIMEOUT_MS, isGone);
});

void t.test('an engine is left', async (t) => {
  const { front, ownRoot, states, has, list } = await startSharedRootScene(t);
  const shares = [1, 2, 3].map(made);
  for (const { torrentBytes } of shares) await front.addTorrentFile(torrentBytes);
  const own = made(4);
  await front.addTorrentFile(own.torrentBytes, ownRoot('a'));
  t.equal((await front.api('PUT', '/api/engines/nobody', { draining: true })).status, 404);
  t.match((await front.api('PUT', '/api/engines/a', { draining: true })).json, [
    { draining: true },
    { draining: false },
  ]);
  await has('b', 3);
  await has('a', 1);
  t.equal((await list()).length, 4);
  await front.addTorrentFile(made(5).torrentBytes);
  await has('b', 4);
  t.equal((await front.api('PUT', '/api/engines/a', { draining: false })).status, 200);
  await front.addTorrentFile(made(6).torrentBytes);
  await has('a', 2);
  t.match(await states(), [{ draining: false }, { torrents: 4 }]);
});

void t.test('a torrent in the middle of its download goes on with what it has', async (t) => {
  const { front, states, has } = await startSharedRootScene(t);
  const { torrentBytes, payload, infoHash } = made(1);
  await front.addTorrentFile(torrentBytes);
  await has('a', 1);
  const content = { bytes: payload, infoHash, pieceLength: PIECE_LENGTH };
  const portOf = async (place: number) => (await states())[place]!.peer_port!;
  const half = await seedContent(content, await portOf(0), 10);
  await front.waitFor(infoHash, ({ bytes_done }) => bytes_done === 10 * PIECE_LENGTH, TIMEOUT_MS);
  await front.api('PUT', '/api/engines/a', { draining: true });
  await has('b', 1);
  half.destroy();
  // It is shown as of the other engine a moment before that has it.
  const answers = async () => (await front.api('POST', `/api/torrents/${infoHash}/resume`)).status === 200 || undefined;
  await waitUntil('it answers there', TIMEOUT_MS, answers);
  await front.waitFor(infoHash, ({ active_since }) => active_since > 0, TIMEOUT_MS);
  t.equal((await front.torrent(infoHash)).bytes_done, 10 * PIECE_LENGTH);
  const rest = await seedContent(content, await portOf(1), PIECES - 10);
  await front.waitFor(infoHash, ({ completed }) => completed, TIMEOUT_MS);
  rest.destroy();
  const file = await front.download(`/api/torrents/${infoHash}/files/0`);
  t.ok(file.bytes.equals(Buffer.from(payload)), 'no block was asked for twice');
});

void t.test(
  'an engine that stood still stops before another has its torrents, and then does without them',
  async (t) => {
    const { front, engine, has } = await startSharedRootScene(t);
    await front.addTorrentFile(made(1).torrentBytes);
    await has('a', 1);
    const { child } = engine('a');
    child.signal('SIGSTOP');
    await has('b', 1);
    child.signal('SIGCONT');
    await has('a', 0);
    await has('b', 1);
  },
);

void t.test('what engines know of each other is nobody’s to see or to change', async (t) => {
  const { front, shared, states, has } = await startSharedRootScene(t);
  await front.addTorrentFile(made(1).torrentBytes);
  await has('a', 1);
  const hidden = join(shared, '.swarmd');
  const { json } = await front.api<{ readonly id: number }>('POST', '/api/create', { path: hidden });
  t.notOk(json.id, 'no torrent is made of it');
  for (const prefix of [`${shared}/.`, `${hidden}/`]) {
    const { json } = await front.api<{ readonly paths: readonly unknown[] }>(
      'GET',
      `/api/paths?prefix=${encodeURIComponent(prefix)}`,
    );
    t.same(json.paths, [], prefix);
  }
  const forged = makeTorrent({
    name: '.swarmd',
    pieceLength: PIECE_LENGTH,
    files: [{ path: ['engines', 'x'], bytes: seededBytes(9, 20_000) }],
  });
  const id = await front.addTorrentFile(forged.torrentBytes);
  const content = { bytes: forged.payload, infoHash: forged.infoHash, pieceLength: PIECE_LENGTH };
  const seed = await seedContent(content, (await states())[0]!.peer_port!, Infinity);
  const stopped = await front.waitFor(id, ({ error }) => error !== null, TIMEOUT_MS);
  seed.destroy();
  t.match(stopped.error, { message: /inside/ });
  t.notOk((await readdir(join(hidden, 'engines'))).includes('x'));
  const { json: added } = await front.api('POST', '/api/torrents/magnet', {
    magnet: `magnet:?xt=urn:btih:${'7'.repeat(40)}`,
    save_path: hidden,
  });
  t.match(added, { error: /what engines know of each other/ });
});
