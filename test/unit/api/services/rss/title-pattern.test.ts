// Patterns of filters: RE2 syntax, unanchored, and never slow.
import t from 'tap';
import { compileExclusion, compileTitlePattern, matches } from '../../../../../api/services/rss/title-pattern.js';

void t.test('patterns match anywhere in a title', async (t) => {
  for (const [regex, title, expected] of [
    ['', 'anything', true],
    ['', '', true],
    ['s01', 'show.s01e01', true],
    ['s01', 'Show.S01E01', false],
    ['(?i)s01', 'Show.S01E01', true],
    ['^s01', 'show.s01', false],
    ['s\\d{2}e\\d{2}.{0,100}1080p', 'a.s01e02.x264-1080p', true],
    ['(?P<n>é|日本)', '日本語', true],
    ['[[:digit:]]+', 'a1', true],
    ['\\pL', '123', false],
  ] as const) {
    t.equal(matches({ regex }, title), expected, `${regex} on ${title}`);
  }
});

void t.test('what does not compile is refused with the reason', async (t) => {
  for (const regex of ['(a', 'a)', '[a', '*', 'a{2,1}', 'a(?=b)', '(a)\\1', 'a{1001}', '((a{100}){100}){100}']) {
    t.throws(() => compileTitlePattern(regex), { code: 'REGEX_INVALID', message: /^regex: (?!error)/ }, regex);
  }
  const [huge, hugeClass] = [`(${'a'.repeat(900)}){1000}`, '(?i)[\\pL]{0,900}x'.repeat(50)];
  const slow = ['.{0,1000}'.repeat(10), '(?:a?){99}'.repeat(90), '[\\pL\\pN]{0,99}'.repeat(60)];
  for (const regex of [huge, hugeClass, `(?:${'a'.repeat(90)}){1000}`, ...slow]) {
    t.throws(() => compileTitlePattern(regex), {
      code: 'REGEX_INVALID',
      message: 'regex: Invalid regular expression: repeats too much',
    });
  }
});

void t.test('what people write, in any order of four words, passes on all that a feed may bring', async (t) => {
  for (const regex of ['(?i).*2160p.*(x265|hevc).*', 's\\d{2}e\\d{2}.{0,100}1080p', '(?i)a.*b.*c.*d|d.*c.*b.*a']) {
    t.equal(matches({ regex }, `${' '.repeat(900)}a s01e02 b c 1080p d 2160p hevc`), true, regex);
  }
  t.equal(matches({ regex: '^.{0,1000}1080p' }, `${' '.repeat(240)}1080p`), true);
});

void t.test('a long title and a large pattern are no match rather than a long wait', async (t) => {
  const [slowest, title] = ['(?i).{0,1000}x', 'a'.repeat(1_000)];
  t.equal(matches({ regex: slowest }, `${title}x`), false);
  t.equal(matches({ regex: '(?i)a.*x' }, `${title}x`), true);
});

void t.test('no pattern makes a long title slow', async (t) => {
  const title = `${'a'.repeat(10_000)}!`;
  for (const regex of ['(a+)+$', '(a|aa)+$', '(a|a?)+b', '((a*)*)*b', '(.*)(.*)(.*)(.*)b$', 'a{0,900}b']) {
    const started = performance.now();
    t.equal(matches({ regex }, title), false, regex);
    // A backtracking engine needs longer than the universe; this one some milliseconds on an idle machine.
    t.ok(performance.now() - started < 2_000);
  }
});

void t.test('an exclusion leaves out what it finds, and what it cannot be looked for in', (t) => {
  t.equal(compileExclusion('')('anything'), false);
  t.same(['show 720p', 'show'].map(compileExclusion('720p')), [true, false]);
  const large = compileExclusion('(?:x{0,1000}y)');
  t.same([large('a'.repeat(100)), large('a'.repeat(100_000))], [false, true]);
  t.throws(() => compileExclusion('('), { code: 'REGEX_INVALID', message: /^exclude_regex: / });
  t.end();
});
