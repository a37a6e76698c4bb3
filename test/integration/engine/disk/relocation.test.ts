// Files on their way between save paths, on real file systems: what is made, what is taken away again, and what is left
// alone, whatever others do meanwhile. The two volumes are those of temporary files and of shared memory.
import { existsSync } from 'node:fs';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Claims } from '../../../../engine/claims/index.js';
import { createDisk } from '../../../../engine/disk/disk.js';
import { realPathLooks } from '../../../../engine/disk/path-looks.js';
import type { Bringing, FileOwnership, Relocation } from '../../../../engine/disk/types.js';
import type { TorrentInfo } from '../../../../engine/metainfo/types.js';
import { ADMIN_ACCOUNT_ID } from '../../../../shared-protocol/ids.js';
import { createMemoryTorrentStore } from '../../../support/memory-torrent-store.js';
import { payloadOf, QUIET, temporaryFolder, torrentOf } from '../../../support/disk-fixtures.js';

const SHARED_MEMORY = '/dev/shm';
const INFO = torrentOf(64, 'box/a 100', 'box/sub/b 0', 'box/c 5000000');
const ANY: FileOwnership = {
  admits: () => true,
  beforeMaking: async () => undefined,
  onMade: async () => undefined,
  mayDelete: () => true,
  isRecorded: () => true,
  admitsIncomplete: () => true,
  mayDeleteIncomplete: () => true,
};

interface Scene {
  readonly from: string;
  readonly to: string;
  /** A relocation of a run of its own, as after a restart. */
  run(): Relocation;
}

async function setScene(t: Test, to: string, info: TorrentInfo = INFO): Promise<Scene> {
  const root = await temporaryFolder(t);
  const [from, id] = [join(root, 'from'), info.infoHash];
  const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
  t.teardown(() => disk.close());
  const storage = disk.openTorrent({ info, savePath: from, priorities: info.files.map(() => 'normal') });
  await storage.write(0, payloadOf(info));
  await storage.createEmptyFiles();
  await storage.sync();
  const store = createMemoryTorrentStore();
  const row = {
    ownerId: ADMIN_ACCOUNT_ID,
    savePath: from,
    addedAt: 0,
    completedAt: null,
    paused: false,
    sequential: false,
  };
  const rest = { name: 'box', trackers: [], webSeeds: [], filePriorities: null, summary: null, selectOnly: null };
  await store.insert({ id, ...row, ...rest }, null, null);
  return {
    from,
    to,
    run() {
      const elsewhere = new Claims({ store, looks: realPathLooks, log: QUIET }).elsewhereOf({ id }, info.files.length);
      return disk.relocation({ info, from, to, ownership: ANY, elsewhere });
    },
  };
}

/** Stops after so many bytes. */
const upTo = (bytes: number): Bringing & { done: number } => ({
  done: 0,
  isStopped() {
    return this.done >= bytes;
  },
  onBytes(count) {
    this.done += count;
  },
  onCopied: async () => undefined,
});

const content = (folder: string) =>
  Promise.all(INFO.files.map(({ path }) => readFile(join(folder, ...path)))).then((parts) => Buffer.concat(parts));

async function sameVolume(t: Test): Promise<string> {
  return join(await temporaryFolder(t), 'to');
}

