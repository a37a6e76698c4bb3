// Which pieces are hashed before a record is believed: pure.
import t from 'tap';
import fc from 'fast-check';
import { Bitfield } from '../../../../../engine/torrent/pieces/bitfield.js';
import { CheckState } from '../../../../../engine/torrent/check/check-state.js';
import { filesOfPieces, piecesOfFiles, samplePieces } from '../../../../../engine/torrent/check/check-scope.js';
import { RECENT_MS, RecentPieces } from '../../../../../engine/torrent/resume/recent-pieces.js';
import { SeededRandom } from '../../../../support/seeded-random.js';
import { shapeTorrent } from '../../../../support/torrent-shapes.js';

// pieces |0000|1111|2222|
// files  |aaaa|pp bb|bbcc|, p a pad file
const INFO = shapeTorrent(4, [{ sizeBytes: 4 }, { sizeBytes: 2, isPad: true }, { sizeBytes: 4 }, { sizeBytes: 2 }]);

const list = (bits: Bitfield): number[] => Array.from({ length: bits.length }, (_, i) => i).filter((i) => bits.has(i));

void t.test('a file, its pieces, and the files of these', async (t) => {
  t.same(list(piecesOfFiles(INFO, [0])), [0]);
  t.same(list(piecesOfFiles(INFO, [2])), [1, 2]);
  t.same(list(piecesOfFiles(INFO, [3])), [2]);
  t.same(list(piecesOfFiles(INFO, [9])), []);
  t.same(filesOfPieces(INFO, [0]), [0]);
  t.same(filesOfPieces(INFO, [2]), [2, 3]);
  t.same(filesOfPieces(INFO, []), []);
});

void t.test('a sample: claimed pieces only, one of each file that has any, not many more', async (t) => {
  const shape = shapeTorrent(
    4,
    Array.from({ length: 50 }, () => ({ sizeBytes: 16 })),
  );
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 25, maxLength: 25 }), fc.nat(), (bytes, seed) => {
      const have = new Bitfield(shape.pieceCount, bytes);
      const sample = samplePieces(shape, have, new SeededRandom(seed));
      const files = new Set(filesOfPieces(shape, list(have)));
      return (
        sample.every((piece) => have.has(piece)) &&
        [...files].every((file) => sample.some((piece) => Math.floor(piece / 4) === file)) &&
        sample.length <= 50 + 64
      );
    }),
    { numRuns: 100 },
  );
  const full = new Bitfield(shape.pieceCount);
  full.fill();
  const { length } = samplePieces(shape, full, new SeededRandom(1));
  t.ok(length > 60 && length < 90, `${length}: those of the files, and about 32`);
});

void t.test('what was verified within two intervals is recent, once more after a start', async (t) => {
  const recent = new RecentPieces([7], 0);
  recent.add(1);
  t.same(recent.take(1_000), [7, 1]);
  recent.add(2);
  t.same(recent.take(30_000), [7, 1, 2]);
  t.same(recent.take(1_000 + RECENT_MS), [1, 2]);
  t.same(recent.take(31_000 + RECENT_MS), []);
});

void t.test('checks that are asked for while one is waiting or under way', async (t) => {
  const turn = new CheckState();
  t.ok(turn.queue(new Set([1])));
  t.notOk(turn.queue(new Set([1])), 'the same again');
  t.ok(turn.queue(new Set([2])));
  t.same(turn.scope, new Set([1, 2]));
  turn.begin({ stop: () => undefined } as never);
  t.notOk(turn.queue(new Set([2])));
  t.ok(turn.isLast);
  t.ok(turn.queue('all'), 'more than what is under way');
  t.notOk(turn.queue(new Set([3])));
  t.notOk(turn.isLast);
  turn.done();
  t.same([turn.state, turn.scope], ['queued', 'all']);
  turn.begin({ stop: () => undefined } as never);
  turn.done();
  t.same([turn.state, turn.scope], ['none', null]);
});
