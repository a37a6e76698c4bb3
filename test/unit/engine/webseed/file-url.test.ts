import t from 'tap';
import { parseTorrentFile, type TorrentInfo } from '../../../../engine/metainfo/index.js';
import { fileUrl } from '../../../../engine/webseed/file-url.js';
import { makeTorrent } from '../../../support/make-torrent.js';

function infoOf(name: string, paths: readonly (readonly string[])[] | null): TorrentInfo {
  const bytes = Buffer.alloc(10, 1);
  const files = paths ? paths.map((path) => ({ path, bytes })) : bytes;
  return parseTorrentFile(makeTorrent({ name, pieceLength: 16_384, files }).torrentBytes).info;
}

void t.test('BEP 19: one file', async (t) => {
  const cases = [
    { url: 'http://s.example/a/b.iso', expected: 'http://s.example/a/b.iso' },
    { url: 'http://s.example/a/', expected: 'http://s.example/a/my%20file.iso' },
    { url: 'http://s.example', expected: 'http://s.example/my%20file.iso' },
    { url: 'http://s.example/get?id=5', expected: 'http://s.example/get?id=5' },
    { url: 'http://s.example/get/?id=5#x', expected: 'http://s.example/get/my%20file.iso?id=5' },
  ];
  const info = infoOf('my file.iso', null);
  for (const { url, expected } of cases) t.equal(fileUrl(url, info, info.files[0]!).href, expected, url);
});

void t.test('BEP 19: many files, also if they are but one', async (t) => {
  const cases = [
    { url: 'http://s.example/pub', expected: 'http://s.example/pub/The%20Name/sub/a%23b%25.txt' },
    { url: 'http://s.example/pub/', expected: 'http://s.example/pub/The%20Name/sub/a%23b%25.txt' },
    { url: 'http://s.example/pub?t=1', expected: 'http://s.example/pub/The%20Name/sub/a%23b%25.txt?t=1' },
  ];
  const info = infoOf('The Name', [['sub', 'a#b%.txt']]);
  for (const { url, expected } of cases) t.equal(fileUrl(url, info, info.files[0]!).href, expected, url);
  const unicode = infoOf('Größe', [['é&+=;,.bin']]);
  t.equal(
    fileUrl('http://s.example/', unicode, unicode.files[0]!).href,
    'http://s.example/Gr%C3%B6%C3%9Fe/%C3%A9%26%2B%3D%3B%2C.bin',
  );
});

void t.test("files are asked for by their author's names, not by those on disk", async (t) => {
  const cases = [
    { path: ['CON', 'Act 1: Who?.txt'], expected: 'CON/Act%201%3A%20Who%3F.txt' },
    { path: ['a/b', 'c\\d'], expected: 'a%2Fb/c%5Cd' },
    { path: ['etc.', 'f '], expected: 'etc./f%20' },
    { path: ['..', '.', 'f?'], expected: '_/_/f%3F' },
    { path: ['', 'f?'], expected: 'f%3F' },
    { path: ['%2e%2e', 'f?'], expected: '%252e%252e/f%3F' },
  ];
  for (const { path, expected } of cases) {
    const info = infoOf('pub: 1', [path]);
    const url = fileUrl('http://s.example', info, info.files[0]!);
    t.equal(url.href, `http://s.example/pub%3A%201/${expected}`);
  }
  const twice = infoOf('n', [['a.txt'], ['a.txt']]);
  t.strictSame(
    twice.files.map((file) => fileUrl('http://s.example/', twice, file).pathname),
    ['/n/a.txt', '/n/a.txt'],
    'one of the two will fail its hash; that is for the hash to say',
  );
});

void t.test('names lead nowhere else', async (t) => {
  const cases = [
    { name: '..', expected: '/pub/_/f' },
    { name: '.', expected: '/pub/_/f' },
    { name: '../../etc', expected: '/pub/..%2F..%2Fetc/f' },
    { name: '%2e%2e', expected: '/pub/%252e%252e/f' },
    { name: 'a?b#c', expected: '/pub/a%3Fb%23c/f' },
    { name: 'a: b', expected: '/pub/a%3A%20b/f' },
    { name: '//evil.example', expected: '/pub/%2F%2Fevil.example/f' },
  ];
  for (const { name, expected } of cases) {
    const info = infoOf(name, [['f']]);
    const url = fileUrl('http://s.example/pub', info, info.files[0]!);
    t.equal(url.href, `http://s.example${expected}`, name);
  }
});
