// Files on their way to other paths below one save path, on a real file system: only those that change their path are
// touched, in either direction and after any end, and links lead nowhere.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Claims } from '../../../../engine/claims/index.js';
import { createDisk } from '../../../../engine/disk/disk.js';
import { realPathLooks } from '../../../../engine/disk/path-looks.js';
import type { Bringing, FileOwnership, Relocation } from '../../../../engine/disk/types.js';
import { renamedPaths } from '../../../../engine/metainfo/index.js';
import { ADMIN_ACCOUNT_ID } from '../../../../shared-protocol/ids.js';
import { createMemoryTorrentStore } from '../../../support/memory-torrent-store.js';
import { payloadOf, QUIET, readRange, sameBytes, temporaryFolder, torrentOf } from '../../../support/disk-fixtures.js';

const INFO = torrentOf(64, 'box/a 100', 'box/sub/b 30', 'box/c 500');
const PRIORITIES = INFO.files.map(() => 'normal' as const);
const ANY: FileOwnership = {
  admits: () => true,
  beforeMaking: async () => undefined,
  onMade: async () => undefined,
  mayDelete: () => true,
  isRecorded: () => true,
  admitsIncomplete: () => true,
  mayDeleteIncomplete: () => true,
};
const ON: Bringing = { isStopped: () => false, onBytes: () => undefined, onCopied: async () => undefined };

async function setScene(t: Test) {
  const root = await temporaryFolder(t);
  const savePath = join(root, 'files');
  const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
  t.teardown(() => disk.close());
  const storage = disk.openTorrent({ info: INFO, savePath, priorities: PRIORITIES });
  await storage.write(0, payloadOf(INFO));
  await storage.sync();
  const store = createMemoryTorrentStore();
  const id = INFO.infoHash;
  const row = { ownerId: ADMIN_ACCOUNT_ID, savePath, addedAt: 0, completedAt: null, paused: false, sequential: false };
  const rest = { name: 'box', trackers: [], webSeeds: [], filePriorities: null, summary: null, selectOnly: null };
  await store.insert({ id, ...row, ...rest }, null, null);
  /** A run of its own, as after a restart. */
  const run = (from: string, to: string): Relocation => {
    const infoThere = renamedPaths(INFO, {}, { from, to })!.info;
    const elsewhere = new Claims({ store, looks: realPathLooks, log: QUIET }).elsewhereOf({ id }, INFO.files.length);
    return disk.relocation({ info: INFO, infoThere, from: savePath, to: savePath, ownership: ANY, elsewhere });
  };
  return { savePath, storage, run, names: async () => (await readdir(savePath, { recursive: true })).sort() };
}

void t.test('what changes its path comes, what does not is not touched, and then the old goes', async (t) => {
  const { savePath, storage, run, names } = await setScene(t);
  await writeFile(join(savePath, 'box', 'sub', 'notes'), 'of others');
  const before = await stat(join(savePath, 'box', 'c'));
  const relocation = run('box/sub', 'box/deep/er');
  t.same([relocation.stays(0), relocation.stays(1), relocation.stays(2)], [true, false, true]);
  t.match(await relocation.look(), { bytes: 30, files: new Set([0, 1, 2]) });
  await relocation.bring(ON);
  const { before: old, after, staying } = await relocation.seal();
  t.same([...staying], [0, 2]);
  t.same([old[0], old[2], old[1]?.inode, after[2]?.inode], [null, null, after[1]?.inode, before.ino]);
  const infoThere = renamedPaths(INFO, {}, { from: 'box/sub', to: 'box/deep/er' })!.info;
  await storage.moveTo({ info: infoThere, savePath }, async () => ANY);
  t.ok(sameBytes(await readRange(storage, 0, INFO.totalBytes), payloadOf(INFO)));
  await storage.write(100, payloadOf(INFO).subarray(100, 130));
  await storage.sync();
  await run('box/sub', 'box/deep/er').clean(() => false);
  t.same(await names(), [
    'box',
    'box/a',
    'box/c',
    'box/deep',
    'box/deep/er',
    'box/deep/er/b',
    'box/sub',
    'box/sub/notes',
  ]);
  const { ctimeMs, ino } = await stat(join(savePath, 'box', 'c'));
  t.same([ctimeMs, ino], [before.ctimeMs, before.ino]);
  await storage.close();
});

void t.test('what is hashed is looked for where it lies when it is its turn, not where it lay before', async (t) => {
  const { savePath, storage, run } = await setScene(t);
  const relocation = run('box/sub', 'box/new');
  await relocation.look();
  await relocation.bring(ON);
  await relocation.seal();
  const infoThere = renamedPaths(INFO, {}, { from: 'box/sub', to: 'box/new' })!.info;
  const moving = storage.moveTo({ info: infoThere, savePath }, async () => {
    await rm(join(savePath, 'box', 'sub', 'b'));
    return ANY;
  });
  const pinning = storage.pinSpans(0, INFO.pieceCount);
  await moving;
  const { pieces, release } = await pinning;
  t.same(new Set(pieces.flat().map(({ kind }) => kind)), new Set(['file']));
  release();
  await storage.close();
});

void t.test('what was made is taken away again, and nothing else', async (t) => {
  const { savePath, run, names } = await setScene(t);
  const before = await names();
  await mkdir(join(savePath, 'other'));
  await writeFile(join(savePath, 'other', 'notes'), 'of others');
  const relocation = run('box', 'other');
  await relocation.look();
  await relocation.bring(ON);
  await run('box', 'other').undo();
  t.same(await names(), [...before, 'other', 'other/notes'].sort());
  t.ok((await readFile(join(savePath, 'box', 'a'))).length === 100);
});

void t.test('neither through a link nor onto one', async (t) => {
  const { savePath, run, names } = await setScene(t);
  await mkdir(join(savePath, 'inside'));
  await symlink(join(savePath, 'inside'), join(savePath, 'box', 'link'));
  await t.rejects(run('box/a', 'box/link/a').look(), { code: 'MOVE_TARGET_TAKEN', data: { path: 'box/link' } });
  await t.rejects(run('box/a', 'box/link').look(), { code: 'MOVE_TARGET_TAKEN', data: { path: 'box/link' } });
  const outside = await temporaryFolder(t);
  await symlink(outside, join(savePath, 'out'));
  await t.rejects(run('box/a', 'out/a').look(), { code: 'MOVE_TARGET_TAKEN' });
  t.same([await readdir(join(savePath, 'inside')), await readdir(outside)], [[], []]);
  // One that its files lie behind already is its user's own.
  const again = run('box/sub', 'box/sub2');
  await again.look();
  t.ok((await names()).includes('box/sub/b'));
  t.notOk(existsSync(join(savePath, 'box', 'sub2')));
});
