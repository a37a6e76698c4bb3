// Names of incomplete files: which files have none, and all names that a torrent may have on disk.
import t from 'tap';
import { IncompleteNames } from '../../../../engine/metainfo/incomplete-names.js';
import { torrentOf } from '../../../support/disk-fixtures.js';

const nameOf = (suffix: string | undefined, ...lines: readonly string[]): (string | null)[] => {
  const { files } = torrentOf(64, ...lines);
  const names = new IncompleteNames(files, suffix);
  return files.map((file) => names.pathOf(file)?.join('/') ?? null);
};

const TABLE: readonly {
  readonly name: string;
  readonly given: readonly string[];
  readonly expected: readonly unknown[];
}[] = [
  { name: 'a file and one in a folder', given: ['a 1', 'd/b 1'], expected: ['a.part', 'd/b.part'] },
  { name: 'an empty one and a pad file', given: ['a 0', '.pad/1 1'], expected: [null, null] },
  { name: 'one whose name is another file', given: ['a 1', 'a.part 1'], expected: [null, 'a.part.part'] },
  { name: 'in whatever case', given: ['a 1', 'A.Part 1'], expected: [null, 'A.Part.part'] },
  { name: 'one whose name is a folder', given: ['a 1', 'a.part/b 1'], expected: [null, 'a.part/b.part'] },
  { name: 'of another folder nothing', given: ['d/a 1', 'e/a.part 1'], expected: ['d/a.part', 'e/a.part.part'] },
  { name: 'as long as it fits', given: [`${'n'.repeat(250)} 1`], expected: [`${'n'.repeat(250)}.part`] },
  { name: 'no longer', given: [`${'n'.repeat(251)} 1`], expected: [null] },
  { name: 'in bytes', given: [`${'ü'.repeat(126)} 1`], expected: [null] },
];

for (const { name, given, expected } of TABLE) {
  void t.test(name, async (t) => t.same(nameOf('.part', ...given), expected));
}

void t.test('without a suffix none has another name', async (t) => {
  t.same(nameOf(undefined, 'a 1'), [null]);
  const { files } = torrentOf(64, 'a 1', 'b 0');
  t.equal(new IncompleteNames(files, undefined).withBoth(files), files);
  const both = new IncompleteNames(files, '.part').withBoth(files).map(({ index, path }) => [index, path.join('/')]);
  t.same(both, [
    [0, 'a'],
    [0, 'a.part'],
    [1, 'b'],
  ]);
});
