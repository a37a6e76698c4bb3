// qBittorrent's words for titles, as patterns that find what they find.
import t from 'tap';
import { expressionOf, patternOfExpression, patternOfWords } from '../../../../../api/services/rss/title-words.js';
import { compileTitlePattern } from '../../../../../api/services/rss/title-pattern.js';

const cases: { words: string; finds: string[]; misses: string[] }[] = [
  { words: '', finds: ['', 'anything'], misses: [] },
  { words: 'film', finds: ['The FILM', 'filmed'], misses: ['fil m'] },
  { words: 'the film', finds: ['The Film', 'film, the', 'thefilm'], misses: ['the', 'film'] },
  { words: 'a b c', finds: ['c b a', 'b a c'], misses: ['a c'] },
  { words: 'film|song', finds: ['a song', 'a film'], misses: ['a book'] },
  { words: 'film 1080p|song', finds: ['1080p film', 'song'], misses: ['film'] },
  { words: 'film|', finds: ['anything'], misses: [] },
  { words: 'the he', finds: ['the', 'he the'], misses: ['he'] },
  { words: 'shows s01', finds: ['Shows01', 's01 shows', 'shows S01'], misses: ['shows', 'how s01'] },
  { words: 'abc cde', finds: ['abcde', 'cdeabc', 'abccde'], misses: ['abde'] },
  { words: 'a a', finds: ['a'], misses: ['b'] },
  { words: 's0?e*', finds: ['S01E02', 's0xe'], misses: ['s1e1'] },
  { words: 'a.b (c) [d]', finds: ['[d] (c) a.b'], misses: ['axb (c) [d]', 'a.b c d'] },
  { words: 'a\\d+$', finds: ['a\\d+$'], misses: ['a1'] },
];
for (const { words, finds, misses } of cases) {
  void t.test(`"${words}"`, async (t) => {
    const isMatch = compileTitlePattern(patternOfWords(words));
    for (const title of finds) t.ok(isMatch(title), title);
    for (const title of misses) t.notOk(isMatch(title), title);
  });
}

void t.test('what has no pattern is refused', async (t) => {
  t.throws(() => patternOfWords('a b c d e'), { code: 'RSS_REFUSED' });
  t.throws(() => patternOfWords(`${'x'.repeat(60)} b c d`), { code: 'RSS_REFUSED' }, 'too long in all its orders');
  t.throws(() => patternOfExpression('x'.repeat(1_000)), { code: 'RSS_REFUSED' });
});

void t.test('an expression that is shown and sent back finds the same', async (t) => {
  for (const pattern of ['', '(?i)film', 'Film', '(?i)(?-i)Film', '^a|b$']) {
    const again = patternOfExpression(expressionOf(pattern));
    for (const title of ['film', 'Film', 'a', 'B', '']) {
      t.equal(compileTitlePattern(again)(title), compileTitlePattern(pattern)(title), `${pattern} on ${title}`);
    }
  }
});
