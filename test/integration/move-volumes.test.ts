// Moves from one volume to another, with libtorrent at the other end: it is served and serves meanwhile. Then targets that
// are full or read-only, holes, a move that is ended, and what else is asked of a torrent while it is moved.
import { mkdir, open, readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { askMove, moveEnded, moveOf, TIMEOUT_MS } from '../support/moves.js';
import { libtorrent } from '../support/peers/libtorrent.js';
import { digestsOf, MIB, writeFiles, writePayload, type Payload } from '../support/peers/payload.js';
import { connectSeed } from '../support/peers/scripted-seed.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { remount, seenBy, volumesUnavailable, withVolumes } from '../support/volumes.js';

const PIECE_LENGTH = MIB / 4;
const PAYLOAD_BYTES = 48 * MIB;

t.setTimeout(240_000);
// They wait, each for another program or disk.
t.jobs = 3;

interface Scene {
  readonly daemon: DaemonUnderTest;
  readonly payload: Payload;
  /** Another volume, in which it may be moved. */
  readonly target: string;
  readonly scratch: string;
}

async function setScene(
  t: Test,
  volume: { readonly sizeMib?: number; readonly readOnly?: boolean } = {},
): Promise<Scene> {
  const scratch = await makeScratch('move-volumes', 4 * PAYLOAD_BYTES);
  t.teardown(() => scratch.remove());
  const payload = await writePayload(join(scratch.path, 'source'), PAYLOAD_BYTES, PIECE_LENGTH);
  const target = join(scratch.path, 'volume');
  await mkdir(target);
  const { sizeMib = 256, readOnly = false } = volume;
  const launcher = withVolumes({ path: target, sizeMib, readOnly });
  const daemon = await startDaemon({ launcher, savePath: join(scratch.path, 'downloads'), bytes: PAYLOAD_BYTES });
  t.teardown(() => daemon.stop());
  return { daemon, payload, target, scratch: scratch.path };
}

/** A torrent of which everything is there, where the payload was written. */
async function seeding({ daemon, payload }: Scene): Promise<string> {
  const id = await daemon.addTorrentFile(payload.torrent(), payload.directory);
  await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  return id;
}

const limitTo = (daemon: DaemonUnderTest, kbps: { readonly down_kbps?: number; readonly up_kbps?: number }) =>
  daemon.api('PUT', '/api/settings/limits', {
    ...{ down_kbps: 0, up_kbps: 0, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false },
    ...kbps,
  });

async function isWholeAt(t: Test, { daemon, payload }: Scene, id: string, path: string): Promise<void> {
  t.match(await daemon.torrent(id), { save_path: path, completed: true, files_missing: false, verifying: false });
  t.same(await digestsOf(payload, seenBy(daemon.pid, path)), payload.digests);
}

async function isNowhereAt({ daemon, payload }: Scene, path: string): Promise<boolean> {
  return !(await readdir(seenBy(daemon.pid, path))).includes(payload.name);
}

const skip = volumesUnavailable();

void t.test('it serves libtorrent meanwhile', { skip: skip || !libtorrent.isAvailable() }, async (t) => {
  const scene = await setScene(t);
  const { daemon, payload, target, scratch } = scene;
  const id = await seeding(scene);
  await limitTo(daemon, { up_kbps: 16_384 });
  const leech = await libtorrent.start();
  t.teardown(() => leech.close());
  await leech.leech(payload.torrent(), join(scratch, 'leech'));
  await leech.addPeer?.(daemon.peerPort);
  const some = async () => (await leech.progress()).bytesDone;
  const before = await waitUntil('some of it', TIMEOUT_MS, async () => (await some()) || undefined);
  t.match(await askMove(daemon, id, { path: target }), { status: 200 });
  await moveEnded(daemon, id);
  t.ok(before < PAYLOAD_BYTES);
  const { peers, isSeeding } = await leech.progress();
  t.ok(isSeeding || peers === 1, 'nobody was sent away');
  await isWholeAt(t, scene, id, target);
  t.ok(await isNowhereAt(scene, payload.directory), 'and nowhere else');
  await waitUntil('all of it', TIMEOUT_MS, async () => (await leech.progress()).isSeeding || undefined);
  t.same(await digestsOf(payload, join(scratch, 'leech')), payload.digests);
});

void t.test(
  'its download waits, and goes on at the new place',
  { skip: skip || !libtorrent.isAvailable() },
  async (t) => {
    const scene = await setScene(t);
    const { daemon, payload, target, scratch } = scene;
    const seed = await libtorrent.start();
    t.teardown(() => seed.close());
    await seed.seed(payload.torrent(), payload.directory);
    await limitTo(daemon, { down_kbps: 4_096 });
    const id = await daemon.addTorrentFile(payload.torrent());
    await daemon.addPeers(id, seed.address);
    await daemon.waitFor(id, ({ bytes_done }) => bytes_done > 8 * MIB, TIMEOUT_MS);
    // However long the move takes, the rest takes longer.
    await limitTo(daemon, { down_kbps: 64 });
    t.match(await askMove(daemon, id, { path: target }), { status: 200 });
    t.match(await askMove(daemon, id, { path: join(scratch, 'third') }), { status: 409 });
    await moveEnded(daemon, id);
    t.match(await daemon.torrent(id), { save_path: target, completed: false });
    await limitTo(daemon, {});
    await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
    await isWholeAt(t, scene, id, target);
    t.ok(await isNowhereAt(scene, daemon.savePath));
  },
);

void t.test('a full target: said why, and everything stays', { skip }, async (t) => {
  const scene = await setScene(t, { sizeMib: 32 });
  const { daemon, payload, target } = scene;
  const id = await seeding(scene);
  t.match(await askMove(daemon, id, { path: target }), { status: 200 });
  t.match(await moveEnded(daemon, id), { state: 'failed', code: 'DISK_FULL', error: /no room left/, path: target });
  await isWholeAt(t, scene, id, payload.directory);
  t.ok(await isNowhereAt(scene, target));
  t.match(await daemon.api('DELETE', `/api/torrents/${id}/move`), { status: 200 });
  t.match(await moveOf(daemon, id), { state: 'none', error: null }, 'read, and forgotten');
  remount(daemon.pid, target, 'size=256m');
  t.match(await askMove(daemon, id, { path: target }), { status: 200 }, 'tried again');
  t.match(await moveEnded(daemon, id), { state: 'none', error: null });
  await isWholeAt(t, scene, id, target);
});

void t.test('a target that fills up while it is copied', { skip }, async (t) => {
  const scene = await setScene(t, { sizeMib: 64 });
  const { daemon, payload, target } = scene;
  const id = await seeding(scene);
  // Taken between the look at the room and the last byte.
  t.match(await askMove(daemon, id, { path: target }), { status: 200 });
  const filler = await open(join(seenBy(daemon.pid, target), 'others'), 'w');
  t.teardown(() => filler.close());
  const bytes = Buffer.alloc(MIB, 1);
  for (let n = 0; n < 64; n++) await filler.write(bytes).catch(() => undefined);
  const { state, code } = await moveEnded(daemon, id);
  if (state === 'none') return t.comment('it was faster');
  t.equal(code, 'DISK_FULL');
  await isWholeAt(t, scene, id, payload.directory);
  t.same(await readdir(seenBy(daemon.pid, target)), ['others'], 'what was copied is gone');
});

void t.test('a read-only target is refused when it is asked for, until it can be written', { skip }, async (t) => {
  const scene = await setScene(t, { readOnly: true });
  const { daemon, payload, target } = scene;
  const id = await seeding(scene);
  t.match(await askMove(daemon, id, { path: target }), { status: 400, json: { error: /^path: .*read-only/ } });
  t.match(await moveOf(daemon, id), { state: 'none', error: null });
  await isWholeAt(t, scene, id, payload.directory);
  remount(daemon.pid, target, 'rw');
  t.match(await askMove(daemon, id, { path: target }), { status: 200 });
  t.match(await moveEnded(daemon, id), { state: 'none', error: null });
  await isWholeAt(t, scene, id, target);
});

void t.test('holes stay holes', { skip }, async (t) => {
  const scene = await setScene(t);
  const { daemon, target, scratch } = scene;
  const directory = join(scratch, 'sparse');
  const sparse = await writeFiles({ directory, name: 'sparse', seed: 9, pieceLength: MIB, files: [['disk', 4 * MIB]] });
  const path = join(directory, 'sparse', 'disk');
  const file = await open(path, 'r+');
  // Of what is not verified, as of a download in progress.
  await file.truncate(MIB);
  await file.truncate(128 * MIB);
  await file.close();
  const id = await daemon.addTorrentFile(sparse.torrent(), directory);
  await daemon.waitFor(id, ({ verifying }) => !verifying, TIMEOUT_MS);
  await daemon.api('POST', `/api/torrents/${id}/pause`);
  t.match(await askMove(daemon, id, { path: target }), { status: 200 });
  t.match(await moveEnded(daemon, id), { state: 'none' });
  const { size, blocks } = await stat(join(seenBy(daemon.pid, target), 'sparse', 'disk'));
  t.equal(size, 128 * MIB);
  t.ok(blocks * 512 < 8 * MIB, `${blocks} blocks`);
});

void t.test('files that become wanted meanwhile are made at the new place only', { skip }, async (t) => {
  const scene = await setScene(t);
  const { daemon, payload, target } = scene;
  const id = await daemon.addTorrentFile(payload.torrent());
  await daemon.api('POST', `/api/torrents/${id}/pause`);
  const want = (priority: string) =>
    daemon.api('POST', '/api/torrents/file_priorities', { infohash: id, priorities: { 1: priority } });
  t.match(await want('skip'), { status: 200 });
  await daemon.api('POST', `/api/torrents/${id}/resume`);
  const seed = await connectSeed(payload, daemon.peerPort, Infinity);
  t.teardown(() => seed.destroy());
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  t.match(await askMove(daemon, id, { path: target }), { status: 200 });
  t.match(await want('normal'), { status: 200 });
  t.match(await moveEnded(daemon, id), { state: 'none', error: null });
  t.ok(await isNowhereAt(scene, daemon.savePath));
  const other = seed.isClosed ? await connectSeed(payload, daemon.peerPort, Infinity) : seed;
  t.teardown(() => other.destroy());
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  await isWholeAt(t, scene, id, target);
});

void t.test('ended, removed, checked and stopped in the middle', { skip }, async (t) => {
  const scene = await setScene(t, { sizeMib: 512 });
  const { daemon, payload, target } = scene;
  const id = await seeding(scene);
  await askMove(daemon, id, { path: target });
  await waitUntil('a copy', TIMEOUT_MS, async () => {
    const { state, bytes_done: done } = await moveOf(daemon, id);
    return state !== 'copying' || done > 0 || undefined;
  });
  const ended = await daemon.api('DELETE', `/api/torrents/${id}/move`);
  t.match(ended.status, /^(200|409)$/);
  await moveEnded(daemon, id);
  // Where it was all done before, there was nothing to end: 200 as well.
  const { save_path: where } = await daemon.torrent(id);
  t.ok(where === target || (where === payload.directory && ended.status === 200), where);
  await isWholeAt(t, scene, id, where);
  t.ok(await isNowhereAt(scene, where === target ? payload.directory : target));

  // A check that is asked for meanwhile comes afterwards, a pause at once.
  const back = where === target ? payload.directory : target;
  await askMove(daemon, id, { path: back });
  t.match(await daemon.api('POST', `/api/torrents/${id}/recheck`), { status: 200 });
  t.match(await daemon.api('POST', `/api/torrents/${id}/pause`), { status: 200 });
  t.match(await moveEnded(daemon, id), { state: 'none', error: null });
  await daemon.waitFor(id, ({ verifying, completed }) => completed && !verifying, TIMEOUT_MS);
  await isWholeAt(t, scene, id, back);
  t.match(await daemon.torrent(id), { paused: true });

  const free = async (): Promise<number> => (await statfs(seenBy(daemon.pid, target))).bfree;
  await askMove(daemon, id, { path: back === target ? payload.directory : target });
  t.match(await daemon.api('DELETE', `/api/torrents/${id}?delete=1`), { status: 200 });
  await waitUntil('nothing anywhere', TIMEOUT_MS, async () => {
    const isGone = (await isNowhereAt(scene, target)) && (await isNowhereAt(scene, payload.directory));
    return isGone || undefined;
  });
  t.ok((await free()) > 0);
});
