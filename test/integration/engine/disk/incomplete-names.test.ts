// Names of incomplete files on the real disk: which of two files is the torrent's, what an end in between has left, and that a
// name which something else has is never taken.
import { link, lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createDisk } from '../../../../engine/disk/disk.js';
import type { Bringing, FileOwnership, FoundFile, OwnershipElsewhere } from '../../../../engine/disk/types.js';
import { payloadOf, QUIET, readRange, temporaryFolder, torrentOf } from '../../../support/disk-fixtures.js';

const THERE: Bringing = { isStopped: () => false, onBytes: () => undefined, onCopied: async () => undefined };
const INFO = torrentOf(64, 'box/a 100', 'box/b 28', 'box/empty 0');
const PAYLOAD = payloadOf(INFO);
const NORMAL = INFO.files.map(() => 'normal' as const);

/** Only what was made here, or is told later, is the torrent's. */
class Recorded implements FileOwnership {
  readonly inodes = new Map<number, number>();

  isRecorded(index: number, { inode }: FoundFile): boolean {
    return this.inodes.get(index) === inode;
  }

  admits(index: number, found: FoundFile): boolean {
    return this.isRecorded(index, found);
  }

  admitsIncomplete(index: number, found: FoundFile): boolean {
    return this.isRecorded(index, found);
  }

  async beforeMaking(): Promise<void> {}

  async onMade(index: number, { inode }: FoundFile): Promise<void> {
    this.inodes.set(index, inode);
  }

  mayDelete(index: number, found: FoundFile): boolean {
    return this.isRecorded(index, found);
  }

  mayDeleteIncomplete(index: number, found: FoundFile): boolean {
    return this.isRecorded(index, found);
  }
}

class RecordedElsewhere extends Recorded implements OwnershipElsewhere {
  async onLinked(index: number, { inode }: FoundFile): Promise<void> {
    this.inodes.set(index, inode);
  }
}

async function setScene(t: Test, ownership?: FileOwnership) {
  const savePath = await temporaryFolder(t);
  const disk = createDisk({ partsDir: await temporaryFolder(t), log: QUIET });
  t.teardown(() => disk.close());
  const open = () =>
    disk.openTorrent({
      info: INFO,
      savePath,
      priorities: NORMAL,
      incompleteSuffix: '.part',
      ...(ownership && { ownership }),
    });
  const box = join(savePath, 'box');
  return { savePath, open, at: (name: string) => join(box, name), names: async () => (await readdir(box)).sort() };
}

void t.test('a file is made under the name with the suffix, and switched while it is open', async (t) => {
  const { open, at, names } = await setScene(t, new Recorded());
  const storage = open();
  await storage.createEmptyFiles();
  await storage.write(0, PAYLOAD);
  t.same(await names(), ['a.part', 'b.part', 'empty']);
  t.match(await storage.fileStates(), [{ isIncomplete: true }, { isIncomplete: true }, { sizeBytes: 0 }]);
  t.same(await storage.giveOwnNames([0, 2]), { switched: 1, taken: null });
  t.same(await names(), ['a', 'b.part', 'empty']);
  t.same(await readRange(storage, 0, 128), PAYLOAD);
  await storage.write(10, PAYLOAD.subarray(10, 20));
  await storage.sync();
  t.equal((await lstat(at('a'))).nlink, 1);
  t.same(await storage.giveIncompleteNames([0]), { switched: 1, taken: null });
  await storage.close();
  t.same(await names(), ['a.part', 'b.part', 'empty']);
  t.same(await readRange(open(), 0, 128), PAYLOAD);
});

void t.test('what has the own name is not written over, followed or taken for the torrent’s', async (t) => {
  const { open, at, names } = await setScene(t, new Recorded());
  const storage = open();
  await storage.write(0, PAYLOAD);
  await writeFile(at('a'), 'another one');
  await symlink('/etc/passwd', at('b'));
  const { taken, switched } = await storage.giveOwnNames([0, 1]);
  t.same([switched, taken], [0, ['box', 'a']]);
  await storage.close();
  t.same(await readRange(open(), 0, 128), PAYLOAD, 'the recorded one counts');
  await open().deleteFiles();
  t.same(await names(), ['a', 'b']);
  t.equal(await readFile(at('a'), 'utf8'), 'another one');
});

