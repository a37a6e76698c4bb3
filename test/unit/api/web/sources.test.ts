// What is found in a text that somebody pasted or dropped.
import t from 'tap';
import { infoHashOf, parseText } from '../../../../api/web/src/features/add/sources.js';

const HEX = '0123456789abcdef0123456789abcdef01234567';
const BASE32 = 'AERUKZ4JVPG66AJDIVTYTK6N54ASGRLH';
const OTHER = 'f'.repeat(40);

void t.test('each way to name a torrent', async (t) => {
  const cases = [
    { text: HEX, expected: [`magnet:?xt=urn:btih:${HEX}`] },
    { text: HEX.toUpperCase(), expected: [`magnet:?xt=urn:btih:${HEX.toUpperCase()}`] },
    { text: BASE32, expected: [`magnet:?xt=urn:btih:${BASE32}`] },
    { text: `magnet:?xt=urn:btih:${HEX}&dn=A b`, expected: [`magnet:?xt=urn:btih:${HEX}&dn=A b`] },
    { text: 'http://a.example/x.torrent', expected: ['http://a.example/x.torrent'] },
    { text: 'HTTPS://a.example/x?u=http://b', expected: ['HTTPS://a.example/x?u=http://b'] },
  ];
  for (const { text, expected } of cases) {
    const { links, unknown } = parseText(`\n  ${text}\t\r\n`);
    t.same([links.map(({ link }) => link), unknown], [expected, []], text);
  }
});

void t.test('many, in lines or beside one another', async (t) => {
  const links = (text: string) => parseText(text).links.map(({ text }) => text);
  t.same(links(`${HEX}\r\n\r\n${OTHER}`), [HEX, OTHER]);
  t.same(links(`${HEX}, ${OTHER}`), [HEX, OTHER]);
  t.same(links(`magnet:?xt=urn:btih:${HEX}&dn=a b https://a.example/1 http://a.example/2`), [
    `magnet:?xt=urn:btih:${HEX}&dn=a b`,
    'https://a.example/1',
    'http://a.example/2',
  ]);
});

void t.test('the same twice is one', async (t) => {
  t.equal(parseText(`${HEX}\n${BASE32}\nmagnet:?dn=x&xt=urn:btih:${HEX.toUpperCase()}`).links.length, 1);
  t.equal(parseText('http://a.example/1\nhttp://a.example/1').links.length, 1);
});

void t.test('what is none of them is named', async (t) => {
  const cases = [
    'hello world',
    '/home/x.torrent',
    'ftp://a.example/x',
    'http://',
    'http://a b',
    HEX.slice(1),
    '0'.repeat(32),
  ];
  for (const text of cases) t.same(parseText(`${text}\n${HEX}`).unknown, [text], text);
  t.same(parseText(' \n\n').unknown, []);
});

void t.test('names', async (t) => {
  const name = (text: string) => parseText(text).links[0]?.name;
  t.equal(name(`magnet:?xt=urn:btih:${HEX}&dn=A+%3Cb%3E`), 'A <b>');
  t.equal(name(`magnet:?xt=urn:btih:${HEX}`), HEX);
  t.equal(name(BASE32), HEX);
  t.equal(name('magnet:?dn='), 'magnet:?dn=');
  t.equal(name('http://a.example/x'), 'http://a.example/x');
});

void t.test('info hashes of magnets', async (t) => {
  t.equal(infoHashOf(`magnet:?dn=x&xt=urn:btih:${HEX.toUpperCase()}&tr=y`), HEX);
  t.equal(infoHashOf(`magnet:?xt.1=URN:BTIH:${BASE32}`), HEX);
  t.equal(infoHashOf(`magnet:?xt=urn:btmh:1220${HEX}`), null);
  t.equal(infoHashOf('magnet:?dn=x'), null);
});
