// What people see of a torrent's files: which are there, and how many bytes of each are verified. A model that looks at
// every byte is the judge.
import t from 'tap';
import fc from 'fast-check';
import type { FilePriority } from '../../../../../engine/disk/types.js';
import { Bitfield } from '../../../../../engine/torrent/pieces/bitfield.js';
import { fileDetails, someFiles } from '../../../../../engine/torrent/details/file-detail.js';
import { FileListCache, type FileList } from '../../../../../engine/torrent/files/file-list-cache.js';
import { shapeTorrent, type ShapedFile } from '../../../../support/torrent-shapes.js';

function listOf(pieceLength: number, files: readonly ShapedFile[]): FileList {
  const info = shapeTorrent(pieceLength, files);
  const list = new FileListCache().of(info.infoHash, () => info);
  if (!list) throw new Error('no list');
  return list;
}

function have(pieces: string): Bitfield {
  const bits = new Bitfield(pieces.length);
  [...pieces].forEach((mark, piece) => mark === '*' && bits.set(piece));
  return bits;
}

void t.test('verified bytes of files that share pieces', async (t) => {
  // pieces |0000|1111|2222|33|
  // files  |aaab|bbbb|bccc|cc|
  const list = listOf(4, [{ sizeBytes: 3 }, { sizeBytes: 6 }, { sizeBytes: 5 }]);
  for (const { pieces, done } of [
    { pieces: '    ', done: [0, 0, 0] },
    { pieces: '*   ', done: [3, 1, 0] },
    { pieces: ' *  ', done: [0, 4, 0] },
    { pieces: '  * ', done: [0, 1, 3] },
    { pieces: '   *', done: [0, 0, 2] },
    { pieces: '****', done: [3, 6, 5] },
  ]) {
    t.same(
      fileDetails(list, null, have(pieces)).map(({ bytesDone }) => bytesDone),
      done,
      pieces,
    );
  }
});

void t.test('pad files are left out, and the others keep their numbers', async (t) => {
  const list = listOf(4, [{ sizeBytes: 3 }, { sizeBytes: 1, isPad: true }, { sizeBytes: 4 }, { sizeBytes: 0 }]);
  t.same(fileDetails(list, ['high', 'normal', 'skip', 'max'], have('* ')), [
    { index: 0, path: 't/f0', sizeBytes: 3, bytesDone: 3, priority: 'high' },
    { index: 2, path: 't/f2', sizeBytes: 4, bytesDone: 0, priority: 'skip' },
    { index: 3, path: 't/f3', sizeBytes: 0, bytesDone: 0, priority: 'max' },
  ]);
  t.same(
    fileDetails(list, null, have('* ')).map(({ priority }) => priority),
    ['normal', 'normal', 'normal'],
    'nothing was chosen',
  );
});

const shape = fc.record({
  pieceLength: fc.integer({ min: 1, max: 12 }),
  files: fc.array(
    fc.record({
      // Long ones too: whole bytes of the bitfield are counted at once.
      sizeBytes: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 400 })),
      isPad: fc.boolean(),
      priority: fc.constantFrom<FilePriority>('skip', 'normal', 'high', 'max'),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  marks: fc.array(fc.boolean(), { minLength: 64, maxLength: 64 }),
});

void t.test('as counted byte by byte', async () => {
  fc.assert(
    fc.property(shape, ({ pieceLength, files, marks }) => {
      const info = shapeTorrent(pieceLength, files);
      const bits = new Bitfield(info.pieceCount);
      for (let piece = 0; piece < info.pieceCount; piece++) if (marks[(piece * 7) % 64]) bits.set(piece);
      const details = fileDetails(
        listOf(pieceLength, files),
        files.map(({ priority }) => priority),
        bits,
      );
      const expected = info.files
        .filter(({ isPad }) => !isPad)
        .map(({ index, offset, sizeBytes }) => {
          let bytesDone = 0;
          for (let at = offset; at < offset + sizeBytes; at++) if (bits.has(Math.floor(at / pieceLength))) bytesDone++;
          return { index, path: `t/f${index}`, sizeBytes, bytesDone, priority: files[index]?.priority };
        });
      return JSON.stringify(details) === JSON.stringify(expected);
    }),
    { numRuns: 500 },
  );
});

void t.test('some of them, and nothing where nothing of them has changed', async (t) => {
  // pieces |0000|1111|2222|33|
  const list = listOf(4, [{ sizeBytes: 3 }, { sizeBytes: 6 }, { sizeBytes: 5 }]);
  const ask = (pieces: string, from: number, stamp?: string, priorities: FilePriority[] | null = null) =>
    someFiles(list, priorities, have(pieces), { from, count: 2, ...(stamp === undefined ? {} : { stamp }) });
  const first = ask('*   ', 0);
  t.match(first, { files: [{ index: 0 }, { index: 1 }], filesGiven: { total: 3, isSame: false } });
  const { stamp } = first.filesGiven;
  t.same(ask('*   ', 0, stamp), { files: [], filesGiven: { total: 3, stamp, isSame: true } });
  t.equal(ask('** *', 0, stamp).files.length, 2);
  t.equal(ask('   *', 0, stamp).files.length, 2, 'one that was lost');
  t.equal(ask('*   ', 0, stamp, ['normal', 'skip', 'normal']).files.length, 2, 'wanted otherwise');
  t.match(ask('    ', 2).files, [{ index: 2 }]);
  t.same(ask('    ', 4), { files: [], filesGiven: { total: 3, stamp: '', isSame: false } });
});
