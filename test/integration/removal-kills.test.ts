// The daemon is killed while it deletes the files of a torrent: the next one ends that, and takes nothing of anybody else, whatever has
// been laid there meanwhile.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { NoticesDto } from '../../shared-protocol/dto/notices.js';
import { whyNoStrace } from '../crash/strace.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { digestsOf, KIB, writeFiles, type Payload } from '../support/peers/payload.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { quoted, volumesUnavailable } from '../support/volumes.js';

const TIMEOUT_MS = 60_000;
const SHARED_MEMORY = '/dev/shm';
const FOLDERS = 6;
const FILES_EACH = 8;
/** Files of another torrent as well: the first folder. */
const SHARED = FILES_EACH;
const ALL = FOLDERS * FILES_EACH;
const NAME = 'payload';
const SLOWLY = ['strace', '-D', '-f', '--seccomp-bpf', '-o', '/dev/null', '-e', 'trace=unlink'];
const SLOW_UNLINK = [...SLOWLY, '-e', 'inject=unlink:delay_enter=20000', '--'];

t.setTimeout(300_000);
const skip = whyNoStrace() ?? false;

for (const left of [ALL, ALL / 2, SHARED + 1, SHARED]) {
  void t.test(`a kill when ${left} of ${ALL} files are there still`, { skip }, async (t) => {
    const { dataDir, savePath, other } = await killedAt(t, left);
    await writeFile(join(savePath, NAME, 'folder-2', 'strangers.txt'), 'mine').catch(() => undefined);
    const daemon = await start(t, { dataDir, savePath });
    t.same(
      (await daemon.torrents()).map(({ id }) => id),
      [other.infoHash],
    );
    await waitUntil('only files of others', TIMEOUT_MS, async () => {
      const there = await filesIn(join(savePath, NAME));
      return there.filter((path) => !path.endsWith('strangers.txt')).length === SHARED || undefined;
    });
    t.match(await digestsOf(other, savePath), other.digests);
    t.same(await notices(daemon), []);
    await daemon.stop();
  });
}

void t.test('what others have laid at its paths since stays, and is told of', { skip }, async (t) => {
  const { dataDir, savePath, payload } = await killedAt(t, ALL);
  const [folder, elsewhere] = [join(savePath, NAME), join(dataDir, '..', 'elsewhere')];
  await rename(join(folder, 'folder-3'), elsewhere);
  await symlink(elsewhere, join(folder, 'folder-3'));
  await rm(join(folder, 'folder-4', 'file-0'));
  await writeFile(join(folder, 'folder-4', 'file-0'), 'another');
  const daemon = await start(t, { dataDir, savePath });
  const told = await waitUntil('a notice', TIMEOUT_MS, async () => (await notices(daemon))[0]);
  t.match(told, { kind: 'files_left', torrent_id: payload.infoHash, name: NAME, code: 'DISK_FAILED' });
  t.equal((await readdir(elsewhere)).length, FILES_EACH, 'through no link that leads out');
  t.same(await readdir(join(folder, 'folder-4')), ['file-0']);
  t.notOk(existsSync(join(folder, 'folder-5')));
  await daemon.stop();
});

