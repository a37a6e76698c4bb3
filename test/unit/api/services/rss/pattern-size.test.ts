// The size of patterns by their text: never less than what is compiled, and no more than that for what people write.
import t from 'tap';
import fc from 'fast-check';
import { sizeOf } from '../../../../../api/services/rss/pattern-size.js';
import { re2 } from '../../../../../api/services/rss/re2.js';

/** Those of every program: the end, a failure, and what begins it. */
const FIXED = 4;

function compiledSize(regex: string): number | null {
  try {
    return re2().RE2JS.compile(regex).programSize();
  } catch {
    return null;
  }
}

void t.test('repeats count as often as they are copied, also within each other', (t) => {
  for (const [regex, instructions] of [
    ['', 0],
    ['abc', 3],
    ['a{1000}', 1_000],
    ['.{0,1000}', 2_001],
    ['(?:.?){1000}', 2_000],
    ['(?:(?:ab){30}){30}', 1_800],
    ['(?:(?:(?:a{9}){9}){9}){9}', 6_561],
    ['(ab|cd){3}', 24],
    ['[a{9}]{2}', 2],
    ['[]{9}]{2}', 2],
    ['[[:alpha:]{9}]{2}', 2],
    ['\\{9}', 3],
    ['a\\{9\\}', 4],
    ['a(?i){9}', 9],
    ['\\x{41}{3}', 3],
    ['\\p{Greek}{3}', 3],
    ['\\(a{3}\\)', 5],
    ['(?P<n>a){3}', 9],
    ['(?i:a){3}', 3],
    ['a{,3}', 5],
    ['(?:|){3}', 9],
  ] as const) {
    t.equal(sizeOf(regex).instructions, instructions, regex);
  }
  t.end();
});

void t.test('no pattern compiles to more than its text says', (t) => {
  const part = fc.constantFrom(
    ...[
      'a',
      '.',
      '\\d',
      '\\pL',
      '\\p{Greek}',
      '[a-z]',
      '[^]x]',
      '[[:alpha:]()]',
      '\\(',
      '\\[',
      '\\Q(a{9}\\E',
      '\\x{41}',
    ],
    ...[
      '(?:',
      '(',
      '(?i)',
      '(?P<n>',
      ')',
      ')',
      '|',
      '*',
      '+?',
      '{2}',
      '{3,}',
      '{0,5}',
      '{2,4}?',
      '{',
      '}',
      '^',
      '$',
      '\\b',
    ],
  );
  const regexes = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(regexes, (regex) => {
      const size = compiledSize(regex);
      return size === null || size <= sizeOf(regex).instructions + FIXED;
    }),
    { numRuns: 2_000 },
  );
  t.end();
});

void t.test('classes of Unicode and letters that are looked up for their other case are counted', (t) => {
  t.equal(sizeOf('\\pL\\PN[\\p{Greek}\\pN]\\\\p').classes, 4);
  t.equal(sizeOf('[a-z][\\x{4e00}-\\x{9fff}]').folded, 0, 'case counts');
  t.equal(sizeOf('(?i)[a-z._-]').folded, 25);
  t.equal(sizeOf('(?i)[\\x{4e00}-\\x{9fff}]').folded, 20_991);
  t.equal(sizeOf('(?s-m)(?i:[\\x00-\\x{10ffff}])').folded, 0x1_e9_43, 'no letter is beyond');
  t.equal(sizeOf('(?i)[\\n-\\377]').folded, 0x1_e9_43, 'a number that is not known is the largest');
  t.end();
});

void t.test('a pattern that is no pattern is looked at as fast as one that is', (t) => {
  for (const part of ['[[:', '[[:a', '[', '[^', '(?P<', '\\x{', '\\p{', '{1']) {
    // A thousandth of it may be given; what takes a tenth of a second of that would take hours of this.
    sizeOf(part.repeat(20_000 / part.length));
    t.pass(part);
  }
  t.end();
});
