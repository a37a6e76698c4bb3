// What the search offers while one types, and what becomes of the text when it is taken.
import t from 'tap';
import { completed, completionsAt } from '../../../../api/web/src/state/search-completion.js';
import type { TextField } from '../../../../api/web/src/state/search-terms.js';

const NAMES: Readonly<Record<TextField, readonly string[]>> = {
  tag: ['keep', 'to keep', '4k "raw" files'],
  category: ['films', 'films/old', 'tv shows'],
  tracker: ['a.example', 'tracker.example'],
  path: ['/data', '/data/my films'],
  name: [],
  hash: [],
  server: ['attic', 'dark cellar'],
};
/** The caret is at the bar. */
const offered = (marked: string) => {
  const caret = marked.indexOf('|');
  return completionsAt(marked.replace('|', ''), caret, (field) => NAMES[field]);
};
const typed = (marked: string) => offered(marked).options.map((option) => option.typed);

void t.test('operators', async (t) => {
  t.ok(typed('|').includes('tag:') && typed('|').includes('size>'), 'all of them where nothing is typed');
  t.same(typed('|'), typed('debian |'));
  t.same(typed('se|'), ['server:', 'seeds<', 'seeding>']);
  const alone = completionsAt('se', 2, (field) => (field === 'server' ? [] : NAMES[field]));
  t.notOk(
    alone.options.some(({ typed }) => typed === 'server:'),
    'where there is no other server it says nothing of them',
  );
  t.same(typed('server:|'), ['server:attic', 'server:"dark cellar"', 'server:none']);
  t.same(typed('debian -TR|'), ['-tracker:']);
  t.same(typed('s|'), [], 'one letter is of a name');
  t.same(typed('debian|'), []);
  t.same(typed('size>|'), []);
  t.same(typed('/ta|'), [], 'a pattern');
  t.same(typed('"ta|'), [], 'a phrase');
});

void t.test('names behind an operator', async (t) => {
  const cases = [
    { at: 'tag:|', expected: ['tag:keep', 'tag:"to keep"', 'tag:" files"', 'tag:none'] },
    { at: 'tag:ke|', expected: ['tag:keep', 'tag:"to keep"'] },
    { at: 'Tag:KEEP|', expected: ['Tag:keep', 'Tag:"to keep"'] },
    { at: 'x -cat:"tv s|', expected: ['-cat:"tv shows"'] },
    { at: 'category:old|', expected: ['category:films/old'] },
    { at: 'tracker:|', expected: ['tracker:a.example', 'tracker:tracker.example', 'tracker:none'] },
    { at: 'path:my|', expected: ['path:"/data/my films"'] },
    { at: 'status:se|', expected: ['status:seeding', 'status:paused'] },
    { at: 'is:pr|', expected: ['is:private'] },
    { at: 'state:unr|', expected: ['state:unregistered'] },
    { at: 'tag:"keep"|', expected: [] },
    { at: 'name:x|', expected: [] },
    { at: 'other:x|', expected: [] },
  ];
  for (const { at, expected } of cases) t.same(typed(at), expected, at);
  t.ok(offered('tag:k|').isBegun);
  t.notOk(offered('tag:|').isBegun);
  t.equal(completionsAt('tag:', 4, () => Array.from({ length: 500 }, (_, at) => `t${at}`)).options.length, 51);
});

void t.test('what is taken is put where it was typed, and one goes on behind it', async (t) => {
  const taken = (marked: string, place = 0) => {
    const found = offered(marked);
    const after = completed(marked.replace('|', ''), found, found.options[place]!);
    return `${after.text.slice(0, after.caret)}|${after.text.slice(after.caret)}`;
  };
  t.equal(taken('tra|'), 'tracker:|');
  t.equal(taken('tag:ke|'), 'tag:keep |');
  t.equal(taken('debian -tag:to| linux'), 'debian -tag:"to keep" |linux');
  t.equal(taken('tag:ke|ep size>1G'), 'tag:keep |size>1G');
  t.equal(taken('cat:"tv |'), 'cat:"tv shows" |');
  t.equal(taken('debian |linux'), 'debian tag:|linux');
});
