// A disk that is full, read-only or fails under a real daemon (docs/limits.md 2.29): downloads wait and say why, what
// is there is served, and they go on by themselves and end with the right bytes, nothing being verified again.
import t, { type Test } from 'tap';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { whyNoStrace } from '../crash/strace.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { digestsOf, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { connectSeed } from '../support/peers/scripted-seed.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { quoted, remount, seenBy, volumesUnavailable, withVolumes } from '../support/volumes.js';

/** What is allowed for the way back, and what everything else may take. */
const RETURN_MS = 60_000;
const TIMEOUT_MS = 30_000;

interface Diagnosis {
  readonly error: string | null;
  readonly code: string | null;
  readonly disk_state: string;
}

t.setTimeout(180_000);
// They wait, each for another disk.
t.jobs = 3;

void t.test('full: 100 MiB onto 64 MiB, and the volume grows', { skip: volumesUnavailable() }, async (t) => {
  const { payload, savePath } = await prepare(t, 100 * MIB, MIB);
  const other = await writePayload(payload.directory, 8 * MIB, MIB, 2);
  const daemon = await startDaemon({ savePath, launcher: withVolumes({ path: savePath, sizeMib: 64 }) });
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent());
  t.teardown(closing(await connectSeed(payload, daemon.peerPort, Infinity)));
  const diagnosis = await diagnosed(daemon, id, 'full');
  t.match(diagnosis, { code: 'DISK_FULL', error: /no room|no space/i });
  const { bytes_done } = await daemon.torrent(id);
  t.ok(bytes_done > 55 * MIB, `${bytes_done} bytes are used of it`);
  t.ok(await freeBlocks(daemon, savePath), 'not to the last block');
  t.match(await daemon.torrent(id), { paused: false, completed: false, files_missing: false, verifying: false });

  // Another torrent of the same volume waits too, and nobody is told of it twice.
  const second = await daemon.addTorrentFile(other.torrent());
  t.teardown(closing(await connectSeed(other, daemon.peerPort, Infinity)));
  await diagnosed(daemon, second, 'full');
  t.equal(await noticesIn(daemon), 1);

  await isServed(t, payload, id, daemon);
  t.match(await diagnosed(daemon, id, 'full'), { code: 'DISK_FULL' }, 'what was under way found no more room');
  t.ok(await freeBlocks(daemon, savePath), 'nor did it take the last block');
  remount(daemon.pid, savePath, 'size=160m');
  await completes(t, daemon, payload, id);
  await daemon.waitFor(second, ({ completed }) => completed, TIMEOUT_MS);
  t.equal(await noticesIn(daemon), 1);
});

void t.test('read-only, and then not', { skip: volumesUnavailable() }, async (t) => {
  const { payload, savePath } = await prepare(t, 24 * MIB, MIB);
  const source = quoted(join(payload.directory, payload.name));
  const fill = `mkdir ${payload.name} && cp ${source}/film.bin ${payload.name}/`;
  const launcher = withVolumes({ path: savePath, sizeMib: 64, fill, readOnly: true });
  const daemon = await startDaemon({ savePath, launcher });
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent());
  await daemon.waitFor(id, ({ verifying, bytes_done }) => !verifying && bytes_done > 0, TIMEOUT_MS);
  t.teardown(closing(await connectSeed(payload, daemon.peerPort, Infinity)));
  const diagnosis = await diagnosed(daemon, id, 'read-only');
  t.match(diagnosis, { code: 'DISK_FAILED', error: /read-only/ });
  t.notMatch(diagnosis.error, savePath, 'no path of this machine');
  await isServed(t, payload, id, daemon);
  remount(daemon.pid, savePath, 'rw');
  await completes(t, daemon, payload, id);
});

const cannotInject = volumesUnavailable() || whyNoStrace() || false;

void t.test('writes that fail now and then', { skip: cannotInject }, async (t) => {
  const { payload, savePath } = await prepare(t, 16 * MIB, MIB);
  const films = join(savePath, payload.name, 'film.bin');
  const inject = ['-P', films, '-e', 'inject=pwrite64,pwritev:error=EIO:when=4+8'];
  const launcher = ['strace', '-D', '-f', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=pwrite64,pwritev'];
  const daemon = await startDaemon({
    savePath,
    // `when` counts for each thread by itself.
    env: { UV_THREADPOOL_SIZE: '1' },
    launcher: [...launcher, ...inject, '--'],
  });
  t.teardown(() => daemon.stop());
  const id = await daemon.addTorrentFile(payload.torrent());
  t.teardown(closing(await connectSeed(payload, daemon.peerPort, Infinity)));
  t.match(await diagnosed(daemon, id, 'failing'), { code: 'DISK_FAILED', error: /EIO/ });
  await isServed(t, payload, id, daemon);
  await completes(t, daemon, payload, id);
  t.equal(await noticesIn(daemon), 1);
});

async function prepare(t: Test, totalBytes: number, pieceLength: number) {
  const scratch = await makeScratch('disk-trouble', 3 * totalBytes);
  t.teardown(() => scratch.remove());
  const payload = await writePayload(join(scratch.path, 'source'), totalBytes, pieceLength);
  return { payload, savePath: join(scratch.path, 'volume') };
}

async function freeBlocks(daemon: DaemonUnderTest, savePath: string): Promise<number> {
  return (await statfs(seenBy(daemon.pid, savePath))).bfree;
}

function closing(seed: { destroy(): void }): () => void {
  return () => seed.destroy();
}

function diagnosed(daemon: DaemonUnderTest, id: string, state: string): Promise<Diagnosis> {
  let last: Diagnosis | null = null;
  return waitUntil(
    `a disk that is ${state}`,
    TIMEOUT_MS,
    async () => {
      last = (await daemon.api<Diagnosis>('GET', `/api/torrents/${id}/diagnosis`)).json;
      return last.disk_state === state ? last : undefined;
    },
    () => `${JSON.stringify(last)}\n${daemon.stderr.slice(-4_000)}`,
  );
}

/** A leech that knows nobody else gets all that is there. */
async function isServed(t: Test, payload: Payload, id: string, daemon: DaemonUnderTest): Promise<void> {
  const leech = await startDaemon({ bytes: payload.totalBytes });
  t.teardown(() => leech.stop());
  await leech.addTorrentFile(payload.torrent());
  const { bytes_done: expected } = await daemon.torrent(id);
  t.ok(expected > 0);
  await leech.addPeers(id, daemon.peerAddress);
  await leech.waitFor(id, ({ bytes_done }) => bytes_done >= expected, TIMEOUT_MS);
  await leech.stop();
}

async function completes(t: Test, daemon: DaemonUnderTest, payload: Payload, id: string): Promise<void> {
  let wasVerified = false;
  const isComplete = (torrent: { readonly completed: boolean; readonly verifying: boolean }): boolean => {
    wasVerified ||= torrent.verifying;
    return torrent.completed;
  };
  await daemon.waitFor(id, isComplete, RETURN_MS);
  t.notOk(wasVerified, 'nothing is verified again');
  const { json } = await daemon.api<Diagnosis>('GET', `/api/torrents/${id}/diagnosis`);
  t.same(json, { error: null, code: null, disk_state: 'ok' });
  t.same(await digestsOf(payload, seenBy(daemon.pid, daemon.savePath)), payload.digests);
}

/** What the daemon writes comes through a pipe of its own, after what its API says. */
function noticesIn(daemon: DaemonUnderTest): Promise<number> {
  const count = (): number => daemon.stderr.split('downloads wait').length - 1;
  return waitUntil('a notice', TIMEOUT_MS, () => count() || undefined);
}
