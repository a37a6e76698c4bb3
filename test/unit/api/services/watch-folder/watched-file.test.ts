// Files of the watch folder on a real disk: what a name stood for at the last look is read, deleted or renamed, and
// nothing else.
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import {
  deleteWatched,
  stateOf,
  readWatched,
  setAside,
} from '../../../../../api/services/watch-folder/watched-file.js';
import { HeldFolder } from '../../../../../storage/held-folder.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';

async function start(t: Test, content = 'content') {
  const folder = await temporaryDirectory();
  const held = await HeldFolder.open(folder);
  t.teardown(() => held.close());
  const path = join(folder, 'a.torrent');
  await writeFile(path, content);
  const file = { name: 'a.torrent', mark: (await stateOf(held, 'a.torrent'))?.mark ?? '' };
  return { folder, held, path, file, names: async () => (await readdir(folder)).sort() };
}

void t.test('only regular files are seen', async (t) => {
  const { folder, held, path } = await start(t);
  t.match(await stateOf(held, 'a.torrent'), { size: 7 });
  await symlink(path, join(folder, 'link'));
  await mkdir(join(folder, 'folder'));
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  for (const name of ['link', 'folder', 'fifo', 'absent']) t.equal(await stateOf(held, name), null, name);
  t.equal(await stateOf(held, `${'e'.repeat(300)}.torrent`), null, 'longer than names are');
});

void t.test('the content of the file that was seen', async (t) => {
  const { held, file } = await start(t);
  const read = await readWatched(held, file, 7);
  t.same(read.kind === 'bytes' && Buffer.from(read.bytes).toString(), 'content');
  t.same(await readWatched(held, file, 6), { kind: 'too-large' });
});

for (const { name, replace } of [
  { name: 'is gone', replace: (path: string) => rm(path) },
  { name: 'is another file', replace: (path: string) => writeFile(path, 'another content') },
  {
    name: 'is a link, even one to the same file',
    replace: async (path: string) => {
      execFileSync('mv', [path, `${path}.moved`]);
      await symlink(`${path}.moved`, path);
    },
  },
  {
    name: 'is a FIFO',
    replace: async (path: string) => {
      await rm(path);
      execFileSync('mkfifo', [path]);
    },
  },
]) {
  void t.test(`a name that by now ${name} is left alone`, async (t) => {
    const { held, path, file, names } = await start(t);
    await replace(path);
    const before = await names();
    t.same(await readWatched(held, file, 100), { kind: 'changed' });
    await deleteWatched(held, file);
    await setAside(held, file, 'added');
    t.same(await names(), before);
  });
}

void t.test('a file is set aside under the first name that is free', async (t) => {
  const { folder, held, file, names } = await start(t);
  await writeFile(join(folder, 'a.torrent.invalid'), 'mine');
  await setAside(held, file, 'invalid');
  t.same(await names(), ['a.torrent.1.invalid', 'a.torrent.invalid']);
  t.equal(await readFile(join(folder, 'a.torrent.invalid'), 'utf8'), 'mine');
});

void t.test('a folder whose name is another one by now is worked in where it is', async (t) => {
  const { folder, held, file } = await start(t);
  const elsewhere = await temporaryDirectory();
  execFileSync('cp', ['-a', join(folder, 'a.torrent'), elsewhere]);
  await rename(folder, `${folder}-before`);
  t.teardown(() => rm(`${folder}-before`, { recursive: true }));
  await symlink(elsewhere, folder);
  await setAside(held, file, 'added');
  t.same(await readdir(elsewhere), ['a.torrent']);
  t.same(await readdir(`${folder}-before`), ['a.torrent.added']);
});
