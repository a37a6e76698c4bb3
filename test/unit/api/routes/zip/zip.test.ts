// Archives as they are put together: read by other programs, the same bytes whatever range is asked for first, and Zip64
// where sizes and offsets need it.
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import t from 'tap';
import { ZipLayout, type ZippedFile } from '../../../../../api/routes/zip/layout.js';
import {
  centralHeader,
  centralHeaderBytes,
  descriptor,
  endRecords,
  localHeader,
  localHeaderBytes,
} from '../../../../../api/routes/zip/records.js';
import { ZipSource } from '../../../../../api/routes/zip/zip-source.js';
import type { FileStream } from '../../../../../api/services/library/file-streams.js';
import { seededBytes } from '../../../../support/make-torrent.js';
import { SeededRandom } from '../../../../support/seeded-random.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';

const GIB = 2 ** 30;
const CONTENTS: Readonly<Record<string, Buffer>> = {
  'pack/a.txt': Buffer.from('text'),
  'pack/empty': Buffer.alloc(0),
  'pack/größe/💾.bin': Buffer.from(seededBytes(1, 100_000)),
  'pack/z': Buffer.from(seededBytes(2, 70_001)),
};
const FILES: readonly ZippedFile[] = Object.entries(CONTENTS).map(([name, { length }], index) => ({
  index,
  name,
  sizeBytes: length,
}));

/** Of the files above; `reads` counts bytes. */
function torrentOf(checksums = new Map<number, number>()) {
  const counted = { reads: 0, open: 0, closed: 0 };
  const open = async (index: number) => {
    counted.open++;
    const bytes = CONTENTS[FILES[index]!.name]!;
    let isClosed = false;
    const stream: Pick<FileStream, 'read' | 'isClosed' | 'close'> = {
      get isClosed() {
        return isClosed;
      },
      read: async (from, until) => {
        // Now and then nothing has come yet.
        if (counted.reads++ % 5 === 4) return new Uint8Array(0);
        return bytes.subarray(from, Math.min(until, from + 30_000));
      },
      close: () => {
        if (!isClosed) counted.open--;
        isClosed = true;
      },
    };
    return stream as FileStream; // the rest of it is of the engine
  };
  return {
    counted,
    checksums,
    open,
    checksumOf: (index: number) => checksums.get(index),
    learnChecksum: (index: number, checksum: number) => void checksums.set(index, checksum),
    assertAllowed: () => undefined,
    close: () => void counted.closed++,
  };
}

async function read(layout: ZipLayout, from = 0, end = layout.sizeBytes, torrent = torrentOf()): Promise<Buffer> {
  const source = new ZipSource(layout, torrent, { from, end });
  const chunks: Uint8Array[] = [];
  for (let bytes = await source.next(); bytes; bytes = await source.next()) chunks.push(bytes);
  source.close();
  return Buffer.concat(chunks);
}

void t.test('other programs read it, and it is as long as was said', async (t) => {
  const layout = new ZipLayout(FILES);
  const archive = await read(layout);
  t.equal(archive.length, layout.sizeBytes);
  const path = join(await temporaryDirectory(), 'pack.zip');
  await writeFile(path, archive);
  const script =
    'import sys,zipfile,json\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n' +
    'print(json.dumps([[i.filename,i.file_size,i.CRC] for i in z.infolist()]))';
  const told = JSON.parse(execFileSync('python3', ['-c', script, path]).toString()) as unknown;
  t.same(
    told,
    Object.entries(CONTENTS).map(([name, bytes]) => [name, bytes.length, crc32(bytes)]),
  );
  const unzip = spawnSync('unzip', ['-tq', path]);
  if (unzip.error) t.comment('unzip is missing: apt-get install unzip');
  else t.match([unzip.status, unzip.stdout.toString()], [0, /^No errors detected/]);
});