void t.test('that they are gone is durable before the torrent is forgotten', { skip }, async (t) => {
  const scratch = await makeScratch('removal-order');
  t.teardown(() => scratch.remove());
  const [savePath, log] = [join(scratch.path, 'save'), join(scratch.path, 'calls')];
  const payload = await write(savePath, 16 * KIB, FOLDERS);
  const calls = 'trace=unlink,rmdir,fsync,fdatasync,pwrite64,pwritev';
  const launcher = ['strace', '-D', '-f', '--seccomp-bpf', '-y', '-o', log, '-e', calls, '--'];
  const daemon = await start(t, { savePath, launcher });
  const id = await daemon.addTorrentFile(payload.torrent());
  await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  await daemon.api('DELETE', `/api/torrents/${id}?delete=1`);
  await waitUntil('no folder', TIMEOUT_MS, () => !existsSync(join(savePath, NAME)) || undefined);
  await daemon.stop();
  const lines = (await readFile(log, 'utf8')).split('\n');
  const gone = lines.findLastIndex((line) => /rmdir\(.*\/payload"\)/.test(line));
  const [next] = lines.slice(gone).filter((line) => /f(data)?sync\(/.test(line) && line.includes(scratch.path));
  t.ok(next?.includes(`fsync(`) && next.includes(`<${savePath}>`), next);
});

const noVolumes = skip || volumesUnavailable() || (await isOneVolume());
void t.test('on a volume that is not there when it starts again', { skip: noVolumes }, async (t) => {
  const mountPoint = await mkdtemp(join(tmpdir(), 'swarmd-removal-'));
  t.teardown(() => rm(mountPoint, { recursive: true }));
  const volume = await mkdtemp(join(SHARED_MEMORY, 'swarmd-volume-'));
  t.teardown(() => rm(volume, { recursive: true }));
  const mount = `mount --bind ${quoted(volume)} ${quoted(mountPoint)}`;
  const mounted = ['unshare', '-m', '--', 'sh', '-c', `${mount} && exec "$@"`, 'sh'];
  const { dataDir, payload } = await killedAt(t, ALL, { savePath: mountPoint, lies: volume, launcher: mounted });
  const without = await start(t, { dataDir, savePath: mountPoint });
  const told = await waitUntil('a notice', TIMEOUT_MS, async () => (await notices(without))[0]);
  t.match(told, { kind: 'files_left', torrent_id: payload.infoHash, name: NAME });
  t.match(told.message, /not mounted/);
  await without.stop();
  const back = await start(t, { dataDir, savePath: mountPoint, launcher: mounted });
  await waitUntil(
    'no files',
    TIMEOUT_MS,
    async () => (await filesIn(join(volume, NAME))).length === SHARED || undefined,
  );
  await back.stop();
});

interface Place {
  readonly savePath: string;
  /** Where that leads. */
  readonly lies: string;
  readonly launcher: readonly string[];
}

/** A daemon that has removed one of two torrents, which have files in common, and was killed when that many files were left. */
async function killedAt(t: Test, left: number, place?: Place) {
  const scratch = await makeScratch('removal-kills');
  t.teardown(() => scratch.remove());
  const dataDir = join(scratch.path, 'data');
  const { savePath, lies, launcher } = place ?? { savePath: join(scratch.path, 'save'), lies: '', launcher: [] };
  const directory = lies || savePath;
  await mkdir(directory, { recursive: true });
  const payload = await write(directory, 16 * KIB, FOLDERS);
  const other = await write(join(scratch.path, 'other'), 32 * KIB, 1);
  const daemon = await start(t, { dataDir, savePath, launcher: [...launcher, ...SLOW_UNLINK] });
  for (const { torrent } of [payload, other]) {
    const id = await daemon.addTorrentFile(torrent());
    await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  }
  t.equal((await daemon.api('DELETE', `/api/torrents/${payload.infoHash}?delete=1`)).status, 200);
  await waitUntil('that many files', TIMEOUT_MS, async () => {
    return (await filesIn(join(directory, NAME))).length <= left || undefined;
  });
  await daemon.kill();
  return { dataDir, savePath, payload, other };
}

function write(directory: string, pieceLength: number, folders: number): Promise<Payload> {
  const files = Array.from({ length: folders * FILES_EACH }, (_, n) => {
    return [`folder-${Math.floor(n / FILES_EACH)}/file-${n % FILES_EACH}`, 5_000 + n] as const;
  });
  return writeFiles({ directory, name: NAME, seed: 1, pieceLength, files });
}

async function start(t: Test, options: Parameters<typeof startDaemon>[0]): Promise<DaemonUnderTest> {
  const daemon = await startDaemon(options);
  t.teardown(() => daemon.kill());
  return daemon;
}

/** Notices of files that are left. */
async function notices(daemon: DaemonUnderTest): Promise<NoticesDto['notices']> {
  const { json } = await daemon.api<NoticesDto>('GET', '/api/notices');
  return json.notices.filter(({ kind }) => kind === 'files_left');
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function isOneVolume(): Promise<string | false> {
  const devices = await Promise.all([SHARED_MEMORY, tmpdir()].map(async (path) => (await stat(path)).dev));
  return devices[0] === devices[1] && 'there are no two volumes';
}