async function otherVolume(t: Test): Promise<string> {
  const folder = await mkdtemp(join(SHARED_MEMORY, 'swarmd-relocation-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'to');
}

const { dev } = await stat('/tmp');
const isOne = !existsSync(SHARED_MEMORY) || (await stat(SHARED_MEMORY)).dev === dev;

const VOLUMES = [
  { name: 'one volume', target: sameVolume, skip: false, isLinked: true },
  { name: 'two volumes', target: otherVolume, skip: isOne && 'there is one volume only', isLinked: false },
] as const;

for (const { name, target, skip, isLinked } of VOLUMES) {
  void t.test(`${name}: all of it comes, and then the old goes`, { skip }, async (t) => {
    const { from, to, run } = await setScene(t, await target(t));
    await utimes(join(from, 'box', 'a'), 1_600_000_000.25, 1_600_000_000.25);
    await chmod(join(from, 'box', 'a'), 0o640);
    const relocation = run();
    t.same((await relocation.look()).bytes, INFO.totalBytes);
    const bringing = upTo(Infinity);
    await relocation.bring(bringing);
    t.equal(bringing.done, INFO.totalBytes);
    const { before, after, states } = await relocation.seal();
    t.equal(before[0]!.inode === after[0]!.inode, isLinked);
    t.same(await content(to), await content(from), 'both places are whole');
    const { mtimeMs, mode, ctimeMs } = await stat(join(to, 'box', 'a'));
    t.same([mtimeMs, mode & 0o777], [1_600_000_000_250, 0o640]);
    t.same(states[0], { sizeBytes: 100, mtimeMs, ctimeMs });
    // As after the switch: the record of the other place is that of the old one.
    const bytes = await content(to);
    await run().clean(() => false);
    t.same(await content(to), bytes);
    t.same(existsSync(join(from, 'box')), !isLinked, 'only what is recorded as its own goes');
  });

  void t.test(`${name}: what was made is taken away again after any end, and nothing else`, { skip }, async (t) => {
    const { from, to, run } = await setScene(t, await target(t));
    await mkdir(join(to, 'box'), { recursive: true });
    await writeFile(join(to, 'box', 'notes'), 'of others');
    const relocation = run();
    await relocation.look();
    await t.rejects(relocation.bring(upTo(101)), { code: 'MOVE_CONFLICT' });
    // What comes to lie there between the end and the next start.
    if (!existsSync(join(to, 'box', 'c'))) await writeFile(join(to, 'box', 'c'), 'of others');
    const others =
      (await readdir(join(to, 'box'))).includes('c') && (await readFile(join(to, 'box', 'c'))).length === 9;
    await run().undo();
    t.same((await readdir(join(to, 'box'))).sort(), others ? ['c', 'notes'] : ['notes']);
    t.equal((await content(from)).length, INFO.totalBytes);
  });

  void t.test(`${name}: what may be all there is stays`, { skip }, async (t) => {
    const { from, to, run } = await setScene(t, await target(t));
    const relocation = run();
    await relocation.look();
    await relocation.bring(upTo(Infinity));
    await unlink(join(from, 'box', 'a'));
    await run().undo();
    t.same(await readdir(join(to, 'box')), ['a'], 'removed from the old place by somebody');
  });

  void t.test(`${name}: a file in the way is named, and left`, { skip }, async (t) => {
    const { from, to, run } = await setScene(t, await target(t));
    const taken = join(to, 'box', 'sub', 'b');
    await mkdir(join(to, 'box', 'sub'), { recursive: true });
    await writeFile(taken, '');
    await t.rejects(run().look(), { code: 'MOVE_TARGET_TAKEN', data: { path: 'box/sub/b' } });
    // It comes after the look: empty, as one that was about to be made would be.
    await unlink(taken);
    const relocation = run();
    await relocation.look();
    await writeFile(taken, '');
    await t.rejects(relocation.bring(upTo(Infinity)), { code: 'MOVE_TARGET_TAKEN', data: { path: 'box/sub/b' } });
    await relocation.undo();
    t.same(await readdir(to, { recursive: true }), ['box', 'box/sub', 'box/sub/b']);
    t.equal((await content(from)).length, INFO.totalBytes);
  });

  void t.test(`${name}: links lead nowhere`, { skip }, async (t) => {
    const { from, to, run } = await setScene(t, await target(t));
    const outside = await temporaryFolder(t);
    await mkdir(to);
    await symlink(outside, join(to, 'box'));
    await t.rejects(run().look(), { code: 'MOVE_TARGET_TAKEN' });
    await unlink(join(to, 'box'));
    const relocation = run();
    await relocation.look();
    await symlink(outside, join(to, 'box'));
    await t.rejects(relocation.bring(upTo(Infinity)));
    await relocation.undo();
    t.same(await readdir(outside), []);
    t.equal((await content(from)).length, INFO.totalBytes);
    // Nor is what another thing has taken the place of brought.
    await unlink(join(to, 'box'));
    const secret = join(outside, 'secret');
    await writeFile(secret, 'secret');
    const again = run();
    await again.look();
    await unlink(join(from, 'box', 'a'));
    await link(secret, join(from, 'box', 'a')).catch(() => symlink(secret, join(from, 'box', 'a')));
    await t.rejects(again.bring(upTo(Infinity)).then(() => again.seal()));
    await again.undo();
  });

  void t.test(`${name}: what is not whole at the new place stays at the old one`, { skip }, async (t) => {
    const { from, to, run } = await setScene(t, await target(t));
    const relocation = run();
    await relocation.look();
    await relocation.bring(upTo(Infinity));
    await relocation.seal();
    if (isLinked) await unlink(join(to, 'box', 'c'));
    else await truncate(join(to, 'box', 'c'), 10);
    const cleaning = run().clean(() => false);
    if (isLinked) await t.rejects(cleaning, { code: 'FILES_MISSING', data: { path: 'box/c' } });
    else await cleaning;
    t.equal((await stat(join(from, 'box', 'c'))).size, 5_000_000);
  });
}
