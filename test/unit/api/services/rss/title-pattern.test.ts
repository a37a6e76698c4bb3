// Patterns of filters: RE2 syntax, unanchored, and never slow.
import t from 'tap';
import { re2 } from '../../../../../api/services/rss/re2.js';
import { compileExclusion, compileTitlePattern } from '../../../../../api/services/rss/title-pattern.js';

const matches = (regex: string, title: string) => compileTitlePattern(regex)(title);

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
    t.equal(matches(regex, title), expected, `${regex} on ${title}`);
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

void t.test('what takes long to compile is refused before it is', async (t) => {
  const { RE2JS } = re2();
  const { compile } = RE2JS;
  t.teardown(() => (RE2JS.compile = compile));
  let compiled = 0;
  RE2JS.compile = (...given) => {
    compiled++;
    return compile.apply(RE2JS, given);
  };
  for (const [regex, reason] of [
    [`(?:(?:${'a'.repeat(180)}){31}){31}`, /repeats too much/],
    [`(?:(?:${'.?'.repeat(490)}){31}){31}`, /repeats too much/],
    [`(?i)${'\\pL'.repeat(65)}`, /Unicode classes/],
    [`(?i)[${'\\pL\\PL'.repeat(160)}]`, /Unicode classes/],
    [`(?i)[${'B-\u{1e942}'.repeat(40)}]`, /ranges too wide/],
    [`(?i)${'[B-\\x{1e942}]'.repeat(10)}`, /ranges too wide/],
  ] as const) {
    t.throws(() => compileTitlePattern(regex), { code: 'REGEX_INVALID', message: reason }, regex);
  }
  t.equal(compiled, 0);
  for (const regex of ['(?i)[\\pL\\pN ._-]+', '(?i)[\\x{4e00}-\\x{9fff}]{2,}', '(?i)[а-яё]', '[\\x00-\\x{10ffff}]'])
    t.doesNotThrow(() => compileTitlePattern(regex), regex);
});

void t.test('what people write, in any order of four words, passes on all that a feed may bring', async (t) => {
  for (const regex of ['(?i).*2160p.*(x265|hevc).*', 's\\d{2}e\\d{2}.{0,100}1080p', '(?i)a.*b.*c.*d|d.*c.*b.*a']) {
    t.equal(matches(regex, `${' '.repeat(900)}a s01e02 b c 1080p d 2160p hevc`), true, regex);
  }
  t.equal(matches('^.{0,1000}1080p', `${' '.repeat(240)}1080p`), true);
});

void t.test('a long title and a large pattern are no match rather than a long wait', async (t) => {
  const [slowest, title] = ['(?i).{0,1000}x', 'a'.repeat(1_000)];
  t.equal(matches(slowest, `${title}x`), false);
  t.equal(matches('(?i)a.*x', `${title}x`), true);
});

void t.test('no pattern makes a long title slow', async (t) => {
  const title = `${'a'.repeat(10_000)}!`;
  for (const regex of ['(a+)+$', '(a|aa)+$', '(a|a?)+b', '((a*)*)*b', '(.*)(.*)(.*)(.*)b$', 'a{0,900}b']) {
    const started = performance.now();
    t.equal(matches(regex, title), false, regex);
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
