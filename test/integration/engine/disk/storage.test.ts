// What only a real file system shows: sparse files, descriptors, removed files, what is left behind.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t from 'tap';
import { createDisk } from '../../../../engine/disk/disk.js';
import { createInlineHasher } from '../../../../engine/hashing/inline-hasher.js';
import {
  payloadOf,
  piecesHere,
  QUIET,
  readRange,
  sameBytes,
  temporaryFolder,
  torrentOf,
} from '../../../support/disk-fixtures.js';

function whereTo(fd: string): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}

const openDescriptors = (below: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    const shown = spawnSync('readlink', [`/proc/${process.pid}/fd/${fd}`], { encoding: 'utf8' }).stdout.trim();
    return shown.startsWith(below) ? [shown] : [];
  });

void t.test('disk usage is that of the wanted files alone', async (t) => {
  const root = await temporaryFolder(t);
  const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
  const info = torrentOf(64 * 1024, 'box/a 40000', '.pad/25536 25536', 'box/b 70000', 'box/c 5000');
  const priorities = ['normal', 'normal', 'skip', 'normal'] as const;
  const storage = disk.openTorrent({ info, savePath: join(root, 'save'), priorities });
  await storage.write(0, payloadOf(info));
  await storage.sync();
  t.same((await readdir(join(root, 'save'), { recursive: true })).sort(), ['box', 'box/a', 'box/c']);
  t.equal((await stat(join(root, 'parts'))).mode & 0o777, 0o700);
  await storage.setPriorities(['normal', 'normal', 'normal', 'normal']);
  t.ok(sameBytes(await readFile(join(root, 'save', 'box', 'b')), payloadOf(info).subarray(65_536, 135_536)));
  t.same(await readdir(join(root, 'parts')), [], 'the part file goes with its last file');
  await disk.close();
});

void t.test('what lies where is looked at anew each time, in folders that are there and that are not', async (t) => {
  const root = await temporaryFolder(t);
  const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
  const info = torrentOf(
    16 * 1024,
    'box/here/a 10',
    'box/here/b 20',
    'box/away/a 30',
    'box/away/deep/b 40',
    'box/c 50',
  );
  const storage = disk.openTorrent({
    info,
    savePath: join(root, 'save'),
    priorities: info.files.map(() => 'normal' as const),
  });
  const sizes = async () => (await storage.fileStates()).map(({ sizeBytes }) => sizeBytes);
  t.same(await sizes(), [null, null, null, null, null], 'no save path');
  const put = async (path: string, bytes: number) => {
    const file = join(root, 'save', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, Buffer.alloc(bytes));
  };
  await put('box/here/b', 20);
  await put('box/c', 5);
  t.same(await sizes(), [null, 20, null, null, 5]);
  await put('box/away/deep/b', 40);
  await put('box/here/a', 10);
  t.same(await sizes(), [10, 20, null, 40, 5]);
  await rm(join(root, 'save', 'box', 'here'), { recursive: true });
  t.same(await sizes(), [null, null, null, 40, 5]);
  await disk.close();
});

void t.test('moving out of a part file of terabytes takes no time: only marked pieces are looked at', async (t) => {
  const root = await temporaryFolder(t);
  const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
  const piece = 4 * 2 ** 20;
  const info = torrentOf(piece, 'box/a 100', `box/b ${2 ** 41}`, 'box/c 100');
  const storage = disk.openTorrent({ info, savePath: join(root, 'save'), priorities: ['normal', 'skip', 'normal'] });
  const last = (info.pieceCount - 1) * piece;
  const [head, tail] = [Buffer.alloc(piece, 1), Buffer.alloc(info.totalBytes - last, 2)];
  await storage.write(0, head);
  try {
    await storage.write(last, tail);
  } catch (error) {
    // ext4 and overlay file systems allow files of 16 TiB, others less.
    await disk.close();
    return void t.plan(0, `no file of 2 TiB here: ${String(error)}`);
  }
  await storage.setPriorities(['normal', 'normal', 'normal']);
  t.ok(sameBytes(await readRange(storage, 0, piece), head));
  t.ok(sameBytes(await readRange(storage, last, tail.length), tail));
  const { size, blocks } = await stat(join(root, 'save', 'box', 'b'));
  t.equal(size, 2 ** 41);
  t.ok(blocks * 512 < 4 * piece, `${blocks} blocks`);
  await disk.close();
});

