// The volume of a save path that is not mounted (docs/semantics.md section 5, `files_missing`): its torrents wait,
// nothing is created on the disk below, and once it is back they go on by themselves with nothing hashed again.
import t, { type Test } from 'tap';
import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { digestsOf, KIB, MIB, writeFiles, writePayload, type Payload } from '../support/peers/payload.js';
import { connectSeed } from '../support/peers/scripted-seed.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { quoted, seenBy, volumesUnavailable } from '../support/volumes.js';
import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const TIMEOUT_MS = 40_000;
const SHARED_MEMORY = '/dev/shm';
const ALONE = ['unshare', '-m', '--'];

t.setTimeout(120_000);

const skip = volumesUnavailable() || (await isOneVolume());

void t.test('between two runs', { skip }, async (t) => {
  const { volume, mountPoint, dataDir, payload, other } = await prepare(t);
  const within = join(mountPoint, 'downloads');
  await cp(join(payload.directory, payload.name), join(volume, 'downloads', payload.name), { recursive: true });
  const home = { dataDir, savePath: mountPoint };
  const first = await startDaemon({ ...home, launcher: mounted(volume, mountPoint) });
  t.teardown(() => first.stop());
  await first.addTorrentFile(payload.torrent(), within);
  await first.addTorrentFile(other.torrent());
  await first.waitFor(payload.infoHash, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  await first.stop();

  const second = await startDaemon({ ...home, launcher: ALONE });
  t.teardown(() => second.stop());
  for (const { infoHash } of [payload, other]) {
    await second.waitFor(infoHash, ({ files_missing }) => files_missing, TIMEOUT_MS);
    t.match(await second.api('POST', `/api/torrents/${infoHash}/resume`), { status: 200 }, 'asked in vain');
    t.match(await second.torrent(infoHash), { files_missing: true, paused: false, verifying: false });
  }
  t.same(await readdir(mountPoint), [], 'nothing is created below');

  execFileSync('nsenter', ['-t', String(second.pid), '-m', 'mount', '--bind', volume, mountPoint]);
  for (const { infoHash } of [payload, other]) await second.api('POST', `/api/torrents/${infoHash}/resume`);
  t.match(await second.torrent(payload.infoHash), { files_missing: false, completed: true, verifying: false });
  await fetchAll(t, second, other);
  t.same(await digestsOf(other, seenBy(second.pid, mountPoint)), other.digests, 'one that had nothing goes on too');
  t.same(await readdir(mountPoint), []);
});

void t.test('in the middle of a download', { skip }, async (t) => {
  const { volume, mountPoint, dataDir, payload } = await prepare(t);
  const daemon = await startDaemon({ dataDir, savePath: mountPoint, launcher: mounted(volume, mountPoint) });
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent());
  const seed = await connectSeed(payload, daemon.peerPort, 8);
  t.teardown(() => seed.destroy());
  await waitUntil('blocks written', TIMEOUT_MS, async () =>
    (await daemon.torrent(id)).bytes_done > 0 ? true : undefined,
  );

  execFileSync('nsenter', ['-t', String(daemon.pid), '-m', 'umount', '-l', mountPoint]);
  seed.allow(Infinity);
  await daemon.waitFor(id, ({ files_missing }) => files_missing, TIMEOUT_MS);
  t.same(await readdir(mountPoint), [], 'nothing is created below');
  execFileSync('nsenter', ['-t', String(daemon.pid), '-m', 'mount', '--bind', volume, mountPoint]);
  await daemon.api('POST', `/api/torrents/${id}/resume`);
  t.match(await daemon.torrent(id), { files_missing: false });
  await fetchAll(t, daemon, payload);
  t.same(await digestsOf(payload, volume), payload.digests);
});

void t.test('while a complete torrent runs, seen by the next run alone', { skip }, async (t) => {
  const { volume, mountPoint, dataDir, payload } = await prepare(t);
  await cp(join(payload.directory, payload.name), join(volume, payload.name), { recursive: true });
  const home = { dataDir, savePath: mountPoint };
  const first = await startDaemon({ ...home, launcher: mounted(volume, mountPoint) });
  t.teardown(() => first.stop());
  const id = await first.addTorrentFile(payload.torrent());
  await first.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  execFileSync('nsenter', ['-t', String(first.pid), '-m', 'umount', '-l', mountPoint]);
  // Its files are to be recorded once more.
  const priorities = { infohash: id, priorities: { 0: 'high' } };
  t.match(await first.api('POST', '/api/torrents/file_priorities', priorities), { status: 200 });
  await first.stop();

  const second = await startDaemon({ ...home, launcher: ALONE });
  t.teardown(() => second.stop());
  await second.waitFor(id, ({ files_missing }) => files_missing, TIMEOUT_MS);
  t.same(await readdir(mountPoint), [], 'nothing is created below');
  execFileSync('nsenter', ['-t', String(second.pid), '-m', 'mount', '--bind', volume, mountPoint]);
  await second.api('POST', `/api/torrents/${id}/resume`);
  await second.waitFor(id, ({ completed, files_missing }) => completed && !files_missing, TIMEOUT_MS);
  t.same(await digestsOf(payload, volume), payload.digests);
});

async function fetchAll(t: Test, daemon: DaemonUnderTest, payload: Payload): Promise<void> {
  let seed = await connectSeed(payload, daemon.peerPort, Infinity);
  t.teardown(() => seed.destroy());
  await waitUntil('all of it', TIMEOUT_MS, async () => {
    const { completed, verifying } = await daemon.torrent(payload.infoHash);
    // Whoever was hung up on comes again, as peers do: a check of what may be lost begins when it does.
    if (seed.isClosed && !completed && !verifying) seed = await connectSeed(payload, daemon.peerPort, Infinity);
    return (completed && !verifying) || undefined;
  });
}

/** What is mounted must be on another device than what it is mounted on. */
async function isOneVolume(): Promise<string | false> {
  const devices = await Promise.all([SHARED_MEMORY, tmpdir()].map(async (path) => (await stat(path)).dev));
  return devices[0] === devices[1] && 'there are no two volumes';
}

async function prepare(t: Test) {
  const scratch = await makeScratch('unmounted', 0);
  const mountPoint = await mkdtemp(
    join(scratch.path.startsWith(SHARED_MEMORY) ? tmpdir() : SHARED_MEMORY, 'swarmd-mount-'),
  );
  t.teardown(async () => {
    await scratch.remove();
    await rm(mountPoint, { recursive: true, force: true });
  });
  const volume = join(scratch.path, 'volume');
  await mkdir(join(volume, 'downloads'), { recursive: true });
  const source = join(scratch.path, 'source');
  // Of so many files some are untouched when the volume goes.
  const files = Array.from({ length: 16 }, (_, n) => [`part-${n}.bin`, 64 * KIB] as const);
  const payload = await writeFiles({ directory: source, name: 'payload-1', seed: 1, pieceLength: 16 * KIB, files });
  const other = await writePayload(source, MIB, 16 * KIB, 2);
  return { volume, mountPoint, dataDir: join(scratch.path, 'data'), payload, other };
}

function mounted(volume: string, mountPoint: string): readonly string[] {
  const mount = `mount --bind ${quoted(volume)} ${quoted(mountPoint)}`;
  return [...ALONE, 'sh', '-c', `${mount} && exec "$@"`, 'sh'];
}
