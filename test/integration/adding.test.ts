// Adding with all that is wanted from the beginning, through a whole daemon over real sockets and files: what lies there is
// trusted where it may be, and still nothing is served that was not verified; a torrent stops where it was to, also when the
// daemon is killed; and the edges of files come first.
import { mkdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { makeAccount } from '../support/daemon-account.js';
import { startDaemon, type ApiClient, type DaemonUnderTest } from '../support/daemon.js';
import { makeTorrent, seededBytes, type MadeTorrent } from '../support/make-torrent.js';
import { libtorrent, testWith } from '../support/peers/index.js';
import { KIB, writeFiles, type Payload } from '../support/peers/payload.js';
import { seedContent } from '../support/peers/scripted-seed.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;
const PIECE_LENGTH = 64 * KIB;
const FILES = [
  ['one.bin', 700_001],
  ['two.bin', 500_001],
] as const;
const BYTES = 40_000;

t.setTimeout(300_000);

async function prepare(t: Test, seed: number) {
  const scratch = await makeScratch('adding', 5_000_000);
  t.teardown(() => scratch.remove());
  const name = `payload-${seed}`;
  const payload = await writeFiles({ directory: scratch.path, name, seed, pieceLength: PIECE_LENGTH, files: FILES });
  const state = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') };
  await mkdir(state.savePath);
  const start = async (args: readonly string[] = []): Promise<DaemonUnderTest> => {
    const daemon = await startDaemon({ ...state, args, bytes: 2_500_000 });
    t.teardown(() => daemon.stop());
    return daemon;
  };
  const contentOf = (file: string) => readFile(join(payload.directory, name, file));
  const put = async (file: string, bytes: Uint8Array): Promise<string> => {
    const path = join(state.savePath, name, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes);
    return path;
  };
  const putAll = async () => {
    for (const [file] of FILES) await put(file, await contentOf(file));
  };
  return { payload, state, start, put, putAll, contentOf };
}

/** The id; fails unless it is added. */
async function addFile(client: Pick<ApiClient, 'api'>, bytes: Uint8Array, fields: Record<string, string>) {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), 'a.torrent');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const { status, json } = await client.api<{ id?: string; error?: string }>('POST', '/api/torrents/file', form);
  if (status !== 200 || !json.id) throw new Error(`add: ${status} ${json.error}`);
  return json.id;
}

const addPayload = async (daemon: DaemonUnderTest, payload: Payload, fields: Record<string, string>) =>
  addFile(daemon, await payload.torrent(), fields);

const read = async (daemon: DaemonUnderTest, id: string, index: number) => {
  const { status, bytes } = await daemon.download(`/api/torrents/${id}/files/${index}`);
  return { status, bytes };
};

void t.test('files of others are not trusted for who may not take them over, however well they fit', async (t) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const bob = await makeAccount(daemon, 'bob');
  const secret = seededBytes(1, BYTES);
  await writeFile(join(daemon.savePath, 'secret.txt'), secret);
  const guess = makeTorrent({ name: 'secret.txt', pieceLength: 16_384, files: secret });
  const id = await addFile(bob.client, guess.torrentBytes, { skip_check: 'true', paused: 'true' });
  t.match(await bob.client.waitFor(id, ({ verifying }) => !verifying, TIMEOUT_MS), { bytes_done: 0, completed: false });
  t.same(await readFile(join(daemon.savePath, 'secret.txt')), Buffer.from(secret));

  const owned = makeTorrent({ name: 'owned.bin', pieceLength: 16_384, files: seededBytes(2, BYTES) });
  await writeFile(join(daemon.savePath, 'owned.bin'), owned.payload);
  const ours = await daemon.addTorrentFile(owned.torrentBytes);
  await daemon.waitFor(ours, ({ completed }) => completed, TIMEOUT_MS);
  const forged = makeTorrent({ name: 'owned.bin', pieceLength: 16_384, files: seededBytes(3, BYTES) });
  const theirs = await addFile(bob.client, forged.torrentBytes, { skip_check: 'true', paused: 'true' });
  t.match(await bob.client.waitFor(theirs, ({ verifying }) => !verifying, TIMEOUT_MS), { bytes_done: 0 });
});

