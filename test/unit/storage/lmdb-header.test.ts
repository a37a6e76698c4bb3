import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { damageOf } from '../../../storage/lmdb-header.js';
import { openTorrentStore } from '../../../storage/lmdb-torrent-store.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const PAGE_BYTES = 4096;

/** The file of a store that has been written to so often. */
async function storeFile(writes: number): Promise<{ readonly dir: string; readonly file: string }> {
  const dir = await temporaryDirectory();
  const store = openTorrentStore(dir);
  for (let each = 0; each < writes; each++)
    await store.putMeta(`key ${each % 5}`, new Uint8Array((each * 997) % 20_000));
  await store.close();
  return { dir, file: join(dir, 'data.mdb') };
}

void t.test('whole files, whatever was written to them', async (t) => {
  for (const writes of [0, 1, 2, 3, 40]) t.equal(damageOf((await storeFile(writes)).file), null, `${writes} writes`);
});

void t.test('a store that would end the process, or be taken for a new one, is refused with what to do', async (t) => {
  const { dir, file } = await storeFile(8);
  const whole = await readFile(file);
  const damages = [
    { how: 'emptied', damage: 'is empty', bytes: Buffer.alloc(0) },
    { how: 'another file', damage: 'is no database', bytes: Buffer.from('hello') },
    { how: 'zeroes', damage: 'is no database', bytes: Buffer.alloc(whole.length) },
    { how: 'without its second page', damage: 'is no database', bytes: whole.subarray(0, PAGE_BYTES) },
    { how: 'cut off', damage: 'is cut off', bytes: whole.subarray(0, 3 * PAGE_BYTES) },
  ];
  for (const { how, damage, bytes } of damages) {
    await writeFile(file, bytes);
    t.throws(
      () => openTorrentStore(dir),
      {
        code: 'STORAGE_FAILED',
        message: `torrent store: ${file} ${damage}: restore a backup (swarmd restore), or move it away`,
      },
      how,
    );
    t.equal((await stat(file)).size, bytes.length, 'and left as it is');
  }
  await truncate(file, 0);
  await writeFile(file, whole);
  await openTorrentStore(dir).close();
});
