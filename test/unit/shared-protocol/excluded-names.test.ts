import fc from 'fast-check';
import t from 'tap';
import { excluding } from '../../../shared-protocol/excluded-names.js';
import { FUZZ_SEED } from '../../support/fuzzing.js';

const CASES: readonly {
  readonly pattern: string;
  readonly is: readonly string[];
  readonly isNot: readonly string[];
}[] = [
  { pattern: '*.exe', is: ['a.exe', '.exe', 'A.EXE', 'a.txt.exe'], isNot: ['exe', 'a.exe.txt', 'aexe'] },
  { pattern: 'sample', is: ['sample', 'Sample'], isNot: ['sample.mkv', 'a sample'] },
  { pattern: 'sample.*', is: ['sample.mkv', 'SAMPLE.'], isNot: ['sample', 'a-sample.mkv'] },
  { pattern: '*sample*', is: ['sample', 'the-sample.mkv'], isNot: ['sampl', 'samp le'] },
  { pattern: 'a*b*c', is: ['abc', 'a-b-c', 'abbcbc', 'acbbc'], isNot: ['ac', 'acb', 'ab', 'cba'] },
  { pattern: 'a*a', is: ['aa', 'aba'], isNot: ['a'] },
  { pattern: 'r??', is: ['r00', 'rar'], isNot: ['r0', 'r000'] },
  { pattern: '*.r??', is: ['a.r00', 'a.b.rar'], isNot: ['a.r0', 'a.r000'] },
  { pattern: '*a?c*', is: ['abc', 'xxabcxx', 'aabc'], isNot: ['ac', 'abb'] },
  { pattern: '[x].txt', is: ['[x].txt'], isNot: ['x.txt'] },
  { pattern: '*', is: ['a', '.b'], isNot: [] },
  { pattern: '**.nfo', is: ['a.nfo'], isNot: ['nfo'] },
];

void t.test('a pattern is met by the whole name, in any case', async (t) => {
  for (const { pattern, is, isNot } of CASES) {
    const isExcluded = excluding([pattern]);
    for (const name of is) t.ok(isExcluded([name]), `${pattern}: ${name}`);
    for (const name of isNot) t.notOk(isExcluded([name]), `${pattern}: not ${name}`);
  }
});

void t.test('folders count, but not the one that the torrent itself is', async (t) => {
  const isExcluded = excluding(['sample*', '*.exe']);
  t.ok(isExcluded(['Film', 'Sample', 'a.mkv']));
  t.ok(isExcluded(['Film', 'Extras', 'samples', 'a.mkv']));
  t.ok(isExcluded(['Film', 'setup.exe']));
  t.notOk(isExcluded(['Sample pack', 'a.wav']));
  t.notOk(isExcluded(['Film', 'a.mkv']));
  t.notOk(excluding([])(['a.exe']));
});

void t.test('the same as by a regular expression', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 8 });
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 10 });
  const property = fc.property(text, name, (pattern, name) => {
    const source = pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.');
    return excluding([pattern])([name]) === new RegExp(`^${source}$`, 's').test(name);
  });
  fc.assert(property, { numRuns: 5_000, seed: FUZZ_SEED });
});
