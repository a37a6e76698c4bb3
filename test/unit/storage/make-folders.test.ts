// Folders made with those above them, also where a file system will not have them.
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { makeFolders } from '../../../storage/make-folders.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

void t.test('makes what is missing and says where it began', async (t) => {
  const root = await temporaryDirectory();
  await mkdir(join(root, 'a'));
  const path = join(root, 'a', 'b', 'c');
  t.equal(await makeFolders(path, 0o700), join(root, 'a', 'b'));
  for (const folder of [path, join(root, 'a', 'b')]) t.equal((await stat(folder)).mode & 0o777, 0o700);
  t.equal(await makeFolders(path, 0o700), undefined, 'all there');
});

void t.test('two at a time make it once', async (t) => {
  const root = await temporaryDirectory();
  const path = join(root, 'a', 'b', 'c');
  const made = await Promise.all(Array.from({ length: 8 }, () => makeFolders(path, 0o755)));
  t.equal(made.filter((first) => first === join(root, 'a')).length, 1);
});

void t.test('a link to a folder is one; a file, and a link to nothing, are not', async (t) => {
  const root = await temporaryDirectory();
  await mkdir(join(root, 'real'));
  await symlink('real', join(root, 'link'));
  t.equal(await makeFolders(join(root, 'link', 'below'), 0o755), join(root, 'link', 'below'));
  await writeFile(join(root, 'file'), '');
  await t.rejects(makeFolders(join(root, 'file'), 0o755), { code: 'ENOTDIR' });
  await t.rejects(makeFolders(join(root, 'file', 'below'), 0o755), { code: 'ENOTDIR' });
  await symlink('nowhere', join(root, 'lost'));
  await t.rejects(makeFolders(join(root, 'lost', 'below'), 0o755), { code: 'EEXIST' });
});

void t.test('ends where nothing can be made, though that is answered like a missing parent', async (t) => {
  await t.rejects(makeFolders('/proc/no-such-folder/below', 0o755), { code: 'ENOENT' });
});
