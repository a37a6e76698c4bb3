// Which pieces a reader waits for, what it is given, and whose turn it is.
import t from 'tap';
import { Bitfield } from '../../../../../engine/torrent/pieces/bitfield.js';
import { inTurns, missingAhead, verifiedEnd } from '../../../../../engine/torrent/reading/read-ahead.js';

const KIB = 1024;
const MIB = 1024 * KIB;

function have(board: string): Bitfield {
  const bits = new Bitfield(board.length);
  [...board].forEach((at, piece) => {
    if (at === '*') bits.set(piece);
  });
  return bits;
}

void t.test('the window', async (t) => {
  const none = have('-'.repeat(1_000));
  t.same(missingAhead(4 * MIB, { start: 5 * MIB, end: 1_000 * MIB }, none), [1, 2, 3, 4, 5]);
  t.same(missingAhead(4 * MIB, { start: 8 * MIB, end: 1_000 * MIB }, none), [2, 3, 4, 5], '16 MiB from a border');
  t.same(missingAhead(64 * MIB, { start: 0, end: 1_000 * MIB }, none), [0, 1], 'at least the next one');
  t.equal(missingAhead(16 * KIB, { start: 0, end: 1_000 * MIB }, none).length, 128, 'not without end');
  t.same(missingAhead(4 * MIB, { start: 5 * MIB, end: 6 * MIB }, none), [1], 'no more than will be read');
  t.same(missingAhead(4 * MIB, { start: 5 * MIB, end: 8 * MIB + 1 }, none), [1, 2]);
  t.same(missingAhead(4 * MIB, { start: 5 * MIB, end: 5 * MIB }, none), [], 'nothing');
  t.same(missingAhead(4 * MIB, { start: 0, end: 40 * MIB }, have('-*-*------')), [0, 2], 'what is not here');
});

void t.test('what is verified, from an offset on', async (t) => {
  const board = have('**-*');
  const end = (start: number, until: number) => verifiedEnd(10, { start, end: until }, board);
  t.equal(end(0, 40), 20);
  t.equal(end(5, 12), 12);
  t.equal(end(19, 25), 20);
  t.equal(end(20, 40), 20, 'nothing');
  t.equal(end(30, 40), 40);
  t.equal(end(35, 36), 36);
  t.equal(end(7, 7), 7);
});

void t.test('turns', async (t) => {
  t.same(inTurns([]), []);
  t.same(inTurns([[1, 2, 3], [7], [2, 8]]), [1, 7, 2, 8, 3]);
});