void t.test('one file under both names has its own from then on', async (t) => {
  const ownership = new Recorded();
  const { open, at, names } = await setScene(t, ownership);
  const storage = open();
  await storage.write(0, PAYLOAD);
  await storage.sync();
  await storage.close();
  await link(at('a.part'), at('a'));
  t.notMatch((await open().fileStates())[0], { isIncomplete: true });
  t.same(await names(), ['a', 'b.part']);
  t.same(await readRange(open(), 0, 100), PAYLOAD.subarray(0, 100));
});

void t.test('where something else has the name with the suffix a file has its own at once', async (t) => {
  const { savePath, open, at, names } = await setScene(t, new Recorded());
  await mkdir(join(savePath, 'box'));
  await writeFile(at('a.part'), 'another one');
  await mkdir(at('b.part'));
  const storage = open();
  await storage.write(0, PAYLOAD);
  t.same(await names(), ['a', 'a.part', 'b', 'b.part']);
  t.same(await storage.giveOwnNames([0, 1]), { switched: 0, taken: null });
  t.same(await storage.giveIncompleteNames([0]), { switched: 0, taken: ['box', 'a.part'] });
  t.equal(await readFile(at('a.part'), 'utf8'), 'another one');
  await storage.deleteFiles();
  t.same(await names(), ['a.part', 'b.part']);
});

void t.test('of a torrent that owns whatever lies there the own name counts', async (t) => {
  const { savePath, open, at } = await setScene(t);
  await mkdir(join(savePath, 'box'));
  await writeFile(at('a'), PAYLOAD.subarray(0, 100));
  await writeFile(at('a.part'), 'older');
  await writeFile(at('b.part'), PAYLOAD.subarray(100));
  t.same(await readRange(open(), 0, 128), PAYLOAD);
});

void t.test('a relocation leaves each file its name, and is undone and cleaned up under both', async (t) => {
  const { savePath, open, names } = await setScene(t);
  const storage = open();
  await storage.write(0, PAYLOAD);
  await storage.giveOwnNames([1]);
  await storage.close();
  const to = await temporaryFolder(t);
  const disk = createDisk({ partsDir: await temporaryFolder(t), log: QUIET });
  t.teardown(() => disk.close());
  const elsewhere = new RecordedElsewhere();
  // Each as after a restart, which knows nothing of the names but what lies there.
  const run = () => disk.relocation({ info: INFO, from: savePath, to, incompleteSuffix: '.part', elsewhere });
  const there = async () => (await readdir(join(to, 'box')).catch(() => [])).sort();
  const bring = async () => {
    const relocation = run();
    await relocation.look();
    await relocation.bring(THERE);
    await relocation.seal();
  };
  await bring();
  t.same(await there(), ['a.part', 'b']);
  await run().undo();
  t.same(await there(), []);
  t.same(await names(), ['a.part', 'b']);
  await bring();
  const moved = disk.openTorrent({ info: INFO, savePath: to, priorities: NORMAL, incompleteSuffix: '.part' });
  // It goes on at the new place before the old one is cleaned up.
  await moved.giveOwnNames([0]);
  await run().clean(() => false);
  t.same(await names().catch(() => []), []);
  t.same(await readRange(moved, 0, 128), PAYLOAD);
  t.same(await there(), ['a', 'b']);
});

void t.test('a relocation takes the place of neither name', async (t) => {
  const { savePath, open, names } = await setScene(t);
  await open().write(0, PAYLOAD);
  const disk = createDisk({ partsDir: await temporaryFolder(t), log: QUIET });
  t.teardown(() => disk.close());
  for (const name of ['a', 'a.part', 'b']) {
    const to = await temporaryFolder(t);
    await mkdir(join(to, 'box'));
    await writeFile(join(to, 'box', name), 'another one');
    const elsewhere = new RecordedElsewhere();
    const relocation = disk.relocation({ info: INFO, from: savePath, to, incompleteSuffix: '.part', elsewhere });
    await t.rejects(relocation.look(), { code: 'MOVE_TARGET_TAKEN' });
    await relocation.undo();
    t.same(await readdir(join(to, 'box')), [name]);
  }
  t.same(await names(), ['a.part', 'b.part']);
});
