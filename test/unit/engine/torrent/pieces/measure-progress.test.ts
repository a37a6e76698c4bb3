// docs/semantics.md section 5 and 11: what counts as done, and of which files. A model that looks at every byte is the
// judge.
import t from 'tap';
import fc from 'fast-check';
import type { FilePriority } from '../../../../../engine/disk/types.js';
import { Bitfield } from '../../../../../engine/torrent/pieces/bitfield.js';
import {
  measureProgress,
  verifiedBytesOf,
  wantedBytesInPiece,
} from '../../../../../engine/torrent/pieces/measure-progress.js';
import { shapeTorrent } from '../../../../support/torrent-shapes.js';

const have = (pieces: string): Bitfield => {
  const bits = new Bitfield(pieces.length);
  [...pieces].forEach((mark, piece) => mark === '*' && bits.set(piece));
  return bits;
};

void t.test('files that share pieces', async (t) => {
  // pieces |0000|1111|2222|33|
  // files  |aaab|bbbb|bccc|cc|
  const info = shapeTorrent(4, [{ sizeBytes: 3 }, { sizeBytes: 6 }, { sizeBytes: 5 }]);
  const cases: readonly {
    have: string;
    priorities: FilePriority[] | null;
    done: number;
    wantedDone: number;
    wanted: number;
  }[] = [
    { have: '    ', priorities: null, done: 0, wantedDone: 0, wanted: 14 },
    { have: '****', priorities: null, done: 14, wantedDone: 14, wanted: 14 },
    { have: '*  *', priorities: null, done: 6, wantedDone: 6, wanted: 14 },
    { have: '*  *', priorities: ['skip', 'normal', 'skip'], done: 6, wantedDone: 1, wanted: 6 },
    { have: ' ** ', priorities: ['normal', 'skip', 'max'], done: 8, wantedDone: 3, wanted: 8 },
    { have: '****', priorities: ['skip', 'skip', 'skip'], done: 14, wantedDone: 0, wanted: 0 },
  ];
  for (const { have: pieces, priorities, done, wantedDone, wanted } of cases) {
    t.same(
      measureProgress(info, priorities, have(pieces)),
      { bytesDone: done, wantedDone, wantedBytes: wanted },
      `${pieces} ${priorities?.join() ?? 'all'}`,
    );
  }
  t.equal(verifiedBytesOf(info, have('*  *'), 3, 6), 1);
  t.equal(verifiedBytesOf(info, have('****'), 3, 0), 0);
});

const shape = fc.record({
  pieceLength: fc.integer({ min: 1, max: 12 }),
  files: fc.array(
    fc.record({
      sizeBytes: fc.integer({ min: 0, max: 20 }),
      isPad: fc.boolean(),
      priority: fc.constantFrom<FilePriority>('skip', 'normal', 'high'),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  marks: fc.array(fc.boolean(), { minLength: 200, maxLength: 200 }),
});

void t.test('as counted byte by byte, and piece by piece', async () => {
  fc.assert(
    fc.property(shape, ({ pieceLength, files, marks }) => {
      const info = shapeTorrent(pieceLength, files);
      fc.pre(info.totalBytes > 0);
      const priorities = files.map(({ priority }) => priority);
      const bits = new Bitfield(info.pieceCount);
      for (let piece = 0; piece < info.pieceCount; piece++) if (marks[piece]) bits.set(piece);
      let wanted = 0;
      let wantedDone = 0;
      let done = 0;
      for (const file of info.files) {
        const counts = priorities[file.index] !== 'skip' && !file.isPad;
        for (let at = file.offset; at < file.offset + file.sizeBytes; at++) {
          const verified = bits.has(Math.floor(at / pieceLength));
          if (verified && !file.isPad) done++;
          if (counts) wanted++;
          if (counts && verified) wantedDone++;
        }
      }
      const measured = measureProgress(info, priorities, bits);
      let bySteps = 0;
      let all = 0;
      for (let piece = 0; piece < info.pieceCount; piece++) {
        const inPiece = wantedBytesInPiece(info, priorities, piece);
        all += inPiece;
        if (bits.has(piece)) bySteps += inPiece;
      }
      return (
        measured.bytesDone === done &&
        measured.wantedBytes === wanted &&
        measured.wantedDone === wantedDone &&
        bySteps === wantedDone &&
        all === wanted
      );
    }),
    { numRuns: 500 },
  );
});
