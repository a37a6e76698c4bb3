// Names from strangers: docs/limits.md 2.1 and 2.7 as a table, then its properties over random Unicode.
import { sep } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { joinInside, numberedElement, safeElement, withEnding } from '../../../../engine/metainfo/safe-path.js';

const RUNS = 20_000;

void t.test('what becomes of an element', async (t) => {
  const long = 'x'.repeat(300);
  const cases: { name: string; given: string | Uint8Array; expected: string }[] = [
    { name: 'an ordinary name', given: 'Big Buck Bunny [1080p].mkv', expected: 'Big Buck Bunny [1080p].mkv' },
    { name: 'other scripts and emoji', given: 'Ünïcode 日本 🎬.mp4', expected: 'Ünïcode 日本 🎬.mp4' },
    { name: 'not normalised', given: 'e\u0301.txt', expected: 'e\u0301.txt' },
    { name: 'a hidden file', given: '.nfo', expected: '.nfo' },
    { name: 'nothing', given: '', expected: '_' },
    { name: 'this folder', given: '.', expected: '_' },
    { name: 'the folder above', given: '..', expected: '_' },
    { name: 'more dots', given: '....', expected: '_' },
    { name: 'a slash', given: '../../etc/passwd', expected: '.._.._etc_passwd' },
    { name: 'a backslash', given: 'a\\b', expected: 'a_b' },
    { name: 'a drive', given: 'C:file', expected: 'C_file' },
    { name: 'what Windows forbids', given: '<>:"|?*', expected: '_______' },
    { name: 'NUL, control characters, DEL, C1', given: 'a\0b\nc\x7fd\x85e', expected: 'a_b_c_d_e' },
    { name: 'line separators', given: 'a\u2028b\u2029c', expected: 'a_b_c' },
    { name: 'invisible tags', given: 'a\u{e0041}b', expected: 'ab' },
    { name: 'direction marks', given: 'photo\u202egpj.exe', expected: 'photogpj.exe' },
    { name: 'zero width, byte order mark', given: '\ufeffa\u200bb\u2060c', expected: 'abc' },
    { name: 'only invisible', given: '\u200b\u202e', expected: '_' },
    { name: 'dots hidden behind an invisible mark', given: '.\u200b.', expected: '_' },
    { name: 'trailing dots and spaces', given: 'name. . ', expected: 'name' },
    { name: 'a device', given: 'CON', expected: '_CON' },
    { name: 'a device with extension', given: 'nul.tar.gz', expected: '_nul.tar.gz' },
    { name: 'a device with a superscript digit', given: 'com¹.txt', expected: '_com¹.txt' },
    { name: 'a device and spaces', given: 'aux .txt', expected: '_aux .txt' },
    { name: 'not quite a device', given: 'console.txt', expected: 'console.txt' },
    { name: 'a lone surrogate', given: 'a\ud800b', expected: 'a_b' },
    { name: 'bytes that are not UTF-8', given: Buffer.from('caf\xe9.txt', 'latin1'), expected: 'caf_.txt' },
    { name: 'an overlong slash', given: Buffer.from([0x61, 0xc0, 0xaf, 0x62]), expected: 'a__b' },
    { name: 'U+FFFD in good UTF-8', given: Buffer.from('a\ufffdb'), expected: 'a\ufffdb' },
    { name: 'too long, with extension', given: `${long}.mkv`, expected: `${'x'.repeat(236)}.mkv` },
    { name: 'too long, no extension', given: long, expected: 'x'.repeat(240) },
    { name: 'too long, cut between code points', given: '日'.repeat(100), expected: '日'.repeat(80) },
    { name: 'too long, emoji', given: `x${'🎬'.repeat(100)}.mp4`, expected: `x${'🎬'.repeat(58)}.mp4` },
    { name: 'cutting lays bare a device', given: `con${' '.repeat(300)}x`, expected: '_con' },
    { name: 'a sentence after a dot is no extension', given: `a.${long}`, expected: `a.${'x'.repeat(238)}` },
  ];
  for (const { name, given, expected } of cases) t.equal(safeElement(given), expected, name);
});

void t.test('what becomes of an element by the rules of POSIX', async (t) => {
  const long = 'x'.repeat(300);
  const cases: { name: string; given: string | Uint8Array; expected: string }[] = [
    { name: 'what Windows forbids', given: '<>:"|?*\\', expected: '<>:"|?*\\' },
    { name: 'a device', given: 'CON', expected: 'CON' },
    { name: 'trailing dots and spaces', given: 'name. . ', expected: 'name. . ' },
    { name: 'nothing but spaces', given: '  ', expected: '  ' },
    { name: 'more dots than two', given: '...', expected: '...' },
    { name: 'nothing', given: '', expected: '_' },
    { name: 'this folder', given: '.', expected: '_' },
    { name: 'the folder above', given: '..', expected: '_' },
    { name: 'the folder above behind a mark', given: '.\u202e.', expected: '_' },
    { name: 'a slash', given: '../../etc/passwd', expected: '.._.._etc_passwd' },
    { name: 'NUL, control characters, DEL, C1', given: 'a\0b\nc\x7fd\x85e', expected: 'a_b_c_d_e' },
    { name: 'direction marks', given: 'photo\u202egpj\u2067.\u061cexe', expected: 'photogpj.exe' },
    { name: 'zero width, byte order mark', given: '\ufeffa\u200bb\u2060c', expected: '\ufeffa\u200bb\u2060c' },
    { name: 'a flag that is made of tags', given: '🏴\u{e0067}\u{e007f}', expected: '🏴\u{e0067}\u{e007f}' },
    { name: 'a lone surrogate', given: 'a\ud800b', expected: 'a_b' },
    { name: 'bytes that are not UTF-8', given: Buffer.from('caf\xe9?.txt', 'latin1'), expected: 'caf_?.txt' },
    { name: 'an overlong slash', given: Buffer.from([0x61, 0xc0, 0xaf, 0x62]), expected: 'a__b' },
    { name: 'as long as a file system takes', given: 'x'.repeat(255), expected: 'x'.repeat(255) },
    { name: 'too long, with extension', given: `${long}.mkv`, expected: `${'x'.repeat(251)}.mkv` },
    { name: 'too long, cut between code points', given: '🎬'.repeat(100), expected: '🎬'.repeat(63) },
  ];
  for (const { name, given, expected } of cases) t.equal(safeElement(given, 'posix'), expected, name);
});

