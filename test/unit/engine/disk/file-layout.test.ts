import t from 'tap';
import { FileLayout } from '../../../../engine/disk/file-layout.js';
import { torrentOf } from '../../../support/disk-fixtures.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const show = (layout: FileLayout, offset: number, length: number): string =>
  layout
    .segments(offset, length)
    .map(({ file, position, length }) => `${file.path.join('/')}@${position}+${length}`)
    .join(' ');

void t.test('a range becomes segments in file order', async (t) => {
  const layout = new FileLayout(torrentOf(32, 'e0 0', 'a 10', 'e1 0', 'e2 0', '.pad/6 6', 'b 20', 'e3 0'));
  const cases = [
    { given: [0, 10], expected: 'a@0+10' },
    { given: [3, 4], expected: 'a@3+4' },
    { given: [9, 8], expected: 'a@9+1 .pad/6@0+6 b@0+1' },
    { given: [16, 20], expected: 'b@0+20' },
    { given: [35, 1], expected: 'b@19+1' },
    { given: [36, 0], expected: '' },
    { given: [0, 36], expected: 'a@0+10 .pad/6@0+6 b@0+20' },
  ] as const;
  for (const { given, expected } of cases) {
    t.equal(show(layout, given[0], given[1]), expected, `range ${given.join('+')}`);
  }
});

void t.test('segments cover every random range exactly once', async (t) => {
  const random = new SeededRandom(7);
  for (let round = 0; round < 200; round++) {
    const lines = Array.from({ length: 1 + random.below(12) }, (_, i) => `f${i} ${random.below(3) * random.below(40)}`);
    const info = torrentOf(16, ...lines, 'last 1');
    const layout = new FileLayout(info);
    const offset = random.below(info.totalBytes);
    const wanted = random.below(info.totalBytes - offset + 1);
    let at = offset;
    for (const { file, position, length } of layout.segments(offset, wanted)) {
      const fits = file.offset + position === at && length > 0 && position + length <= file.sizeBytes;
      if (!fits) t.fail(`seed ${random.seed}, round ${round}: ${file.path.join('/')}@${position}+${length} at ${at}`);
      at += length;
    }
    t.equal(at, offset + wanted, `seed ${random.seed}, round ${round}`);
  }
});

void t.test('pieces and their ranges', async (t) => {
  const layout = new FileLayout(torrentOf(32, 'a 70'));
  t.same(layout.pieceRange(2), { offset: 64, length: 6 });
  t.same(layout.piecesOf(31, 2), { first: 0, last: 1 });
  t.same(layout.piecesOf(32, 32), { first: 1, last: 1 });
  t.throws(() => layout.pieceRange(3), { code: 'BUG' });
  t.throws(() => layout.segments(69, 2), { code: 'BUG' });
  t.throws(() => layout.segments(Number.NaN, 1), { code: 'BUG' });
});

void t.test('sizes beyond 32 bits', async (t) => {
  const big = 5 * 2 ** 40;
  const layout = new FileLayout(torrentOf(2 ** 28, `a ${big}`, 'b 10'));
  t.equal(show(layout, big - 1, 3), `a@${big - 1}+1 b@0+2`);
});
