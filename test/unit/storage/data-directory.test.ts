// One process per data directory, private to its owner, and only layouts this program knows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { openDataDirectory } from '../../../storage/data-directory.js';
import { lockFile } from '../../../storage/directory-lock.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

void t.test('creates the directory for its owner only', async (t) => {
  const path = join(await temporaryDirectory(), 'a', 'b');
  const directory = await openDataDirectory(path);
  t.equal((await stat(path)).mode & 0o777, 0o700);
  t.equal(directory.file('runtime.json'), join(path, 'runtime.json'));
  directory.release();
});

void t.test('a second opener is refused and told by whom, until the first releases', async (t) => {
  const path = await temporaryDirectory();
  const first = await openDataDirectory(path);
  await t.rejects(openDataDirectory(path), { code: 'STORAGE_LOCKED', message: new RegExp(`process ${process.pid} `) });
  await t.rejects(openDataDirectory(path), { code: 'STORAGE_LOCKED' }, 'a refused opener takes no lock away');
  first.release();
  (await openDataDirectory(path)).release();
});

void t.test('the lock ends with its process, kill -9 included', async (t) => {
  for (const flock of ['flock', 'no-such-flock-program']) {
    const path = join(await temporaryDirectory(), 'lock');
    const module = new URL('../../../storage/directory-lock.js', import.meta.url).href;
    const script = `const { lockFile } = await import(${JSON.stringify(module)});
      lockFile(${JSON.stringify(path)}, ${JSON.stringify(flock)}); console.log('locked'); setInterval(() => {}, 1000);`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(owner.stdout, 'data');
    t.throws(() => lockFile(path, flock), { code: 'STORAGE_LOCKED', message: new RegExp(`process ${owner.pid} `) });
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    t.doesNotThrow(() => lockFile(path, flock).release(), flock);
  }
});

void t.test('without flock, a pid that was given to another process does not lock', async (t) => {
  const path = join(await temporaryDirectory(), 'lock');
  await writeFile(path, JSON.stringify({ pid: process.pid, startTicks: '1' }));
  t.doesNotThrow(() => lockFile(path, 'no-such-flock-program').release());
});

void t.test('a layout of a newer program is refused, and the directory left unlocked', async (t) => {
  const path = await temporaryDirectory();
  await writeFile(join(path, 'layout.json'), '{"version": 2}');
  await t.rejects(openDataDirectory(path), { code: 'STORAGE_TOO_NEW' });
  await writeFile(join(path, 'layout.json'), '{"version": 1}');
  (await openDataDirectory(path)).release();
});

void t.test('a path that cannot be a directory is one clear error', async (t) => {
  const file = join(await temporaryDirectory(), 'file');
  await writeFile(file, '');
  await t.rejects(openDataDirectory(join(file, 'x')), { code: 'STORAGE_FAILED', message: /cannot use/ });
});
