// Faults of the disk while an archive is written: it is whole or not there, what is told is what has happened, and those that were
// there before stay. What the disk does is made by strace, one call at a time.
import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { restoreBackup } from '../../storage/backup/restore-backup.js';
import { openTorrentStore } from '../../storage/lmdb-torrent-store.js';
import { sealEnvelope } from '../../storage/collection-envelope.js';
import { whyNoStrace } from '../crash/strace.js';
import { makeScratch } from '../support/peers/scratch.js';
import { quoted, volumesUnavailable } from '../support/volumes.js';

const WRITER = fileURLToPath(new URL('../support/write-backup-child.js', import.meta.url));
const OLD = 'swarmd-2025-01-01T00-00-00Z.tar.gz';
const NEW = 'swarmd-2025-01-02T00-00-00Z.tar.gz';
t.setTimeout(120_000);

async function start(t: Test) {
  const scratch = await makeScratch('backup-faults');
  t.teardown(() => scratch.remove());
  const [dataDir, folder] = [join(scratch.path, 'data'), join(scratch.path, 'backups')] as const;
  await mkdir(dataDir);
  await mkdir(folder);
  await writeFile(join(dataDir, 'accounts.json'), sealEnvelope(1, { accounts: [] }));
  await openTorrentStore(join(dataDir, 'torrents')).close();
  await writeFile(join(folder, OLD), 'one of before');
  let restores = 0;
  const restored = async () => {
    const target = join(scratch.path, `restored-${restores++}`);
    const { files } = await restoreBackup({
      ...{ archive: join(folder, NEW), dataDir: target, mappings: [], databaseFile: null },
    });
    return files.map(({ name }) => name);
  };
  return { scratch, dataDir, folder, restored };
}

/** What it said, `written` or an error, when it was launched so. */
function written(launcher: readonly string[], dataDir: string, file: string): Promise<string> {
  const [program = '', ...args] = [...launcher, process.execPath, WRITER, dataDir, file];
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
  return new Promise((resolve) => execFile(program, args, { env }, (_error, out) => resolve(out.trim())));
}

/** Fails one call that concerns one of the paths, by its number among them. */
function failing(calls: string, errno: string, paths: readonly string[], nth = 1): readonly string[] {
  const filter = paths.flatMap((path) => ['-P', path]);
  return [
    'strace',
    '-f',
    '-qq',
    '-o',
    '/dev/null',
    ...filter,
    '-e',
    `inject=${calls}:error=${errno}:when=${nth}`,
    '--',
  ];
}

void t.test('calls that fail', { skip: whyNoStrace() ?? false }, async (t) => {
  const { dataDir, folder, restored } = await start(t);
  const file = join(folder, NEW);
  const unfinished = `${file}.unfinished`;
  const left = async () => (await readdir(folder)).sort();
  for (const [calls, errno, path] of [
    ['getdents64', 'EIO', dataDir],
    ['statx', 'EIO', join(dataDir, 'torrents', 'data.mdb')],
    ['read', 'EIO', join(dataDir, 'accounts.json')],
    ['write', 'ENOSPC', unfinished],
    ['write', 'EIO', join(folder, '.backup-staging', 'torrents', 'data.mdb')],
    ['fsync', 'EIO', unfinished],
    ['rename', 'EIO', unfinished],
  ] as const) {
    const said = await written(failing(calls, errno, [path]), dataDir, file);
    t.ok(said.endsWith(`: ${file} is not written`), `${calls} of ${path}: ${said}`);
    t.same(await left(), [OLD], 'nothing of it is left, and the one of before is');
  }
  const staged = join(folder, '.backup-staging', 'accounts.json');
  t.equal(
    await written(failing('unlink', 'EIO', [staged]), dataDir, file),
    'written',
    'that it cannot be tidied up is another thing',
  );
  t.same(await restored(), ['accounts.json', 'torrents/data.mdb']);
  t.equal(await written([], dataDir, file), 'written');
  t.same(await left(), [OLD, NEW], 'the next one tidies up');
});

void t.test('a disk that is full', { skip: volumesUnavailable() }, async (t) => {
  const { scratch, dataDir } = await start(t);
  const small = join(scratch.path, 'small');
  await mkdir(small);
  const file = join(small, NEW);
  const script = `mount -t tmpfs -o size=8k none ${quoted(small)}; : > ${quoted(join(small, OLD))}; "$@"; ls -A ${quoted(small)}`;
  const said = await written(['unshare', '-m', '--', 'sh', '-c', script, 'sh'], dataDir, file);
  const [why = '', ...left] = said.split('\n');
  t.match(why, /^ENOSPC: no space left on device, copy .*: .* is not written$/);
  t.same(left, [OLD]);
});
