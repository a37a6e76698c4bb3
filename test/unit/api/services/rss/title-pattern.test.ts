// Patterns of filters: RE2 syntax, unanchored, and never slow.
import t from 'tap';
import { compileTitlePattern, matches } from '../../../../../api/services/rss/title-pattern.js';

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
  for (const regex of [huge, hugeClass]) {
    t.throws(() => compileTitlePattern(regex), { code: 'REGEX_INVALID', message: 'regex: repeats too much' });
  }
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
