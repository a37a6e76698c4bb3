// What is listed of a folder that a torrent is to be made of, and what is refused by its name: links wherever they stand,
// what is no file, names that no torrent could have, too much of anything.
import { execFileSync } from 'node:child_process';
import { link, mkdir, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { realFileTrees } from '../../../../engine/disk/list-tree.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';
import { refusePlaces } from '../../../../engine/disk/allowed-places.js';

const BOUNDS = { maxEntries: 100, maxNameBytes: 10_000, maxElementBytes: 240, maxDepth: 5, isStopped: () => false };

async function folder(...files: readonly string[]): Promise<{ root: string; at: (...names: string[]) => string }> {
  const root = join(await realpath(await temporaryDirectory()), 'pack');
  const at = (...names: readonly string[]) => join(root, ...names);
  await mkdir(root);
  for (const name of files) {
    await mkdir(join(at(name), '..'), { recursive: true });
    await writeFile(at(name), name);
  }
  return { root, at };
}

const trees = realFileTrees();
const refusal = (message: RegExp) => ({ code: 'CREATE_REFUSED', message });

void t.test('a folder: files with their paths, sizes and links; a file by itself', async (t) => {
  const { root, at } = await folder('a', 'sub/b', 'sub/deep/ü');
  await mkdir(at('empty'));
  await link(at('a'), join(root, '..', 'other-name'));
  const { isFolder, files, device } = await trees.list(root, BOUNDS);
  t.ok(isFolder);
  t.same(files.map(({ path, sizeBytes, linkCount }) => [path.join('/'), sizeBytes, linkCount]).sort(), [
    ['pack/a', 1, 2],
    ['pack/sub/b', 5, 1],
    ['pack/sub/deep/ü', 11, 1],
  ]);
  t.match(await trees.look(at('sub', 'b')), { isFolder: false, device });
  const single = await trees.list(at('sub', 'b'), BOUNDS);
  t.same([single.isFolder, single.files.map(({ path }) => path)], [false, [['b']]]);
});

void t.test('no link is followed: the last element, one on the way, one within', async (t) => {
  const { root, at } = await folder('a', 'sub/b');
  const parent = join(root, '..');
  await symlink(root, join(parent, 'link'));
  await t.rejects(trees.look(join(parent, 'link')), refusal(/^path: link is a symbolic link/));
  await t.rejects(trees.list(join(parent, 'link'), BOUNDS), refusal(/^path: link is a symbolic link/));
  await t.rejects(trees.list(join(parent, 'link', 'a'), BOUNDS), refusal(/is no folder, or not any more$/));
  await symlink('/etc/passwd', at('sub', 'innocent'));
  await t.rejects(trees.list(root, BOUNDS), refusal(/^path: pack\/sub\/innocent is a symbolic link/));
});

void t.test('a folder that becomes a link while it is listed leads nowhere', async (t) => {
  const { root, at } = await folder('a', 'sub/b');
  const elsewhere = await folder('secret');
  let isSwapped = false;
  const isStopped = () => {
    // Asked for each entry of the top, before any folder below is looked into.
    if (!isSwapped) {
      isSwapped = true;
      execFileSync('mv', [at('sub'), at('moved')]);
      execFileSync('ln', ['-s', elsewhere.root, at('sub')]);
    }
    return false;
  };
  await t.rejects(trees.list(root, { ...BOUNDS, isStopped }), { code: 'CREATE_REFUSED' });
});

void t.test('what could not be in a torrent is refused by its name', async (t) => {
  const fifo = await folder('a');
  execFileSync('mkfifo', [fifo.at('pipe')]);
  await t.rejects(trees.list(fifo.root, BOUNDS), refusal(/^path: pack\/pipe is neither a file nor a folder/));
  await t.rejects(trees.look('/dev/null'), refusal(/^path: null is neither a file nor a folder/));

  const bytes = await folder('a');
  await writeFile(Buffer.concat([Buffer.from(`${bytes.root}/`), Buffer.from([0x62, 0xff])]), 'x');
  await t.rejects(trees.list(bytes.root, BOUNDS), refusal(/^path: pack\/b\ufffd has a name that is not UTF-8/));

  const long = await folder('n'.repeat(241));
  await t.rejects(trees.list(long.root, BOUNDS), refusal(/has a name of more than 240 bytes/));

  const deep = await folder('1/2/3/4/5');
  await t.rejects(trees.list(deep.root, BOUNDS), refusal(/lies more than 5 folders deep/));

  const many = await folder(...Array.from({ length: 101 }, (_, n) => String(n)));
  await t.rejects(trees.list(many.root, BOUNDS), refusal(/more than 100 files and folders/));
  await t.rejects(trees.list(many.root, { ...BOUNDS, maxNameBytes: 50 }), refusal(/names of more than 50 bytes/));
  await t.rejects(trees.list(many.root, { ...BOUNDS, isStopped: () => true }), refusal(/no longer asked for/));
  await t.rejects(trees.look(many.at('nothing')), refusal(/^path: nothing is not there/));
});

void t.test('nothing of the data directory, or of archives of it, is listed', async (t) => {
  const { root, at } = await folder('a', 'data/store');
  await t.rejects(
    realFileTrees(refusePlaces({ own: at('data') })).list(root, BOUNDS),
    refusal(/is inside the data directory/),
  );
  await t.rejects(
    realFileTrees(refusePlaces({ own: '/elsewhere', backups: at('data') })).list(root, BOUNDS),
    refusal(/is inside the folder of the backups/),
  );
  await rename(at('data'), join(root, '..', 'data'));
  t.equal((await realFileTrees(refusePlaces({ own: join(root, '..', 'data') })).list(root, BOUNDS)).files.length, 1);
});
