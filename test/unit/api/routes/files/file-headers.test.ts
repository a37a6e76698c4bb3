// What a file of strangers is called, and whether a browser may show it: names end no header, and nothing runs here.
import { validateHeaderValue } from 'node:http';
import fc from 'fast-check';
import t from 'tap';
import { contentDisposition } from '../../../../../api/routes/files/content-disposition.js';
import { mayBeShown, mediaTypeOf } from '../../../../../api/routes/files/media-types.js';

void t.test('names', async (t) => {
  const cases: readonly [path: string, expected: string][] = [
    ['a.txt', 'filename="a.txt"'],
    ['box/in a box/a b.txt', 'filename="a b.txt"'],
    ['x/Größe.mkv', `filename="Gr__e.mkv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.mkv`],
    ['a"; filename="evil.exe', `filename="a_; filename=_evil.exe"; filename*=UTF-8''a%22%3B%20filename%3D%22evil.exe`],
    ['a\r\nSet-Cookie: b=c', 'filename="a__Set-Cookie: b=c"'],
    ['a\\..\\b', 'filename="a_.._b"'],
    ['%2e%2e%2fa', `filename="_2e_2e_2fa"; filename*=UTF-8''%252e%252e%252fa`],
    ["it's (1)*.txt", `filename="it's (1)*.txt"`],
    ["ü'()*", `filename="_'()*"; filename*=UTF-8''%C3%BC%27%28%29%2A`],
    ['photo\u202egpj.exe', 'filename="photo_gpj.exe"'],
    ['half \ud800.txt', 'filename="half _.txt"'],
    ['', 'filename="_"'],
    ['a/', 'filename="_"'],
  ];
  for (const [path, expected] of cases) t.equal(contentDisposition('inline', path), `inline; ${expected}`, path);
});

void t.test('whatever it is called, it is one header with the quotes where they were', async (t) => {
  const unit = fc.constantFrom(
    '"',
    '\\',
    '%',
    '\r',
    '\n',
    '\0',
    ';',
    '=',
    '/',
    'a',
    'é',
    '\u{1f4be}',
    '\udfff',
    '\u202e',
  );
  const anything = fc
    .array(fc.oneof(unit, fc.string({ unit: 'binary' })), { maxLength: 20 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(anything, (path) => {
      const header = contentDisposition('attachment', path);
      validateHeaderValue('Content-Disposition', header);
      return /^attachment; filename="[^"\\%\r\n/]+"(?:; filename\*=UTF-8''[A-Za-z0-9%!~_.-]+)?$/.test(header);
    }),
    { numRuns: 2_000 },
  );
  t.pass();
});

void t.test('what a browser may show', async (t) => {
  const shown = ['a.mp4', 'a.MKV', 'b/a.webm', 'a.mp3', 'a.flac', 'a.jpg', 'a.png', 'a.txt', 'a.nfo', 'a.tar.log'];
  const saved = [
    ...['a.html', 'a.HTM', 'a.xhtml', 'a.xht', 'a.xml', 'a.svg', 'a.svgz', 'a.SVG', 'a.js', 'a.mjs', 'a.css', 'a.pdf'],
    ...['a.swf', 'a.mht', 'a.mhtml', 'a.shtml', 'a.xsl', 'a.rdf', 'a.hta', 'a.json', 'a.vtt', 'a.zip', 'a.exe', 'a'],
    ...['html', '.html', 'a.mp4.html', 'a.html ', 'a.mp4/a', 'a.txt\u200b', '__proto__', 'a.constructor', ''],
  ];
  for (const path of shown) t.ok(mayBeShown(mediaTypeOf(path)), path);
  for (const path of saved) t.notOk(mayBeShown(mediaTypeOf(path)), path);
  for (const path of saved.slice(0, 5)) t.equal(mediaTypeOf(path), 'application/octet-stream', path);
  t.equal(mediaTypeOf('a.svg'), 'image/svg+xml');
});
