// Which announce addresses a beginning is of, and what becomes of them.
import t from 'tap';
import { replacePrefix } from '../../../../engine/metainfo/tracker-prefix.js';

void t.test('beginnings', (t) => {
  const cases: readonly (readonly [url: string, find: string, replace: string, replaced: string | null])[] = [
    ['http://a.example/announce', 'http://a.example/announce', 'http://b.example/x', 'http://b.example/x'],
    ['http://a.example/announce', 'http://a.example', 'https://b.example', 'https://b.example/announce'],
    ['http://a.example/k/announce', 'http://a.example/', 'http://b.example/', 'http://b.example/k/announce'],
    ['http://a.example/?key=1', 'http://a.example/?key=', 'http://a.example/?key=2', 'http://a.example/?key=21'],
    ['http://a.example/announce?key=1', 'http://a.example/announce', 'http://b.example/a', 'http://b.example/a?key=1'],
    ['http://a.example.org/announce', 'http://a.example', 'http://b.example', null],
    ['http://a.example/announce2', 'http://a.example/announce', 'http://b.example/announce', null],
    ['http://a.example/announce', 'a.example', 'b.example', null],
    ['http://a.example/announce', '', 'http://b.example', null],
  ];
  for (const [url, find, replace, replaced] of cases)
    t.equal(replacePrefix(url, find, replace), replaced, `${find} in ${url}`);
  t.end();
});
