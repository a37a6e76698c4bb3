// Renames with libtorrent at the other end: of a torrent that is downloaded, that is served, and that is checked; and of one
// file that has to be copied, as it goes to another volume below the save path.
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { askMove, askRename, moveEnded, TIMEOUT_MS } from '../support/moves.js';
import { libtorrent } from '../support/peers/libtorrent.js';
import { digestsOf, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { seenBy, volumesUnavailable, withVolumes } from '../support/volumes.js';

const PIECE_LENGTH = MIB / 4;
const PAYLOAD_BYTES = 24 * MIB;

t.setTimeout(240_000);
t.jobs = 2;

interface Scene {
  readonly daemon: DaemonUnderTest;
  readonly payload: Payload;
  readonly scratch: string;
  readonly savePath: string;
}

async function setScene(t: Test, volumeAt?: string): Promise<Scene> {
  const scratch = await makeScratch('rename-peers', 4 * PAYLOAD_BYTES);
  t.teardown(() => scratch.remove());
  const payload = await writePayload(join(scratch.path, 'source'), PAYLOAD_BYTES, PIECE_LENGTH);
  const savePath = join(scratch.path, 'downloads');
  const volume = volumeAt === undefined ? null : join(savePath, volumeAt);
  if (volume !== null) await mkdir(volume, { recursive: true });
  const launcher = volume === null ? {} : { launcher: withVolumes({ path: volume, sizeMib: 64 }) };
  const daemon = await startDaemon({ ...launcher, savePath, bytes: PAYLOAD_BYTES });
  t.teardown(() => daemon.stop());
  return { daemon, payload, scratch: scratch.path, savePath };
}

/** The same files with other names, by what they have in them. */
async function contentsAt(payload: Payload, directory: string, name: string): Promise<string[]> {
  return Object.values(await digestsOf({ ...payload, name }, directory)).sort();
}

const limitTo = (daemon: DaemonUnderTest, kbps: { readonly down_kbps?: number; readonly up_kbps?: number }) =>
  daemon.api('PUT', '/api/settings/limits', {
    ...{ down_kbps: 0, up_kbps: 0, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false },
    ...kbps,
  });

const DONE = { status: 200, json: { ok: true, state: 'none' } };
const skip = !libtorrent.isAvailable();

void t.test('while it is downloaded, and while it is served', { skip }, async (t) => {
  const { daemon, payload, scratch, savePath } = await setScene(t);
  const { name } = payload;
  const seed = await libtorrent.start();
  t.teardown(() => seed.close());
  await seed.seed(payload.torrent(), payload.directory);
  await limitTo(daemon, { down_kbps: 2_048 });
  const id = await daemon.addTorrentFile(payload.torrent());
  await daemon.addPeers(id, seed.address);
  await daemon.waitFor(id, ({ bytes_done }) => bytes_done > MIB, TIMEOUT_MS);
  await limitTo(daemon, { down_kbps: 64 });
  t.match(await askRename(daemon, id, `${name}/film.bin`, `${name}/Film`), DONE);
  t.match(await askRename(daemon, id, `${name}/extras`, `${name}/more/extras`), DONE);
  t.match(await askRename(daemon, id, name, 'Show'), DONE);
  t.match(await daemon.torrent(id), { completed: false }, 'it was renamed on the way');
  await limitTo(daemon, {});
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  const expected = Object.values(payload.digests).sort();
  t.same(await contentsAt(payload, savePath, 'Show'), expected);
  t.same((await readdir(savePath)).sort(), ['Show'], 'and nowhere else');
  t.same((await readdir(join(savePath, 'Show'))).sort(), ['Film', 'more']);

  await limitTo(daemon, { up_kbps: 8_192 });
  const leech = await libtorrent.start();
  t.teardown(() => leech.close());
  await leech.leech(payload.torrent(), join(scratch, 'leech'));
  await leech.addPeer?.(daemon.peerPort);
  await waitUntil('some of it', TIMEOUT_MS, async () => (await leech.progress()).bytesDone || undefined);
  t.match(await askRename(daemon, id, 'Show', 'Serie'), DONE);
  const { peers, isSeeding } = await leech.progress();
  t.ok(isSeeding || peers > 0, 'nobody was sent away');
  await limitTo(daemon, {});
  await waitUntil('all of it', TIMEOUT_MS, async () => (await leech.progress()).isSeeding || undefined);
  t.same(await digestsOf(payload, join(scratch, 'leech')), payload.digests, 'others have it by its own names');
});

void t.test('while it is checked, and when it was asked for in vain', async (t) => {
  const { daemon, payload } = await setScene(t);
  const { name } = payload;
  const id = await daemon.addTorrentFile(payload.torrent(), payload.directory);
  await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  await daemon.api('POST', `/api/torrents/${id}/recheck`);
  t.match(await askRename(daemon, id, name, 'Show'), { status: 200 });
  t.match(await moveEnded(daemon, id), { state: 'none', error: null });
  t.match(await daemon.torrent(id), { completed: true, verifying: false });
  t.same(await contentsAt(payload, payload.directory, 'Show'), Object.values(payload.digests).sort());
  await daemon.api('POST', `/api/torrents/${id}/recheck`);
  await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
});

void t.test(
  'onto another volume below the save path: copied, verified, and moved as a whole',
  {
    skip: volumesUnavailable(),
  },
  async (t) => {
    const { daemon, payload, scratch, savePath } = await setScene(t, 'volume');
    const id = await daemon.addTorrentFile(payload.torrent(), payload.directory);
    await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
    t.match(await askMove(daemon, id, { path: savePath }), { status: 200 });
    t.match(await moveEnded(daemon, id), { state: 'none' });
    t.match(await askRename(daemon, id, `${payload.name}/film.bin`, 'volume/film.bin'), { status: 200 });
    t.match(await moveEnded(daemon, id), { state: 'none', error: null });
    const there = seenBy(daemon.pid, join(savePath, 'volume'));
    t.equal((await stat(join(there, 'film.bin'))).nlink, 1);
    t.same(await readdir(join(savePath, payload.name)), ['extras']);
    t.match(await daemon.torrent(id), { completed: true, content_path: savePath });
    await daemon.api('POST', `/api/torrents/${id}/recheck`);
    await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
    t.match(await askMove(daemon, id, { path: join(scratch, 'third') }), { status: 200 });
    t.match(await moveEnded(daemon, id), { state: 'none', error: null });
    t.same((await readdir(join(scratch, 'third'))).sort(), [payload.name, 'volume'].sort());
    t.same(await readdir(there), []);
  },
);
