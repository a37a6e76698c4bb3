// A file of 256 GiB of which 16 MiB are on disk, as its last piece leaves it: what a check of it reads and finds.
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import t from 'tap';
import { createDisk } from '../../../../engine/disk/index.js';
import { createHasher, createSlab } from '../../../../engine/hashing/index.js';
import { PieceCheck } from '../../../../engine/torrent/check/piece-check.js';
import { QUIET, temporaryFolder, torrentOf } from '../../../support/disk-fixtures.js';
import { seededBytes } from '../../../support/make-torrent.js';

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const PIECE_BYTES = 16 * MIB;
const SIZE_BYTES = 256 * GIB;
const PIECES = SIZE_BYTES / PIECE_BYTES;

/** What this process has read of files so far, by the kernel's count. */
async function bytesRead(): Promise<number> {
  const [, rchar] = /^rchar: (\d+)$/m.exec(await readFile('/proc/self/io', 'utf8')) ?? [];
  return Number(rchar);
}

void t.test(
  'holes are not read, and are pieces of zeroes or none',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const folder = await temporaryFolder(t);
    const data = seededBytes(3, PIECE_BYTES);
    const handle = await open(join(folder, 'big'), 'w');
    await handle.truncate(SIZE_BYTES);
    await handle.write(data, 0, data.length, SIZE_BYTES - PIECE_BYTES);
    await handle.close();

    const info = torrentOf(PIECE_BYTES, `big ${SIZE_BYTES}`);
    const zeroPieces = [0, 7, PIECES - 2];
    const zeroes = createHash('sha1').update(new Uint8Array(PIECE_BYTES)).digest();
    for (const piece of zeroPieces) info.pieceHashes.set(zeroes, piece * 20);
    info.pieceHashes.set(createHash('sha1').update(data).digest(), (PIECES - 1) * 20);

    const disk = createDisk({ log: QUIET, partsDir: join(folder, 'parts') }, { maxOpenFiles: 8 });
    const hasher = createHasher({ slab: createSlab(MIB).buffer, log: QUIET });
    const storage = disk.openTorrent({ info, savePath: folder, priorities: ['normal'] });
    const clock = { nowMs: () => performance.now() };
    const checkThrottle = { isBusy: false, rest: () => Promise.resolve() };
    const before = await bytesRead();
    const turn = { spend: () => undefined, isOver: false, pass: () => Promise.resolve() };
    const found = await new PieceCheck({ info, storage, hasher, clock, checkThrottle }).run(turn);
    const read = (await bytesRead()) - before;
    t.ok(read < GIB, `${read} bytes were read`);
    t.equal(found?.count, zeroPieces.length + 1);
    for (const piece of [...zeroPieces, PIECES - 1]) t.ok(found?.has(piece), `piece ${piece}`);
    await storage.close();
    await hasher.close();
    await disk.close();
  },
);