void t.test('with two descriptors a hundred files are written and read in parallel; close leaves none', async (t) => {
  const root = await temporaryFolder(t);
  const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET }, { maxOpenFiles: 2 });
  const info = torrentOf(64, ...Array.from({ length: 100 }, (_, i) => `box/f${i} 50`));
  const storage = disk.openTorrent({ info, savePath: join(root, 'save'), priorities: info.files.map(() => 'normal') });
  const payload = payloadOf(info);
  await Promise.all(
    Array.from({ length: info.pieceCount }, (_, piece) =>
      storage.write(piece * 64, payload.subarray(piece * 64, piece * 64 + 64)),
    ),
  );
  t.ok(openDescriptors(root).length <= 2);
  await storage.sync();
  const parts = await Promise.all(info.files.map((file) => readRange(storage, file.offset, 50)));
  t.ok(sameBytes(Buffer.concat(parts), payload));
  t.equal(await piecesHere(storage, createInlineHasher(), info), '1'.repeat(info.pieceCount));
  await storage.close();
  t.same(openDescriptors(root), []);
  t.ok(sameBytes(await readRange(storage, 0, 50), payload.subarray(0, 50)), 'opens again');
  await disk.close();
  t.same(openDescriptors(root), []);
});

void t.test('a pin outlives close and deletion', async (t) => {
  const root = await temporaryFolder(t);
  const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET }, { maxOpenFiles: 1 });
  const info = torrentOf(64, 'box/a 100', 'box/b 28');
  const storage = disk.openTorrent({ info, savePath: join(root, 'save'), priorities: ['normal', 'normal'] });
  await storage.write(0, payloadOf(info));
  const pinned = await storage.pinSpans(0, 2);
  await storage.deleteFiles();
  await disk.close();
  const [first, second] = await createInlineHasher().hashPieces(pinned.pieces);
  t.ok(first);
  t.ok(second);
  t.equal(openDescriptors(root).length, 2);
  pinned.release();
  pinned.release();
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.same(openDescriptors(root), []);
});

void t.test('a file removed while it is open does not count as durable', async (t) => {
  const root = await temporaryFolder(t);
  const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
  const info = torrentOf(64, 'box/a 64', 'box/b 64');
  const storage = disk.openTorrent({ info, savePath: join(root, 'save'), priorities: ['normal', 'normal'] });
  await storage.write(0, payloadOf(info));
  await rm(join(root, 'save', 'box', 'b'));
  await t.rejects(storage.sync(), { code: 'FILES_MISSING', data: { path: 'box/b' } });
  await rm(join(root, 'save', 'box'), { recursive: true });
  await storage.write(64, payloadOf(info).subarray(64));
  t.ok(existsSync(join(root, 'save', 'box', 'b')), 'folders that were removed are made again');
  await storage.sync();
  await disk.close();
});

void t.test(
  'a descriptor that takes no writes any more, as after a file server was away, is not used again',
  async (t) => {
    const root = await temporaryFolder(t);
    const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
    const info = torrentOf(64, 'box/a 128');
    const storage = disk.openTorrent({ info, savePath: join(root, 'save'), priorities: ['normal'] });
    const bytes = payloadOf(info);
    await storage.write(0, bytes.subarray(0, 64));
    const path = join(root, 'save', 'box', 'a');
    const stale = readdirSync('/proc/self/fd').find((fd) => whereTo(fd) === path);
    closeSync(Number(stale));
    t.equal(openSync('/dev/null', 'r'), Number(stale), 'the lowest number that is free');
    await t.rejects(storage.write(64, bytes.subarray(64)), { code: 'DISK_FAILED', data: { errno: 'EBADF' } });
    await storage.write(64, bytes.subarray(64));
    await storage.sync();
    t.ok(sameBytes(await readFile(path), bytes));
    await disk.close();
  },
);

void t.test('priorities change while pieces are written: every byte is found afterwards', async (t) => {
  const root = await temporaryFolder(t);
  const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
  const info = torrentOf(64, 'box/a 100', 'box/b 300', 'box/c 112');
  const [all, skipping] = [['normal', 'normal', 'normal'] as const, ['normal', 'skip', 'normal'] as const];
  const storage = disk.openTorrent({ info, savePath: join(root, 'save'), priorities: skipping });
  const payload = payloadOf(info);
  const work: Promise<void>[] = [];
  for (let piece = 0; piece < info.pieceCount; piece++) {
    work.push(storage.write(piece * 64, payload.subarray(piece * 64, piece * 64 + 64)));
    work.push(storage.setPriorities(piece % 2 === 0 ? all : skipping));
  }
  await Promise.all(work);
  t.equal(await piecesHere(storage, createInlineHasher(), info), '11111111');
  await storage.setPriorities(all);
  t.equal(await piecesHere(storage, createInlineHasher(), info), '11111111');
  await disk.close();
});

