// Torrents that lie elsewhere until they are complete, over a real daemon and real files: whose place that may be, where
// they are at each moment, kills included, and what becomes of one that cannot be brought home.
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { AddingDefaultsDto } from '../../shared-protocol/dto/settings.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { makeAccount } from '../support/daemon-account.js';
import { makeTorrent, seededBytes, type MadeTorrent } from '../support/make-torrent.js';
import { askMove, moveEnded, moveOf, TIMEOUT_MS } from '../support/moves.js';
import { startMagnetPeer } from '../support/peers/magnet-peer.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const PIECE_LENGTH = 16_384;
const BYTES = 60_000;

t.setTimeout(300_000);

interface Film extends MadeTorrent {
  readonly name: string;
}

function film(seed: number): Film {
  const name = `film-${seed}`;
  const files = [
    { path: ['film'], bytes: seededBytes(seed, BYTES) },
    { path: ['sound'], bytes: seededBytes(seed + 1, BYTES) },
  ];
  return { name, ...makeTorrent({ name, pieceLength: PIECE_LENGTH, files }) };
}

const contentOf = ({ payload, infoHash }: MadeTorrent) => ({ bytes: payload, infoHash, pieceLength: PIECE_LENGTH });
const namesIn = (folder: string) => readdir(folder).catch(() => []);

async function start(t: Test) {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const incomplete = join(daemon.savePath, '..', 'incomplete');
  await mkdir(incomplete);
  const set = (body: object) => daemon.api('PUT', '/api/settings/adding', body);
  t.equal((await set({ incomplete_path: incomplete, preallocation: 'full' })).status, 200);
  return { daemon, incomplete, set };
}

async function complete(daemon: DaemonUnderTest, made: Film): Promise<void> {
  const seed = await seedContent(contentOf(made), daemon.peerPort, Infinity);
  await daemon.waitFor(made.infoHash, ({ completed }) => completed, TIMEOUT_MS);
  seed.destroy();
}

async function isWhole(t: Test, folder: string, made: Film): Promise<void> {
  const [film, sound] = await Promise.all(['film', 'sound'].map((name) => readFile(join(folder, made.name, name))));
  t.same(Buffer.concat([film!, sound!]), Buffer.from(made.payload), `whole at ${folder}`);
}

const home = (daemon: DaemonUnderTest, id: string) =>
  daemon.waitFor(id, ({ save_path }) => save_path === daemon.savePath, TIMEOUT_MS);

void t.test('it lies there until it is complete, and then where it was to go', async (t) => {
  const { daemon, incomplete } = await start(t);
  const made = film(1);
  const id = await daemon.addTorrentFile(made.torrentBytes);
  t.match(await daemon.torrent(id), { save_path: incomplete });
  const some = await seedContent(contentOf(made), daemon.peerPort, 1);
  await daemon.waitFor(id, ({ bytes_done: done }) => done > 0, TIMEOUT_MS);
  some.destroy();
  t.same(await namesIn(daemon.savePath), []);
  const [begun = ''] = await readdir(join(incomplete, made.name));
  t.equal((await stat(join(incomplete, made.name, begun))).size, BYTES, 'its files have their room at once');
  await complete(daemon, made);
  await home(daemon, id);
  await moveEnded(daemon, id);
  await isWhole(t, daemon.savePath, made);
  t.same(await namesIn(incomplete), [], 'and nothing is left');
  t.match(await moveOf(daemon, id), { state: 'none', error: null });
});

void t.test('a request says otherwise; what lies at home already is used there, of a magnet too', async (t) => {
  const { daemon, incomplete } = await start(t);
  const [at, there, found, magnet] = [film(11), film(13), film(15), film(17)];
  const form = (made: Film, incompletePath: string) => {
    const body = new FormData();
    body.set('incomplete_path', incompletePath);
    body.set('file', new Blob([made.torrentBytes]), 'test.torrent');
    return daemon.api<{ id: string }>('POST', '/api/torrents/file', body);
  };
  await form(at, '');
  t.match(await daemon.torrent(at.infoHash), { save_path: daemon.savePath });
  await form(there, join(incomplete, 'mine'));
  t.match(await daemon.torrent(there.infoHash), { save_path: join(incomplete, 'mine') });
  for (const made of [found, magnet]) {
    await mkdir(join(daemon.savePath, made.name));
    await writeFile(join(daemon.savePath, made.name, 'film'), made.payload.subarray(0, BYTES));
  }
  await daemon.addTorrentFile(found.torrentBytes);
  t.match(await daemon.torrent(found.infoHash), { save_path: daemon.savePath });
  await daemon.addMagnet(`magnet:?xt=urn:btih:${magnet.infoHash}`);
  t.match(await daemon.torrent(magnet.infoHash), { save_path: incomplete });
  const peer = await startMagnetPeer(magnet.infoHash, { infoBytes: magnet.infoBytes });
  t.teardown(() => peer.close());
  await daemon.addPeers(magnet.infoHash, peer.address);
  await peer.giveInfo();
  await daemon.waitFor(
    magnet.infoHash,
    ({ save_path, verifying, bytes_done: done }) => {
      return save_path === daemon.savePath && !verifying && done > 0;
    },
    TIMEOUT_MS,
  );
  await daemon.waitFor(found.infoHash, ({ verifying, bytes_done: done }) => !verifying && done > 0, TIMEOUT_MS);
  for (const made of [found, magnet]) {
    await complete(daemon, made);
    await isWhole(t, daemon.savePath, made);
  }
  t.same(await namesIn(incomplete), []);
});

