// Links that others have planted (docs/limits.md 2.2): nothing outside the save path is read, written or deleted.
import { spawnSync } from 'node:child_process';
import { closeSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createDisk } from '../../../../engine/disk/disk.js';
import { FolderTree } from '../../../../engine/disk/open-beneath.js';
import type { TorrentStorage } from '../../../../engine/disk/types.js';
import { payloadOf, QUIET, readRange, sameBytes, temporaryFolder, torrentOf } from '../../../support/disk-fixtures.js';

const INFO = torrentOf(64, 'box/sub/file 64');
const SECRET = 'not to be touched, and longer than the sixty-four bytes that the torrent would like to have';

interface World {
  readonly save: string;
  readonly outside: string;
  readonly storage: TorrentStorage;
  /** The sentinel tree is as it was. */
  assertUntouched(): Promise<void>;
}

async function plant(t: Test, links: Readonly<Record<string, string>>): Promise<World> {
  const root = await temporaryFolder(t);
  const [save, outside] = [join(root, 'save'), join(root, 'outside')];
  await mkdir(join(outside, 'sub'), { recursive: true });
  await writeFile(join(outside, 'secret'), SECRET);
  await writeFile(join(outside, 'sub', 'file'), SECRET);
  for (const [path, target] of Object.entries(links)) {
    await mkdir(join(save, path, '..'), { recursive: true });
    await symlink(target.replace('OUTSIDE', outside), join(save, path));
  }
  const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
  t.teardown(() => disk.close());
  const storage = disk.openTorrent({ info: INFO, savePath: save, priorities: ['normal'] });
  const assertUntouched = async (): Promise<void> => {
    t.same((await readdir(outside, { recursive: true })).sort(), ['secret', 'sub', 'sub/file']);
    for (const file of ['secret', 'sub/file']) t.equal(await readFile(join(outside, file), 'utf8'), SECRET);
  };
  return { save, outside, storage, assertUntouched };
}

const PLANTED = [
  { name: 'the file is a link', links: { 'box/sub/file': 'OUTSIDE/secret' } },
  { name: 'the file is a dangling link', links: { 'box/sub/file': 'OUTSIDE/new' } },
  { name: 'its folder is a link', links: { 'box/sub': 'OUTSIDE/sub' } },
  { name: 'a folder above is a relative link', links: { box: '../outside' } },
  { name: 'a folder above leads to the root', links: { box: '/' } },
  { name: 'its folder is a link to itself', links: { 'box/sub': 'sub' } },
  { name: 'its folder is a link to nowhere', links: { 'box/sub': '../nowhere' } },
] as const;

for (const { name, links } of PLANTED) {
  void t.test(`${name}: refused, and left alone by deletion`, async (t) => {
    const { save, storage, assertUntouched } = await plant(t, links);
    await t.rejects(storage.write(0, payloadOf(INFO)), { code: 'DISK_FAILED', data: { refused: true } });
    await t.rejects(readRange(storage, 0, 64));
    t.same(await storage.fileStates(), [{ sizeBytes: null, mtimeMs: 0 }]);
    await storage.deleteFiles();
    await assertUntouched();
    for (const path of Object.keys(links)) t.ok((await lstat(join(save, path))).isSymbolicLink());
  });
}

for (const isThere of [true, false]) {
  void t.test(
    `a folder that became a link since it was checked, a file ${isThere ? 'there' : 'not there'}`,
    async (t) => {
      const root = await temporaryFolder(t);
      const [outside, box] = [join(root, 'outside'), join(root, 'save', 'box')];
      await mkdir(outside);
      const tree = new FolderTree(join(root, 'save'));
      closeSync(await tree.open(['box', 'one'], 'write'));
      if (isThere) for (const folder of [box, outside]) await writeFile(join(folder, 'two'), SECRET);
      await rename(box, join(root, 'save', 'moved'));
      await symlink(outside, box);
      for (const mode of ['write', 'read'] as const) await t.rejects(tree.open(['box', 'two'], mode));
      t.same(await readdir(outside), isThere ? ['two'] : []);
    },
  );
}

void t.test('a link to a folder inside the save path may be used', async (t) => {
  const { save, storage } = await plant(t, {});
  await mkdir(join(save, 'elsewhere'), { recursive: true });
  await mkdir(join(save, 'box'));
  await symlink('../elsewhere', join(save, 'box', 'sub'));
  await storage.write(0, payloadOf(INFO));
  t.ok(sameBytes(await readFile(join(save, 'elsewhere', 'file')), payloadOf(INFO)));
});

void t.test('the save path itself may be a link', async (t) => {
  const root = await temporaryFolder(t);
  await mkdir(join(root, 'big-disk'));
  await symlink('big-disk', join(root, 'save'));
  const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
  const storage = disk.openTorrent({ info: INFO, savePath: join(root, 'save'), priorities: ['normal'] });
  await storage.write(0, payloadOf(INFO));
  t.ok(sameBytes(await readFile(join(root, 'big-disk', 'box', 'sub', 'file')), payloadOf(INFO)));
  await storage.deleteFiles();
  t.same(await readdir(join(root, 'big-disk')), []);
});

void t.test('a FIFO or a folder in the place of the file neither hangs nor is removed', async (t) => {
  const { save, storage } = await plant(t, {});
  await mkdir(join(save, 'box', 'sub'), { recursive: true });
  const fifo = join(save, 'box', 'sub', 'file');
  if (spawnSync('mkfifo', [fifo]).status !== 0) return void t.plan(0, 'mkfifo is missing');
  await t.rejects(readRange(storage, 0, 64), { code: 'DISK_FAILED' });
  await t.rejects(storage.write(0, payloadOf(INFO)), { code: 'DISK_FAILED' });
  await storage.deleteFiles();
  t.ok((await lstat(fifo)).isFIFO());
});

void t.test('names that a parser should have refused are refused here too', async (t) => {
  const root = await temporaryFolder(t);
  const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
  for (const path of [['..', 'x'], ['box', '..'], ['box', ''], ['a/b'], ['x\0y']]) {
    const [file] = INFO.files;
    const info = { ...INFO, files: [{ ...file!, path }] };
    const storage = disk.openTorrent({ info, savePath: join(root, 'save'), priorities: ['normal'] });
    await t.rejects(storage.write(0, payloadOf(INFO)), { code: 'DISK_FAILED', data: { refused: true } });
  }
  t.same(
    (await readdir(root)).filter((name) => name !== 'save'),
    [],
  );
});
