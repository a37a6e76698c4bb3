// What the disk could not take after all, under a real daemon: the kernel says so once, when files are synced, and then shows them
// as they were meant to be for as long as they are in memory. The daemon believes neither.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import t, { type Test } from 'tap';
import type { DiagnosisDto } from '../../shared-protocol/dto/torrents.js';
import { whyNoStrace } from '../crash/strace.js';
import { startDaemon, type DaemonUnderTest, type StartDaemonOptions } from '../support/daemon.js';
import { digestsOf, KIB, MIB, writePayload, type Payload } from '../support/peers/payload.js';
import { connectSeed } from '../support/peers/scripted-seed.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { quoted, remount, seenBy, volumesUnavailable, withVolumes } from '../support/volumes.js';

const TIMEOUT_MS = 90_000;
const TOTAL_BYTES = 32 * MIB;
const BLOCK_BYTES = 16 * KIB;

t.setTimeout(240_000);
// They wait, each for another disk.
t.jobs = 2;

void t.test('a volume with less behind it than it says', { skip: whyNoThinVolumes() }, async (t) => {
  const { payload, scratch } = await prepare(t);
  const [pool, savePath] = [join(scratch, 'pool'), join(scratch, 'volume')];
  for (const folder of [pool, savePath]) await mkdir(folder);
  // Without a journal the file system itself writes nothing that could fail.
  const make = `truncate -s 256M image && mkfs.ext4 -q -F -O ^has_journal image && mount -o loop image ${quoted(savePath)}`;
  const daemon = await start(t, { savePath, launcher: withVolumes({ path: pool, sizeMib: 300, fill: make }) });
  const id = await daemon.addTorrentFile(payload.torrent());
  const first = await connectSeed(payload, daemon.peerPort, (4 * MIB) / BLOCK_BYTES);
  await daemon.waitFor(id, ({ bytes_done }) => bytes_done > 0, TIMEOUT_MS);
  first.destroy();
  execFileSync('sync', ['-f', seenBy(daemon.pid, savePath)]);

  const used = spawnSync('du', ['-k', seenBy(daemon.pid, join(pool, 'image'))], { encoding: 'utf8' });
  remount(daemon.pid, pool, `size=${Number.parseInt(used.stdout) + 8 * 1024}k`);
  const second = await connectSeed(payload, daemon.peerPort, Infinity);
  await daemon.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  second.destroy();
  const lost = await daemon.waitFor(
    id,
    ({ bytes_done, verifying }) => bytes_done < TOTAL_BYTES && !verifying,
    TIMEOUT_MS,
  );
  t.notOk(lost.completed, 'what was lost is known to be lost');

  remount(daemon.pid, pool, 'size=300m');
  await waitUntil('a disk that takes writes', TIMEOUT_MS, async () => {
    const { disk_state: state } = await diagnosisOf(daemon, id);
    return state === 'ok' || undefined;
  });
  const third = await connectSeed(payload, daemon.peerPort, Infinity);
  t.teardown(() => third.destroy());
  // What was lost of a file that had not been synced by then is told by the next sync: it may be complete more than once.
  await waitUntil('all of it on the disk', TIMEOUT_MS, async () => {
    const { completed, verifying } = await daemon.torrent(id);
    const onDisk = digestsOnDisk(payload, seenBy(daemon.pid, savePath));
    return (completed && !verifying && isDeepStrictEqual(onDisk, payload.digests)) || undefined;
  });
});

void t.test('a file that was to get its own name', { skip: whyNoStrace() ?? false }, async (t) => {
  const { payload, scratch } = await prepare(t);
  const savePath = join(scratch, 'save');
  const film = join(savePath, payload.name, 'film.bin.part');
  const inject = ['-P', film, '-e', 'inject=fdatasync:error=EIO:when=1'];
  const daemon = await start(t, {
    savePath,
    // `when` counts for each thread by itself.
    env: { UV_THREADPOOL_SIZE: '1' },
    launcher: ['strace', '-D', '-f', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=fdatasync', ...inject, '--'],
  });
  await daemon.api('PUT', '/api/settings/adding', { incomplete_suffix: '.part' });
  const id = await daemon.addTorrentFile(payload.torrent());
  const seed = await connectSeed(payload, daemon.peerPort, Infinity);
  t.teardown(() => seed.destroy());
  const told = await waitUntil('an error', TIMEOUT_MS, async () => {
    const { error } = await diagnosisOf(daemon, id);
    return error ?? undefined;
  });
  t.match(told, /film\.bin: EIO/);
  const own = join(savePath, payload.name, 'film.bin');
  await waitUntil('its own name', TIMEOUT_MS, () => existsSync(own) || undefined);
  t.match(await daemon.torrent(id), { completed: true, error: null }, 'all of it has been checked');
  t.same(await digestsOf(payload, savePath), payload.digests);
});

async function prepare(t: Test): Promise<{ readonly payload: Payload; readonly scratch: string }> {
  const scratch = await makeScratch('failed-syncs', 3 * TOTAL_BYTES);
  t.teardown(() => scratch.remove());
  return { payload: await writePayload(join(scratch.path, 'source'), TOTAL_BYTES, MIB), scratch: scratch.path };
}

async function start(t: Test, options: StartDaemonOptions): Promise<DaemonUnderTest> {
  const daemon = await startDaemon(options);
  t.teardown(() => daemon.stop());
  return daemon;
}

async function diagnosisOf(daemon: DaemonUnderTest, id: string): Promise<DiagnosisDto> {
  return (await daemon.api<DiagnosisDto>('GET', `/api/torrents/${id}/diagnosis`)).json;
}

/** Past what the kernel has in memory. */
function digestsOnDisk({ name, digests }: Payload, directory: string): Record<string, string> {
  return Object.fromEntries(
    Object.keys(digests).map((path) => {
      const read = ['bs=1M', 'iflag=direct', 'status=none', `if=${join(directory, name, path)}`];
      const bytes = execFileSync('dd', read, { maxBuffer: 2 * TOTAL_BYTES });
      return [path, createHash('sha256').update(bytes).digest('hex')];
    }),
  );
}

function whyNoThinVolumes(): string | false {
  const why = volumesUnavailable();
  if (why) return why;
  const script =
    'mount -t tmpfs none /mnt && cd /mnt && truncate -s 8M i && mkfs.ext4 -q -F i && mkdir m && mount -o loop i m';
  const { status, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script], { encoding: 'utf8' });
  return status === 0 ? false : `loop devices: ${stderr.trim() || 'not available'}`;
}