void t.test('every range gives the same bytes, whatever is remembered', async (t) => {
  const layout = new ZipLayout(FILES);
  const whole = await read(layout);
  const random = new SeededRandom(7);
  const cuts = [...layout.partsFrom(0)].flatMap(({ at }) => [at - 1, at, at + 1]);
  const places = [...cuts, ...Array.from({ length: 40 }, () => random.below(whole.length))];
  for (const from of places.filter((at) => at >= 0 && at < whole.length)) {
    t.ok((await read(layout, from)).equals(whole.subarray(from)), `from ${from} on, with nothing known`);
    const end = from + 1 + random.below(whole.length - from);
    t.ok((await read(layout, from, end)).equals(whole.subarray(from, end)), `${from} to ${end}`);
  }
});

void t.test('what is remembered is not read again, and every file is closed', async (t) => {
  const layout = new ZipLayout(FILES);
  const torrent = torrentOf();
  await read(layout, 0, layout.sizeBytes, torrent);
  t.equal(torrent.checksums.size, 3);
  const again = torrentOf(torrent.checksums);
  const whole = await read(layout);
  t.ok(
    (await read(layout, layout.directory.offset, layout.sizeBytes, again)).equals(
      whole.subarray(layout.directory.offset),
    ),
  );
  t.equal(again.counted.reads, 0, 'the list of files alone');
  t.match(
    [torrent.counted, again.counted],
    [
      { open: 0, closed: 1 },
      { open: 0, closed: 1 },
    ],
  );
});

void t.test('one that is closed ends, and so does one that may not go on', async (t) => {
  const layout = new ZipLayout(FILES);
  const torrent = torrentOf();
  const source = new ZipSource(layout, torrent, { from: 0, end: layout.sizeBytes });
  await source.next();
  source.close();
  source.close();
  t.equal(await source.next(), null);
  t.match(torrent.counted, { open: 0, closed: 1 });
  const forbidden = new ZipSource(
    layout,
    {
      ...torrentOf(),
      assertAllowed: () => {
        throw new Error('no longer');
      },
    },
    { from: 0, end: layout.sizeBytes },
  );
  await t.rejects(forbidden.next(), { message: 'no longer' });
});

void t.test('Zip64: sizes and offsets beyond 32 bits, more entries than 16 bits count', async (t) => {
  const layout = new ZipLayout([
    { index: 0, name: 'small', sizeBytes: 3 },
    { index: 1, name: 'large', sizeBytes: 5 * GIB },
    { index: 2, name: 'behind', sizeBytes: 7 },
  ]);
  const [small, large, behind] = layout.files;
  t.equal(localHeader(large!).readUInt32LE(18), 0xffffffff);
  t.equal(descriptor(large!, 1).length, 24);
  t.equal(descriptor(large!, 1).readBigUInt64LE(8), BigInt(5 * GIB));
  t.equal(descriptor(small!, 1).length, 16);
  t.equal(behind!.offset, large!.offset + localHeaderBytes(large!) + 5 * GIB + 24);
  const listed = centralHeader(behind!, 9);
  t.equal(listed.readUInt32LE(42), 0xffffffff);
  t.equal(listed.readBigUInt64LE(46 + 6 + 4), BigInt(behind!.offset));
  for (const file of layout.files) {
    t.equal(localHeader(file).length, localHeaderBytes(file));
    t.equal(centralHeader(file, 1).length, centralHeaderBytes(file));
  }
  t.equal(endRecords(layout.directory).length, 56 + 20 + 22);
  t.equal(endRecords({ count: 3, offset: 5, sizeBytes: 7 }).length, 22);
  t.equal(endRecords({ count: 65_535, offset: 5, sizeBytes: 7 }).length, 98);
  const parts = [...layout.partsFrom(large!.offset + 4 * GIB)].map(({ kind }) => kind);
  t.same(parts, ['data', 'descriptor', 'header', 'data', 'descriptor', 'listed', 'listed', 'listed', 'end']);
});