void t.test('a file of the future is checked', async (t) => {
  const { payload, start, put, putAll } = await prepare(t, 1);
  await putAll();
  const path = await put('two.bin', seededBytes(9, FILES[1][1]));
  await utimes(path, new Date(), new Date(Date.now() + 3_600_000));
  const daemon = await start();
  const id = await addPayload(daemon, payload, { skip_check: '1', paused: '1' });
  const seen = await daemon.waitFor(id, ({ verifying, bytes_done }) => !verifying && bytes_done > 0, TIMEOUT_MS);
  t.notOk(seen.completed, 'hashed, and found to be another');
});

void t.test('a link is no file, whatever it leads to', async (t) => {
  const { payload, state, start, put, contentOf } = await prepare(t, 5);
  await put('one.bin', await contentOf('one.bin'));
  const outside = join(state.savePath, 'outside.bin');
  await writeFile(outside, await contentOf('two.bin'));
  await symlink(outside, join(state.savePath, payload.name, 'two.bin'));
  const daemon = await start();
  const id = await addPayload(daemon, payload, { skip_check: '1', paused: '1' });
  const seen = await daemon.waitFor(id, ({ verifying, bytes_done }) => !verifying && bytes_done > 0, TIMEOUT_MS);
  t.notOk(seen.completed);
});

void t.test('nobody is given a byte of a trusted file that is another', async (t) => {
  const { payload, start, put, putAll } = await prepare(t, 2);
  await putAll();
  await put('two.bin', seededBytes(9, FILES[1][1]));
  const daemon = await start();
  const id = await addPayload(daemon, payload, { skip_check: 'true' });
  t.match(await daemon.torrent(id), { completed: true, verifying: false });
  const got = await daemon.download(`/api/torrents/${id}/files/1`).catch(() => null);
  t.notOk(got && got.status === 200 && got.bytes.length > 0, 'not even the beginning');
  const checked = await daemon.waitFor(id, ({ completed, verifying }) => !completed && !verifying, TIMEOUT_MS);
  t.ok(checked.bytes_done > 0, 'all of it was checked then');
});

void testWith(
  t,
  libtorrent,
  'trusted data are seeded at once, over an end at any moment and without a check, each piece hashed first',
  async (t) => {
    const { payload, start, putAll, contentOf } = await prepare(t, 3);
    await putAll();
    let daemon = await start();
    const id = await addPayload(daemon, payload, { skip_check: 'true' });
    t.match(await daemon.torrent(id), { completed: true, verifying: false, progress: 1 });
    await daemon.kill();
    daemon = await start();
    t.match(await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS), { verifying: false });
    t.same((await read(daemon, id, 0)).bytes, await contentOf('one.bin'));
    const leech = await libtorrent.start();
    t.teardown(() => leech.close());
    const scratch = await makeScratch('adding-leech', 3_000_000);
    t.teardown(() => scratch.remove());
    await leech.leech(await payload.torrent(), scratch.path);
    await leech.addPeer!(daemon.peerPort);
    await waitUntil('all of it', TIMEOUT_MS, async () => ((await leech.progress()).isSeeding ? true : undefined));
    for (const [file] of FILES) {
      t.same(await readFile(join(scratch.path, payload.name, file)), await contentOf(file));
    }
  },
);

