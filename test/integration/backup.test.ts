// A backup of a daemon that works, restored elsewhere: all is there, and seeds from where its files lie now.
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startDaemon } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';
import { makeScratch } from '../support/peers/scratch.js';
import { swarmd } from '../support/swarmd-command.js';

const PIECE = 16_384;
t.setTimeout(180_000);

async function start(t: Test) {
  const scratch = await makeScratch('backup', 64 * PIECE);
  t.teardown(() => scratch.remove());
  const savePath = join(scratch.path, 'downloads');
  const daemon = await startDaemon({ savePath, args: ['--backup-dir', join(scratch.path, 'backups')] });
  t.teardown(() => daemon.stop());
  const whole = makeTorrent({ name: 'whole.bin', pieceLength: PIECE, files: seededBytes(1, 8 * PIECE) });
  await writeFile(join(savePath, 'whole.bin'), whole.payload);
  const other = makeTorrent({ name: 'other', pieceLength: PIECE, files: seededBytes(2, 8 * PIECE) });
  const id = await daemon.addTorrentFile(whole.torrentBytes);
  await daemon.waitFor(id, ({ completed }) => completed, 30_000);
  await daemon.addTorrentFile(other.torrentBytes);
  await daemon.api('POST', '/api/users', { username: 'bob', password: 'bobs password', home: join(savePath, 'bob') });
  await daemon.api('POST', '/api/categories', { name: 'Films', default_save_path: join(savePath, 'films'), color: '' });
  const archive = join(scratch.path, 'state.tar.gz');
  return { scratch, savePath, daemon, id, archive };
}

void t.test('a backup is made while it runs, and restored with other paths', async (t) => {
  const { scratch, savePath, daemon, id, archive } = await start(t);
  const made = await swarmd(['backup', archive, '--data-dir', daemon.dataDir]);
  t.match(made, { code: 0, out: /^written: /, err: /digests of passwords/ });
  t.equal((await stat(archive)).mode & 0o777, 0o600);
  t.same(await readdir(join(scratch.path, 'backups')), [], 'where it was fetched it is kept once');
  t.match(await swarmd(['backup', archive, '--data-dir', daemon.dataDir]), { code: 1, err: /is there already/ });
  await daemon.stop();
  const moved = join(scratch.path, 'elsewhere');
  await rename(savePath, moved);

  const dataDir = join(scratch.path, 'restored');
  const args = ['restore', archive, '--data-dir', dataDir, '--map', `${savePath}=${moved}`];
  t.match(await swarmd(args), { code: 0, out: /^restored: / });
  for (const name of await readdir(dataDir)) {
    const { mode } = await stat(join(dataDir, name));
    t.equal(mode & 0o077, 0, `${name} is its owner's alone`);
  }
  t.match(await swarmd(args), { code: 1, err: /is not empty/ });
  const again = await startDaemon({ dataDir, savePath: moved });
  t.teardown(() => again.stop());
  t.equal((await again.torrents()).length, 2);
  t.match(await again.torrent(id), { completed: true, verifying: false, files_missing: false, save_path: moved });
  const { json: users } = await again.api<{ username: string; home: string }[]>('GET', '/api/users');
  t.match(
    users.find(({ username }) => username === 'bob'),
    { home: join(moved, 'bob') },
  );
  const { json: categories } = await again.api('GET', '/api/categories');
  t.match(categories, [{ name: 'Films', default_save_path: join(moved, 'films') }]);
});

void t.test('what is no backup, or was damaged, is not restored', async (t) => {
  const { scratch, daemon, archive } = await start(t);
  await swarmd(['backup', archive, '--data-dir', daemon.dataDir]);
  const into = (name: string, file: string) =>
    swarmd(['restore', file, '--data-dir', join(scratch.path, 'into', name)]);
  const bytes = await readFile(archive);
  const short = join(scratch.path, 'short.tar.gz');
  await writeFile(short, bytes.subarray(0, bytes.length >> 1));
  t.match(await into('short', short), {
    code: 1,
    err: /short\.tar\.gz.*(cannot be unpacked|is damaged).*nothing is restored/,
  });
  const text = join(scratch.path, 'text');
  await writeFile(text, 'nothing like it');
  t.match(await into('text', text), { code: 1, err: /cannot be unpacked|no backup of Swarmd/ });
  t.match(await into('gone', '/nowhere/at/all.tar.gz'), { code: 1, err: /cannot be unpacked/ });
  t.match(await swarmd(['restore', archive, '--data-dir', daemon.dataDir]), { code: 1, err: /is not empty/ });
  t.match(await into('short', archive), { code: 0 }, 'after one that came to nothing');
  await mkdir(join(scratch.path, 'into', 'shared', 'restoring'), { recursive: true });
  await writeFile(join(scratch.path, 'into', 'shared', 'diary'), 'of ten years');
  t.match(
    await into('shared', archive),
    { code: 1, err: /is not empty/ },
    'a folder of that name is no leave to delete',
  );
  t.same(await readdir(join(scratch.path, 'into', 'shared')), ['diary', 'restoring']);
});
