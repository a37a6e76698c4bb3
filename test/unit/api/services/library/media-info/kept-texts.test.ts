import t from 'tap';
import { KeptTexts } from '../../../../../../api/services/library/media-info/kept-texts.js';
import { parseInfoHash } from '../../../../../../shared-protocol/ids.js';

const [ONE, TWO] = [parseInfoHash('1'.repeat(40)), parseInfoHash('2'.repeat(40))];
const MANY_CHARS = 'x'.repeat(2 * 1024 * 1024);

void t.test('kept by torrent and file, until the torrent is gone', (t) => {
  const kept = new KeptTexts();
  kept.keep(ONE, 0, 'a');
  kept.keep(ONE, 1, 'bc');
  kept.keep(TWO, 0, 'd');
  kept.keep(TWO, 0, 'de');
  t.same([kept.of(ONE, 0), kept.of(ONE, 1), kept.of(TWO, 0), kept.of(TWO, 1), kept.size], ['a', 'bc', 'de', null, 5]);
  kept.forget(ONE);
  t.same([kept.of(ONE, 0), kept.of(TWO, 0), kept.size], [null, 'de', 2]);
  t.end();
});

void t.test('the one that was not asked for the longest goes first', (t) => {
  const kept = new KeptTexts();
  kept.keep(ONE, 0, MANY_CHARS);
  kept.keep(ONE, 1, MANY_CHARS);
  t.ok(kept.of(ONE, 0));
  kept.keep(ONE, 2, 'one more');
  t.same(
    [0, 1, 2].map((index) => kept.of(ONE, index) !== null),
    [true, false, true],
  );
  t.end();
});
