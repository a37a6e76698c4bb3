// What every disk must do, asked of the real one and of the one in memory alike.
import { rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { createDisk } from '../../engine/disk/disk.js';
import type { Disk, FilePriority } from '../../engine/disk/types.js';
import { createInlineHasher } from '../../engine/hashing/inline-hasher.js';
import type { PieceHasher } from '../../engine/hashing/types.js';
import {
  payloadOf,
  piecesHere,
  QUIET,
  readRange,
  sameBytes,
  temporaryFolder,
  torrentOf,
} from '../support/disk-fixtures.js';
import { MemoryDisk } from '../support/memory-disk.js';
import { SeededRandom } from '../support/seeded-random.js';

interface World {
  readonly disk: Disk;
  readonly hasher: PieceHasher;
  readonly savePath: string;
  exists(path: string): Promise<boolean>;
  remove(path: string): Promise<void>;
  truncate(path: string, sizeBytes: number): Promise<void>;
}

type Teardown = { teardown(work: () => Promise<void>): void };

const WORLDS: Readonly<Record<string, (t: Teardown) => Promise<World>>> = {
  'disk in memory': async () => {
    const disk = new MemoryDisk();
    const savePath = '/save';
    return {
      disk,
      hasher: disk.hasher,
      savePath,
      exists: async (path) => disk.content(`${savePath}/${path}`) !== null,
      remove: async (path) => disk.remove(`${savePath}/${path}`),
      truncate: async (path, sizeBytes) => disk.truncate(`${savePath}/${path}`, sizeBytes),
    };
  },
  'real disk': async (t) => {
    const root = await temporaryFolder(t);
    const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
    t.teardown(() => disk.close());
    const savePath = join(root, 'save');
    return {
      disk,
      hasher: createInlineHasher(),
      savePath,
      exists: async (path) => (await stat(join(savePath, path)).catch(() => null)) !== null,
      remove: (path) => rm(join(savePath, path)),
      truncate: (path, sizeBytes) => truncate(join(savePath, path), sizeBytes),
    };
  },
};

const THREE = torrentOf(32, 'box/a 40', 'box/empty 0', 'box/sub/b 50', 'box/c 38');
const ALL: readonly FilePriority[] = ['normal', 'normal', 'normal', 'normal'];
const WITHOUT_B: readonly FilePriority[] = ['normal', 'normal', 'skip', 'normal'];

for (const [name, make] of Object.entries(WORLDS)) {
  void t.test(name, async (t) => {
    void t.test('what was written is read back, across file borders and in any split of views', async (t) => {
      const { disk, savePath, hasher } = await make(t);
      const storage = disk.openTorrent({ info: THREE, savePath, priorities: ALL });
      const payload = payloadOf(THREE);
      for (let at = 0; at < payload.length; at += 13) await storage.write(at, payload.subarray(at, at + 13));
      t.ok(sameBytes(await readRange(storage, 0, 128), payload));
      const views = [new Uint8Array(35), new Uint8Array(0), new Uint8Array(1), new Uint8Array(60)];
      await storage.read(7, views);
      t.ok(sameBytes(Buffer.concat(views), payload.subarray(7, 7 + 96)));
      t.equal(await piecesHere(storage, hasher, THREE), '1111');
    });

    void t.test('bytes may lie in shared memory', async (t) => {
      const { disk, savePath } = await make(t);
      const storage = disk.openTorrent({ info: THREE, savePath, priorities: ALL });
      const shared = new Uint8Array(new SharedArrayBuffer(128));
      shared.set(payloadOf(THREE));
      await storage.write(0, shared);
      shared.fill(0);
      await storage.read(0, [shared.subarray(0, 64), shared.subarray(64)]);
      t.ok(sameBytes(shared, payloadOf(THREE)));
    });

    void t.test('a random sequence of writes reads as memory does', async (t) => {
      const { disk, savePath } = await make(t);
      const random = new SeededRandom(20_250_101);
      const storage = disk.openTorrent({ info: THREE, savePath, priorities: ALL });
      const model = payloadOf(THREE);
      await storage.write(0, model);
      for (let step = 0; step < 60; step++) {
        const offset = random.below(128);
        const bytes = random.bytes(random.below(129 - offset));
        await storage.write(offset, bytes);
        model.set(bytes, offset);
      }
      t.ok(sameBytes(await readRange(storage, 0, 128), model), `seed ${random.seed}`);
    });

    void t.test('reading and pinning create nothing', async (t) => {
      const { disk, savePath, hasher, exists } = await make(t);
      const storage = disk.openTorrent({ info: THREE, savePath, priorities: ALL });
      await t.rejects(readRange(storage, 0, 10), { code: 'FILES_MISSING', data: { path: 'box/a' } });
      t.equal(await piecesHere(storage, hasher, THREE), '0000');
      t.notOk(await exists('box/a'));
    });

    void t.test('an absent or short file is missing, and only its pieces', async (t) => {
      const world = await make(t);
      const storage = world.disk.openTorrent({ info: THREE, savePath: world.savePath, priorities: ALL });
      await storage.write(0, payloadOf(THREE));
      await storage.close();
      await world.remove('box/a');
      await world.truncate('box/c', 20);
      t.equal(await piecesHere(storage, world.hasher, THREE), '0010');
      await t.rejects(readRange(storage, 30, 20), { code: 'FILES_MISSING', data: { path: 'box/a' } });
      await t.rejects(readRange(storage, 100, 28), { code: 'FILES_MISSING', data: { path: 'box/c' } });
      t.ok(sameBytes(await readRange(storage, 90, 20), payloadOf(THREE).subarray(90, 110)));
      const states = await storage.fileStates();
      t.same(
        states.map((state) => state.sizeBytes),
        [null, null, 50, 20],
      );
    });

    void t.test('pad files read as zeroes and are never written (BEP 47)', async (t) => {
      const { disk, savePath, hasher, exists } = await make(t);
      const info = torrentOf(32, 'box/a 20', '.pad/12 12', 'box/b 32');
      const storage = disk.openTorrent({ info, savePath, priorities: ['normal', 'normal', 'normal'] });
      await storage.write(0, payloadOf(info).fill(9, 20, 32));
      t.ok(sameBytes(await readRange(storage, 0, 64), payloadOf(info)));
      t.equal(await piecesHere(storage, hasher, info), '11');
      t.notOk(await exists('.pad/12'));
      t.equal((await storage.fileStates())[1]?.sizeBytes, null);
    });

    void t.test('empty files are created when wanted', async (t) => {
      const { disk, savePath, exists } = await make(t);
      const skipping = disk.openTorrent({ info: THREE, savePath, priorities: ['normal', 'skip', 'normal', 'normal'] });
      await skipping.createEmptyFiles();
      t.notOk(await exists('box/empty'));
      await skipping.setPriorities(ALL);
      await skipping.createEmptyFiles();
      t.ok(await exists('box/empty'));
      t.notOk(await exists('box/a'));
    });

    void t.test('bytes of a skipped file stay out of the save path until it is wanted', async (t) => {
      const { disk, savePath, hasher, exists } = await make(t);
      const storage = disk.openTorrent({ info: THREE, savePath, priorities: WITHOUT_B });
      const payload = payloadOf(THREE);
      // Pieces 0, 1 and 2 share bytes with b: 1 with a and b, 2 with b and c.
      for (const piece of [0, 1, 2, 3]) await storage.write(piece * 32, payload.subarray(piece * 32, piece * 32 + 32));
      t.notOk(await exists('box/sub/b'));
      t.equal((await storage.fileStates())[2]?.sizeBytes, null);
      t.ok(sameBytes(await readRange(storage, 0, 128), payload));
      t.equal(await piecesHere(storage, hasher, THREE), '1111');
      await storage.setPriorities(ALL);
      t.ok(await exists('box/sub/b'));
      t.equal(await piecesHere(storage, hasher, THREE), '1111');
    });

    void t.test('only pieces that were written count as present in the part file', async (t) => {
      const { disk, savePath, hasher } = await make(t);
      const info = torrentOf(32, 'box/a 16', 'box/b 96', 'box/c 16');
      const payload = payloadOf(info);
      const storage = disk.openTorrent({ info, savePath, priorities: ['normal', 'skip', 'normal'] });
      await storage.write(0, payload.subarray(0, 32));
      await storage.write(96, payload.subarray(96));
      t.equal(await piecesHere(storage, hasher, info), '1001');
      await t.rejects(readRange(storage, 20, 40), { code: 'FILES_MISSING' });
      await storage.setPriorities(['normal', 'normal', 'normal']);
      t.equal(await piecesHere(storage, hasher, info), '1001');
    });

    void t.test('a file that is skipped after it appeared keeps its bytes', async (t) => {
      const { disk, savePath, exists } = await make(t);
      const storage = disk.openTorrent({ info: THREE, savePath, priorities: ALL });
      await storage.write(0, payloadOf(THREE));
      await storage.setPriorities(WITHOUT_B);
      t.ok(await exists('box/sub/b'));
      t.ok(sameBytes(await readRange(storage, 0, 128), payloadOf(THREE)));
    });

    void t.test('another start finds the part file again', async (t) => {
      const { disk, savePath, hasher, exists } = await make(t);
      const before = disk.openTorrent({ info: THREE, savePath, priorities: WITHOUT_B });
      await before.write(0, payloadOf(THREE));
      await before.sync();
      await before.close();
      const after = disk.openTorrent({ info: THREE, savePath, priorities: WITHOUT_B });
      t.equal(await piecesHere(after, hasher, THREE), '1111');
      t.notOk(await exists('box/sub/b'));
      // Priorities that were saved before the bytes had moved: the next start moves them.
      const wanting = disk.openTorrent({ info: THREE, savePath, priorities: ALL });
      t.equal(await piecesHere(wanting, hasher, THREE), '1111');
      t.ok(await exists('box/sub/b'));
    });

    void t.test(
      'deleting removes what is listed, keeps what another torrent lists, and ends the storage',
      async (t) => {
        const { disk, savePath, exists } = await make(t);
        const storage = disk.openTorrent({ info: THREE, savePath, priorities: WITHOUT_B });
        await storage.write(0, payloadOf(THREE));
        await storage.createEmptyFiles();
        await storage.deleteFiles((path) => path.join('/') === 'box/a');
        t.ok(await exists('box/a'));
        t.notOk(await exists('box/c'));
        t.notOk(await exists('box/empty'));
        await t.rejects(storage.write(0, new Uint8Array(1)), { code: 'FILES_MISSING' });
        await t.rejects(readRange(storage, 0, 1), { code: 'FILES_MISSING' });
        t.notOk(await exists('box/c'));
      },
    );

    void t.test('a range outside the torrent is a bug', async (t) => {
      const { disk, savePath } = await make(t);
      const storage = disk.openTorrent({ info: THREE, savePath, priorities: ALL });
      await storage.write(0, payloadOf(THREE));
      await t.rejects(readRange(storage, 120, 9), { code: 'BUG' });
      await t.rejects(storage.write(-1, new Uint8Array(1)), { code: 'BUG' });
      await t.rejects(storage.pinSpans(3, 2), { code: 'BUG' });
    });

    void t.test('torrents do not disturb one another', async (t) => {
      const world = await make(t);
      const other = torrentOf(32, 'other/a 64');
      const one = world.disk.openTorrent({ info: THREE, savePath: world.savePath, priorities: ALL });
      const two = world.disk.openTorrent({ info: other, savePath: world.savePath, priorities: ['normal'] });
      await Promise.all([one.write(0, payloadOf(THREE)), two.write(0, payloadOf(other))]);
      await one.deleteFiles();
      t.ok(sameBytes(await readRange(two, 0, 64), payloadOf(other)));
    });
  });
}
