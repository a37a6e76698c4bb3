import t from 'tap';
import fc from 'fast-check';
import { blockLengthAt, pieceLengthAt } from '../../../../../engine/torrent/pieces/geometry.js';

const BLOCK = 16 * 1024;

void t.test('all pieces and blocks are alike but for the last', async (t) => {
  const geometry = { pieceLength: 2 * BLOCK + 100, pieceCount: 3, totalBytes: 2 * (2 * BLOCK + 100) + BLOCK + 1 };
  t.same(
    [0, 1, 2].map((piece) => pieceLengthAt(geometry, piece)),
    [2 * BLOCK + 100, 2 * BLOCK + 100, BLOCK + 1],
  );
  t.same(
    [0, BLOCK, 2 * BLOCK].map((begin) => blockLengthAt(geometry, 0, begin)),
    [BLOCK, BLOCK, 100],
  );
  t.same(
    [0, BLOCK].map((begin) => blockLengthAt(geometry, 2, begin)),
    [BLOCK, 1],
  );
});

void t.test('pieces make up the torrent, blocks make up the piece', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: 1, max: 2_000_000 }),
      (pieceLength, totalBytes) => {
        const geometry = { pieceLength, pieceCount: Math.ceil(totalBytes / pieceLength), totalBytes };
        const last = geometry.pieceCount - 1;
        let blocks = 0;
        for (let begin = 0; begin < pieceLengthAt(geometry, last); begin += BLOCK)
          blocks += blockLengthAt(geometry, last, begin);
        return (
          last * pieceLength + pieceLengthAt(geometry, last) === totalBytes && blocks === pieceLengthAt(geometry, last)
        );
      },
    ),
  );
});