void testWith(
  t,
  libtorrent,
  'a magnet stops with its metadata, and its files are chosen before it downloads anything',
  async (t) => {
    const { payload, start, contentOf } = await prepare(t, 4);
    const seed = await libtorrent.start();
    t.teardown(() => seed.close());
    await seed.seed(payload.torrent(), payload.directory);
    let daemon = await start();
    const magnet = { magnet: payload.magnet(), stop_after: 'metadata', file_priorities: { 1: 'skip', 99: 'max' } };
    const { json } = await daemon.api<{ id: string }>('POST', '/api/torrents/magnet', magnet);
    await daemon.kill();
    daemon = await start();
    await daemon.addPeers(json.id, seed.address);
    const stopped = await daemon.waitFor(json.id, ({ paused, total_bytes }) => paused && total_bytes > 0, TIMEOUT_MS);
    t.match(stopped, { total_bytes: FILES[0][1] + FILES[1][1], bytes_done: 0, name: payload.name });
    await daemon.kill();
    daemon = await start();
    t.match(await daemon.torrent(json.id), { paused: true, bytes_done: 0 });
    await daemon.api('POST', `/api/torrents/${json.id}/resume`);
    await daemon.addPeers(json.id, seed.address);
    const done = await daemon.waitFor(json.id, ({ completed }) => completed, TIMEOUT_MS);
    t.same((await read(daemon, json.id, 0)).bytes, await contentOf('one.bin'));
    t.ok(done.bytes_done < FILES[0][1] + PIECE_LENGTH, 'the other was never wanted');
  },
);

void testWith(t, libtorrent, 'files whose names are excluded never come, with a magnet and over a kill', async (t) => {
  const { payload, start, contentOf } = await prepare(t, 5);
  const seed = await libtorrent.start();
  t.teardown(() => seed.close());
  await seed.seed(payload.torrent(), payload.directory);
  let daemon = await start();
  await daemon.api('PUT', '/api/settings/adding', { excluded_file_names: ['TWO.*'] });
  const magnet = { magnet: payload.magnet() };
  const { json } = await daemon.api<{ id: string }>('POST', '/api/torrents/magnet', magnet);
  await daemon.kill();
  daemon = await start();
  await daemon.api('PUT', '/api/settings/adding', { excluded_file_names: [] });
  await daemon.addPeers(json.id, seed.address);
  const done = await daemon.waitFor(json.id, ({ completed }) => completed, TIMEOUT_MS);
  t.same((await read(daemon, json.id, 0)).bytes, await contentOf('one.bin'));
  t.ok(done.bytes_done < FILES[0][1] + PIECE_LENGTH, 'the other was never wanted');
});

void t.test('the edges of files come first', async (t) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const made = makeTorrent({
    name: 'edges',
    pieceLength: 16_384,
    files: [
      { path: ['a'], bytes: seededBytes(1, 40 * 16_384) },
      { path: ['b'], bytes: seededBytes(2, 40 * 16_384) },
    ],
  });
  const wishes = { first_last_first: 'true', rate_limits: '{"down_kbps":64,"up_kbps":0}' };
  const id = await addFile(daemon, made.torrentBytes, wishes);
  const have = await firstPieces(daemon, made, id);
  for (const edge of [0, 39, 40, 79]) t.ok(have.includes(edge), `piece ${edge} of ${have.join()}`);
});

/** The pieces that are there once there are some, from a seed that is slow because of the torrent's limit. */
async function firstPieces(daemon: DaemonUnderTest, made: MadeTorrent, id: string): Promise<number[]> {
  const content = { bytes: made.payload, infoHash: made.infoHash, pieceLength: 16_384 };
  const seed = await seedContent(content, daemon.peerPort, Infinity);
  try {
    return await waitUntil('the first pieces', TIMEOUT_MS, async () => {
      const { json } = await daemon.api<{ have: string }>('GET', `/api/torrents/${id}/pieces`);
      const bits = [...Buffer.from(json.have, 'base64')].map((byte) => byte.toString(2).padStart(8, '0')).join('');
      const pieces = [...bits].flatMap((bit, piece) => (bit === '1' ? [piece] : []));
      return pieces.length >= 4 ? pieces : undefined;
    });
  } finally {
    seed.destroy();
  }
}
