// The texts of the page in its languages. That none is missing the compiler says: this file compiles both.
import t from 'tap';
import { bytes, count, date, duration, percent, ratio } from '../../../../api/web/src/format/quantities.js';
import { t as text } from '../../../../api/web/src/strings/index.js';
import { allTexts, speakAll } from '../../../support/texts.js';

function leavesOf(node: unknown, path = ''): (readonly [path: string, text: string])[] {
  if (typeof node === 'string') return [[path, node]];
  return Object.entries(node as object).flatMap(([name, child]) => leavesOf(child, `${path}.${name}`));
}

const valuesIn = (leaf: string) => (leaf.match(/\{\w+\}/g) ?? []).sort();

void t.test('a translation has the same texts and fills in the same values', async (t) => {
  const original = leavesOf(await allTexts('en'));
  const translated = new Map(leavesOf(await allTexts('de')));
  for (const [path, english] of original) {
    const german = translated.get(path) ?? '';
    t.same(valuesIn(german), valuesIn(english), path);
    t.not(german, '', path);
  }
  t.equal(translated.size, original.length);
});

/** Ways to say what has another way everywhere else. */
const ODD = {
  en: [/\bEmpty: /, /\b0: /],
  de: [/\bLeer: /, /pausiert/i, /(?:[Ww]enn|[Dd]amit|[Ff]alls|[Bb]itte|eigen|licken|ählen|eben|önnen) Sie\b/],
};

for (const language of ['en', 'de'] as const) {
  void t.test(`one way to say one thing: ${language}`, async (t) => {
    const leaves = leavesOf(await allTexts(language));
    for (const odd of ODD[language]) {
      t.same(
        leaves.filter(([, leaf]) => odd.test(leaf)),
        [],
        String(odd),
      );
    }
  });
}

void t.test('numbers, dates and plurals are written as the language does', async (t) => {
  t.teardown(() => speakAll('en'));
  await speakAll('de');
  t.same(
    [1, 5_000].map((amount) => text('list.shown', { count: amount })),
    ['1 Torrent', '5.000 Torrents'],
  );
  t.same(
    [count(32_140), bytes(1_536), percent(0.345), percent(1), ratio(1.5)],
    [...['32.140', '1,50 KiB', '34,5\u00a0%', '100\u00a0%', '1,50']],
  );
  t.same([20, 1_200, 7_560, 90_000].map(duration), [
    ...['20\u00a0s', '20\u00a0min', '2\u00a0h 6\u00a0min', '1\u00a0T 1\u00a0h'],
  ]);
  t.equal(date(Date.UTC(2026, 10, 25, 12) / 1_000), '25.11.2026');
  await speakAll('en', 'en-GB');
  t.equal(date(Date.UTC(2026, 10, 25, 12) / 1_000), '25 Nov 2026');
});

void t.test('a name that is digits is no number', async (t) => {
  await speakAll('en');
  t.equal(text('settings.web.moved', { port: '8080' }), 'Swarmd moved to port 8080.');
});