void t.test('deletion leaves what others put beside it, and the save path', async (t) => {
  const root = await temporaryFolder(t);
  const save = join(root, 'save');
  const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
  const info = torrentOf(64, 'box/a 64', 'box/sub/deep/b 64', 'box/other/c 64');
  const storage = disk.openTorrent({ info, savePath: save, priorities: ['normal', 'normal', 'normal'] });
  await storage.write(0, payloadOf(info));
  await mkdir(join(save, 'box', 'other', 'theirs'));
  await writeFile(join(save, 'stranger'), 'stays');
  await storage.deleteFiles();
  t.same((await readdir(save, { recursive: true })).sort(), ['box', 'box/other', 'box/other/theirs', 'stranger']);
  const alone = disk.openTorrent({ info, savePath: join(root, 'empty'), priorities: ['normal', 'normal', 'normal'] });
  await alone.write(0, payloadOf(info));
  await alone.deleteFiles();
  t.same(await readdir(join(root, 'empty')), []);
  await disk.close();
});

void t.test('a full file system is DISK_FULL, for that torrent only, and nothing is lost', async (t) => {
  const root = await temporaryFolder(t);
  const small = join(root, 'small');
  await mkdir(small);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'swarmd-test', small]).status === 0;
  if (!mounted) return void t.plan(0, 'may not mount a tmpfs: needs root');
  try {
    const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
    const info = torrentOf(256 * 1024, 'a 700000', 'b 1400000');
    const [full, other] = [small, join(root, 'save')].map((savePath) =>
      disk.openTorrent({ info, savePath, priorities: ['normal', 'normal'] }),
    );
    const payload = payloadOf(info);
    await full!.write(0, payload.subarray(0, 262_144));
    await t.rejects(full!.write(262_144, payload.subarray(262_144)), { code: 'DISK_FULL' });
    await other!.write(0, payload);
    t.ok(sameBytes(await readRange(full!, 0, 700_000), payload.subarray(0, 700_000)));
    await full!.sync();
    await full!.close();
    await t.rejects(full!.write(0, payload.subarray(0, 1)), { code: 'DISK_FULL' }, 'until a look says otherwise');

    // Bytes that cannot move stay usable in the part file, and move when there is room.
    const later = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
    const third = torrentOf(65_536, 'c 1000', `d 600000`, 'e 1000');
    const moving = later.openTorrent({ info: third, savePath: small, priorities: ['normal', 'skip', 'normal'] });
    const bytes = payloadOf(third);
    await moving.write(0, bytes);
    const filler = join(small, 'filler');
    await writeFile(filler, Buffer.alloc(200_000));
    await t.rejects(moving.setPriorities(['normal', 'normal', 'normal']), { code: 'DISK_FULL' });
    t.ok(sameBytes(await readRange(moving, 0, bytes.length), bytes));
    await rm(filler);
    await rm(join(small, 'a'));
    await full!.close();
    await moving.setPriorities(['normal', 'normal', 'normal']);
    t.ok(sameBytes(await readRange(moving, 0, bytes.length), bytes));
    t.ok(sameBytes(await readFile(join(small, 'd')), bytes.subarray(1000, 601_000)));
    await later.close();
    await disk.close();
  } finally {
    spawnSync('umount', ['-l', small]);
  }
});

void t.test('a process that is out of descriptors waits for one instead of failing', async (t) => {
  const root = await temporaryFolder(t);
  const script = `
    import { createDisk } from ${JSON.stringify(new URL('../../../../engine/disk/disk.js', import.meta.url).href)};
    import { openSync, closeSync } from 'node:fs';
    const log = { debug() {}, info() {}, warn: (message) => console.log(message), error() {} };
    const disk = createDisk({ partsDir: ${JSON.stringify(join(root, 'parts'))}, log }, { maxOpenFiles: 500 });
    const files = Array.from({ length: 40 }, (_, index) => ({
      index, path: ['f' + index], sizeBytes: 10, offset: index * 10, isPad: false,
    }));
    const info = { infoHash: 'a'.repeat(40), name: 'f', pieceLength: 16, pieceCount: 25, totalBytes: 400,
      pieceHashes: new Uint8Array(500), files, isPrivate: false };
    const storage = disk.openTorrent({ info, savePath: ${JSON.stringify(join(root, 'save'))}, priorities: files.map(() => 'normal') });
    await storage.write(0, Buffer.alloc(10, 6));
    const hogs = [];
    try { for (;;) hogs.push(openSync('/dev/null')); } catch (error) { console.log(error.code); }
    closeSync(hogs.pop());
    await storage.write(0, Buffer.alloc(400, 7));
    setTimeout(() => hogs.forEach((fd) => closeSync(fd)), 150);
    await Promise.all(files.map((file) => storage.read(file.offset, [Buffer.alloc(10)])));
    await disk.close();
    console.log('done');
  `;
  const run = `ulimit -n 64 && exec "$0" --input-type=module -`;
  const { stdout, stderr } = spawnSync('bash', ['-c', run, process.execPath], { input: script, encoding: 'utf8' });
  t.match(stdout, /^EMFILE\nout of file descriptors\n[^]*done\n$/, stderr);
});
