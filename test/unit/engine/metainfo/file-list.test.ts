// Offsets, pad files and colliding paths (docs/limits.md 2.6, 2.7).
import t from 'tap';
import { placeFiles, type ListedFile } from '../../../../engine/metainfo/file-list.js';
import type { NameRules } from '../../../../shared-protocol/name-rules.js';
import { cpuMsOf } from '../../../support/cpu-time.js';

/** Placed in a folder called `root`. */
function place(
  listed: readonly { path: readonly string[]; sizeBytes: number; isPad: boolean }[],
  rules: NameRules = 'windows',
): ListedFile[] {
  const files = listed.map(({ path, ...file }, index) => ({ index, offset: 0, path: ['', ...path], ...file }));
  placeFiles('root', files, rules);
  return files;
}

/** `a/b` is a file of one byte, `a/b pad` a pad file of one byte. */
function paths(given: readonly string[], rules?: NameRules): string[] {
  const listed = given.map((text) => {
    const isPad = text.endsWith(' pad');
    return { path: text.replace(/ pad$/, '').split('/'), sizeBytes: 1, isPad };
  });
  return place(listed, rules).map((file) => {
    if (file.path[0] !== 'root') throw new Error(`outside the torrent's folder: ${file.path.join('/')}`);
    return file.path.slice(1).join('/');
  });
}

void t.test('colliding paths', async (t) => {
  const cases: { name: string; given: string[]; expected: string[]; rules?: NameRules }[] = [
    { name: 'distinct', given: ['a', 'b/a', 'c'], expected: ['a', 'b/a', 'c'] },
    { name: 'twice', given: ['a.txt', 'a.txt'], expected: ['a.txt', 'a.1.txt'] },
    { name: 'three times', given: ['d/a', 'd/a', 'd/a'], expected: ['d/a', 'd/a.1', 'd/a.2'] },
    { name: 'the new name is taken too', given: ['a', 'a.1', 'a'], expected: ['a', 'a.1', 'a.2'] },
    { name: 'the new name is wanted later', given: ['a', 'a', 'a.1'], expected: ['a', 'a.2', 'a.1'] },
    { name: 'a file, then a folder', given: ['a', 'a/b'], expected: ['a.1', 'a/b'] },
    { name: 'a folder, then a file', given: ['a/b', 'a'], expected: ['a/b', 'a.1'] },
    { name: 'a file and a deep folder', given: ['a/b', 'a/b/c/d'], expected: ['a/b.1', 'a/b/c/d'] },
    { name: 'a folder has the new name', given: ['a', 'a/x', 'a.1/y'], expected: ['a.2', 'a/x', 'a.1/y'] },
    { name: 'a folder above others has the new name', given: ['a', 'a', 'a.1/x/y'], expected: ['a', 'a.2', 'a.1/x/y'] },
    { name: 'composed and decomposed', given: ['\u00e9', 'e\u0301'], expected: ['\u00e9', 'e\u0301.1'] },
    { name: 'case tells apart', given: ['A', 'a'], expected: ['A', 'a'] },
    {
      name: 'case does not tell apart',
      given: ['A', 'a', 'B/x', 'b'],
      expected: ['A', 'a.1', 'B/x', 'b.1'],
      rules: 'posix',
    },
    {
      name: 'pad files may share a path, also with files',
      given: ['.pad/1 pad', '.pad/1 pad', '.pad/1', '.pad'],
      expected: ['.pad/1', '.pad/1', '.pad/1', '.pad.1'],
    },
  ];
  for (const { name, given, expected, rules } of cases) t.strictSame(paths(given, rules), expected, name);
});

void t.test('500 are renamed, one more is refused', async (t) => {
  const same = (count: number) => Array.from({ length: count }, () => 'd/name.ext');
  t.equal(paths(same(501)).at(-1), 'd/name.500.ext');
  t.throws(() => paths(same(502)), { code: 'TORRENT_INVALID', message: /duplicate paths, at "d\/name.ext"/ });
  const pairs = Array.from({ length: 501 }, (_, i) => [`${i}`, `${i}`]).flat();
  t.throws(() => paths(pairs), { code: 'TORRENT_INVALID' }, 'counted over the whole torrent');
});

void t.test('names that are folders already are passed over quickly', async (t) => {
  const names = Array.from({ length: 400 }, (_, i) => `n${i}`);
  const blocked = names.flatMap((name) => Array.from({ length: 499 }, (_, i) => `${name}.${i + 1}/x`));
  const given = [...names, ...names, ...blocked];
  const tookMs = cpuMsOf(() => t.equal(paths(given)[names.length], 'n0.500'));
  // About 1 s; comparing every name tried with every folder would take an hour.
  t.ok(tookMs < 10_000, `${tookMs.toFixed(0)} ms`);
});

void t.test('no two files end at one place, in any mix', async (t) => {
  const given = ['a', 'a', 'a/a', 'a/a', 'a/a/a', 'a.1', 'a.1/a', 'a.1', 'A/a'];
  for (const rules of ['windows', 'posix', 'portable'] as const) {
    const keys = paths(given, rules).map((path) => (rules === 'windows' ? path : path.toLowerCase()));
    t.equal(new Set(keys).size, given.length);
    for (const key of keys)
      t.notOk(
        keys.some((other) => other.startsWith(`${key}/`)),
        `${key} is no folder`,
      );
  }
});

void t.test('names of a mask, and no chance that two of them are taken for one', async (t) => {
  const given = Array.from({ length: 60_000 }, (_, i) => `${i % 50}/${Math.floor(i / 50) % 40}/f${i}`);
  t.strictSame(paths(given), given);
});