void t.test('it is brought home after a kill at whichever moment', async (t) => {
  const [dataDir, savePath, incomplete] = [
    await temporaryDirectory(),
    await temporaryDirectory(),
    await temporaryDirectory(),
  ];
  const made = film(21);
  let daemon = await startDaemon({ dataDir, savePath });
  await daemon.api('PUT', '/api/settings/adding', { incomplete_path: incomplete });
  await daemon.addTorrentFile(made.torrentBytes);
  await complete(daemon, made);
  await daemon.kill();
  daemon = await startDaemon({ dataDir, savePath });
  t.teardown(() => daemon.stop());
  await home(daemon, made.infoHash);
  await moveEnded(daemon, made.infoHash);
  await daemon.waitFor(made.infoHash, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  await isWhole(t, savePath, made);
  t.same(await namesIn(incomplete), []);
});

void t.test('where the place is taken it stays, and says so; a person decides', async (t) => {
  const { daemon, incomplete } = await start(t);
  const made = film(31);
  const id = await daemon.addTorrentFile(made.torrentBytes);
  await mkdir(join(daemon.savePath, made.name));
  await writeFile(join(daemon.savePath, made.name, 'film'), 'another one');
  await complete(daemon, made);
  const failed = await waitUntil('it is said', TIMEOUT_MS, async () => {
    const move = await moveOf(daemon, id);
    return move.state === 'failed' ? move : undefined;
  });
  t.match(failed, { path: daemon.savePath, code: 'MOVE_TARGET_TAKEN' });
  await isWhole(t, incomplete, made);
  t.equal(await readFile(join(daemon.savePath, made.name, 'film'), 'utf8'), 'another one');
  t.match(await daemon.torrent(id), { save_path: incomplete, completed: true });
  t.equal((await askMove(daemon, id, { path: join(daemon.savePath, 'elsewhere') })).status, 200);
  await moveEnded(daemon, id);
  await isWhole(t, join(daemon.savePath, 'elsewhere'), made);
});

void t.test('an account’s torrents stay in the home it was given, and it may name no place of others', async (t) => {
  const { daemon, incomplete } = await start(t);
  const homeOfBob = join(daemon.savePath, 'bob');
  const bob = await makeAccount(daemon, 'bob', { home: homeOfBob });
  const cat = await makeAccount(daemon, 'cat');
  const made = film(41);
  await bob.client.addTorrentFile(made.torrentBytes);
  t.match(await bob.client.torrent(made.infoHash), { save_path: homeOfBob }, 'the setting leads out of his home');
  const add = (client: typeof bob.client, digit: string, incomplete_path: string) =>
    client.api('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${digit.repeat(40)}`, incomplete_path });
  t.match(await add(bob.client, 'a', incomplete), { status: 403 });
  t.match(await add(bob.client, 'a', 'unfinished'), { status: 200 });
  t.match(await bob.client.torrent('a'.repeat(40)), { save_path: join(homeOfBob, 'unfinished') });
  t.match(await add(cat.client, 'b', '/etc'), { status: 403 });
  t.match(await add(cat.client, 'b', daemon.dataDir), { status: 403 });
  t.match((await cat.client.api('PUT', '/api/settings/adding', { incomplete_path: '/tmp' })).status, 403);
  const mine = film(43);
  await cat.client.addTorrentFile(mine.torrentBytes);
  t.match(await cat.client.torrent(mine.infoHash), { save_path: incomplete }, 'it was chosen for all');
  const defaults = (await cat.client.api<AddingDefaultsDto>('GET', '/api/settings/adding')).json;
  t.same(defaults, {
    content_layout: 'original',
    incomplete_path: incomplete,
    incomplete_suffix: null,
    preallocation: 'full',
    portable_names: false,
    excluded_file_names: [],
    paused: false,
    pinned: [],
  });
});