/** Strings full of what is dangerous, beside any Unicode and lone surrogates. */
const dangerous = fc.oneof(
  fc.constantFrom('.', '..', '/', '\\', '\0', ' ', 'con', 'NUL', 'lpt1', '\u202e', '\u200b', '\ud800', '\udc00', ':'),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('x', '日', '🎬', ' ', '.').chain((unit) => fc.nat(260).map((count) => unit.repeat(count))),
  fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
);
const anyName = fc.oneof(
  fc.array(dangerous, { maxLength: 6 }).map((parts) => parts.join('')),
  fc.uint8Array({ maxLength: 300 }),
);

function isSafe(element: string): boolean {
  const bytes = Buffer.byteLength(element);
  return (
    bytes >= 1 &&
    bytes <= 240 &&
    Buffer.from(element).toString('utf8') === element &&
    !/[/\\\0-\x1f\x7f-\x9f<>:"|?*\u200e\u200f\u202a-\u202e]/.test(element) &&
    !/[. ]$/.test(element) &&
    !/^(con|prn|aux|nul|com\d|lpt\d) *(\.|$)/i.test(element)
  );
}

void t.test('any element comes out safe, and stays as it is', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(anyName, (name) => {
        const once = safeElement(name);
        return isSafe(once) && safeElement(once) === once;
      }),
      { numRuns: RUNS },
    ),
  );
});

function isPosix(element: string): boolean {
  const bytes = Buffer.byteLength(element);
  return (
    bytes >= 1 &&
    bytes <= 255 &&
    Buffer.from(element).toString('utf8') === element &&
    !/[/\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(element) &&
    !/^\.{1,2}$/.test(element)
  );
}

void t.test('by the rules of POSIX too, and what all systems have stays as it is', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(anyName, fc.integer({ min: 1, max: 500 }), (name, number) => {
        const once = safeElement(name, 'posix');
        const numbered = numberedElement(once, number, 'posix');
        const portable = safeElement(name, 'portable');
        return (
          isPosix(once) &&
          safeElement(once, 'posix') === once &&
          isPosix(numbered) &&
          numbered !== once &&
          safeElement(portable, 'posix') === portable &&
          isPosix(withEnding(once, '.0123abcd.12'))
        );
      }),
      { numRuns: RUNS },
    ),
  );
});

void t.test('a numbered element is safe and differs', async (t) => {
  t.equal(numberedElement('name.ext', 1), 'name.1.ext');
  t.equal(numberedElement('.nfo', 2), '.nfo.2');
  t.equal(numberedElement('name', 500), 'name.500');
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(anyName, fc.integer({ min: 1, max: 500 }), (name, number) => {
        const element = safeElement(name);
        const numbered = numberedElement(element, number);
        return isSafe(numbered) && numbered !== element;
      }),
      { numRuns: 5_000 },
    ),
  );
});

void t.test('safe elements join inside the root', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(anyName, { minLength: 1, maxLength: 8 }), (names) => {
        return (['posix', 'portable', 'windows'] as const).every((rules) => {
          const elements = names.map((name) => safeElement(name, rules));
          return joinInside('/srv/data', elements) === ['/srv/data', ...elements].join(sep);
        });
      }),
      { numRuns: RUNS },
    ),
  );
});

void t.test('joining never leaves the root, whatever the elements', async (t) => {
  const hostile = fc.oneof(fc.constantFrom('..', '.', '/', '/etc', '../..', 'a/../..', ''), fc.string());
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 6 }), (elements) => {
        try {
          return joinInside('/srv/data', elements).startsWith('/srv/data/');
        } catch (error) {
          return error instanceof Error && 'code' in error && error.code === 'SAVE_PATH_INVALID';
        }
      }),
      { numRuns: RUNS },
    ),
  );
});

void t.test('where joining is refused', async (t) => {
  const cases: { name: string; root: string; elements: string[] }[] = [
    { name: 'up', root: '/srv/data', elements: ['a', '..', '..', 'b'] },
    { name: 'up and down again', root: '/srv/data', elements: ['a', '..', 'b'] },
    { name: 'absolute', root: '/srv/data', elements: ['/etc/passwd'] },
    { name: 'a folder whose name begins alike', root: '/srv/data', elements: ['../database'] },
    { name: 'the root itself', root: '/srv/data', elements: [] },
    { name: 'an empty element', root: '/srv/data', elements: [''] },
    { name: 'NUL', root: '/srv/data', elements: ['a\0b'] },
    { name: 'a relative root', root: 'data', elements: ['a'] },
    { name: 'a root with NUL', root: '/srv\0', elements: ['a'] },
  ];
  for (const { name, root, elements } of cases) {
    t.throws(() => joinInside(root, elements), { code: 'SAVE_PATH_INVALID' }, name);
  }
  t.equal(joinInside('/', ['a', 'b']), '/a/b', 'the root of the file system');
  t.equal(joinInside('/srv', ['..\\..\\b']), '/srv/..\\..\\b', 'a backslash separates nothing');
  t.equal(joinInside('/srv/../data/', ['..a']), '/data/..a', 'two dots may begin a name');
});
