// Room that files are given before their bytes come, on a real file system: what they are as long as, what they take of the
// disk, and what becomes of it where there is not enough.
import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { createDisk } from '../../../../engine/disk/disk.js';
import { preallocate } from '../../../../engine/disk/preallocate.js';
import { PREALLOCATIONS, type Preallocation } from '../../../../shared-protocol/preallocation.js';
import { payloadOf, QUIET, sameBytes, temporaryFolder, torrentOf } from '../../../support/disk-fixtures.js';

const PIECE_BYTES = 64 * 1024;
const FILE_BYTES = 4 * 1024 * 1024;
const STAT_BLOCK_BYTES = 512;
const INFO = torrentOf(PIECE_BYTES, `box/wanted ${FILE_BYTES}`, `box/skipped ${FILE_BYTES}`);

async function start(t: Test, preallocation: Preallocation) {
  const root = await temporaryFolder(t);
  const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
  t.teardown(() => disk.close());
  const savePath = join(root, 'save');
  const storage = disk.openTorrent({ info: INFO, savePath, priorities: ['normal', 'skip'], preallocation });
  return { storage, file: (name: string) => join(savePath, 'box', name) };
}

const looked = async (path: string) => {
  const { size, blocks } = await stat(path);
  return { size, onDisk: blocks * STAT_BLOCK_BYTES };
};

for (const preallocation of PREALLOCATIONS) {
  void t.test(`${preallocation}: what the first piece makes`, async (t) => {
    const { storage, file } = await start(t, preallocation);
    const bytes = payloadOf(INFO);
    await storage.write(0, bytes.subarray(0, PIECE_BYTES));
    const { size, onDisk } = await looked(file('wanted'));
    t.equal(size, preallocation === 'none' ? PIECE_BYTES : FILE_BYTES);
    t.equal(onDisk >= FILE_BYTES, preallocation === 'full', `${onDisk} bytes on disk`);
    await t.rejects(stat(file('skipped')), { code: 'ENOENT' }, 'a file that is not wanted is given nothing');
    await storage.write(PIECE_BYTES, bytes.subarray(PIECE_BYTES, FILE_BYTES));
    await storage.sync();
    t.ok(sameBytes(await readFile(file('wanted')), bytes.subarray(0, FILE_BYTES)));
    t.equal((await looked(file('wanted'))).size, FILE_BYTES);
  });
}

void t.test('a file that was begun otherwise is given what is missing, and keeps its bytes', async (t) => {
  const path = join(await temporaryFolder(t), 'file');
  await writeFile(path, 'begun');
  const file = await open(path, 'r+');
  t.teardown(() => file.close());
  await preallocate(file.fd, 100_000, 'sparse');
  t.equal((await stat(path)).size, 100_000);
  await preallocate(file.fd, 200_000, 'full');
  t.match(await looked(path), { size: 200_000 });
  await preallocate(file.fd, 1_000, 'full');
  t.equal((await stat(path)).size, 200_000, 'nothing is ever cut off');
  t.equal((await readFile(path)).subarray(0, 5).toString(), 'begun');
});

void t.test('no room for all of it: the error is that of a full disk, and nothing is written', async (t) => {
  const path = join(await temporaryFolder(t), 'file');
  const file = await open(path, 'w+');
  t.teardown(() => file.close());
  await t.rejects(preallocate(file.fd, 2 ** 50, 'full'), { code: /^(?:ENOSPC|EFBIG)$/ });
  t.same((await looked(path)).onDisk, 0);
});
