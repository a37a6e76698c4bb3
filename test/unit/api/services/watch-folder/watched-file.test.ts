// Files of the watch folder on a real disk: what a name stood for at the last look is read, deleted or renamed, and
// nothing else.
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import {
  deleteWatched,
  stateOf,
  readWatched,
  setAside,
} from '../../../../../api/services/watch-folder/watched-file.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';

async function start(content = 'content') {
  const folder = await temporaryDirectory();
  const path = join(folder, 'a.torrent');
  await writeFile(path, content);
  const mark = (await stateOf(path))?.mark ?? '';
  return { folder, path, mark, names: async () => (await readdir(folder)).sort() };
}

void t.test('only regular files are seen', async (t) => {
  const { folder, path } = await start();
  t.match(await stateOf(path), { size: 7 });
  await symlink(path, join(folder, 'link'));
  await mkdir(join(folder, 'folder'));
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  for (const name of ['link', 'folder', 'fifo', 'absent']) t.equal(await stateOf(join(folder, name)), null, name);
  await t.rejects(stateOf(join(path, 'below')), { code: 'ENOTDIR' });
});

void t.test('the content of the file that was seen', async (t) => {
  const { path, mark } = await start();
  const read = await readWatched(path, mark, 7);
  t.same(read.kind === 'bytes' && Buffer.from(read.bytes).toString(), 'content');
  t.same(await readWatched(path, mark, 6), { kind: 'too-large' });
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
    const { folder, path, mark, names } = await start();
    await replace(path);
    const before = await names();
    t.same(await readWatched(path, mark, 100), { kind: 'changed' });
    await deleteWatched(path, mark);
    await setAside(folder, 'a.torrent', mark, 'added');
    t.same(await names(), before);
  });
}

void t.test('a file is set aside under the first name that is free', async (t) => {
  const { folder, mark, names } = await start();
  await writeFile(join(folder, 'a.torrent.invalid'), 'mine');
  await setAside(folder, 'a.torrent', mark, 'invalid');
  t.same(await names(), ['a.torrent.1.invalid', 'a.torrent.invalid']);
  t.equal(await readFile(join(folder, 'a.torrent.invalid'), 'utf8'), 'mine');
});
