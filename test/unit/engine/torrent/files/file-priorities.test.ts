import t from 'tap';
import type { FilePriority } from '../../../../../engine/disk/types.js';
import { parseTorrentFile } from '../../../../../engine/metainfo/index.js';
import {
  assertFiles,
  changedPriorities,
  selectionChange,
  wantsFiles,
  type PriorityChange,
} from '../../../../../engine/torrent/files/file-priorities.js';
import { makeTorrent, seededBytes } from '../../../../support/make-torrent.js';

/** Files 0, 2 and 4; 1 and 3 are pads. */
const { info } = parseTorrentFile(
  makeTorrent({
    name: 'padded',
    pieceLength: 16_384,
    padFiles: true,
    files: [10_000, 20_000, 30_000].map((length, i) => ({ path: [`file-${i}`], bytes: seededBytes(i, length) })),
  }).torrentBytes,
);

/** One letter for each file: s, n, h, m. */
const letters = (priorities: readonly FilePriority[] | null): string =>
  priorities === null ? 'all' : priorities.map(([letter]) => letter).join('');

const NAMES: Readonly<Record<string, FilePriority>> = { s: 'skip', n: 'normal', h: 'high', m: 'max' };
const stored = (text: string): FilePriority[] | null => (text === 'all' ? null : [...text].map((l) => NAMES[l]!));

void t.test('what is named changes, the rest stays, and the same wishes are stored alike', async (t) => {
  const cases: readonly { from: string; change: PriorityChange; expected: string }[] = [
    { from: 'all', change: {}, expected: 'all' },
    { from: 'all', change: { 0: 'skip' }, expected: 'snnnn' },
    { from: 'snnnn', change: { 4: 'high' }, expected: 'snnnh' },
    { from: 'snnnh', change: { 0: 'normal', 4: 'normal' }, expected: 'all' },
    { from: 'snnnn', change: { 2: 'skip', 4: 'skip' }, expected: 'sssss' },
    { from: 'sssss', change: { 2: 'max' }, expected: 'snmns' },
    { from: 'all', change: { 17: 'skip' }, expected: 'all' },
  ];
  for (const { from, change, expected } of cases) {
    t.equal(letters(changedPriorities(info.files, stored(from), change)), expected, JSON.stringify([from, change]));
  }
});

void t.test('whether anything is wanted', async (t) => {
  for (const [text, wanted] of [
    ['all', true],
    ['snnnn', true],
    ['sssss', false],
  ] as const) {
    t.equal(wantsFiles(stored(text)), wanted, text);
  }
});

void t.test('the ranges of a magnet skip what is outside of them', async (t) => {
  t.same(selectionChange(info, null), {});
  t.same(selectionChange(info, [{ first: 1, last: 2 }]), { 0: 'skip', 3: 'skip', 4: 'skip' });
  const nothing = changedPriorities(info.files, null, selectionChange(info, [{ first: 9, last: 9 }]));
  t.equal(letters(nothing), 'sssss');
});

void t.test('an index that names no file is refused', async (t) => {
  const bad = { code: 'FILE_INDEX_INVALID' };
  for (const index of [5, -1, 1.5, 1, 3]) {
    t.throws(() => assertFiles({ 0: 'skip', [index]: 'skip' }, info.files), {
      ...bad,
      message: `priorities: no file ${index}`,
    });
  }
  t.throws(() => assertFiles(JSON.parse('{"00":"skip"}') as PriorityChange, info.files), bad);
  t.throws(() => assertFiles(JSON.parse('{"__proto__":"skip"}') as PriorityChange, null), bad);
  assertFiles({ 0: 'skip', 2: 'high', 4: 'max' }, info.files);
  assertFiles({ 1: 'skip', 400_000: 'max' }, null);
  t.throws(() => assertFiles({ 500_000: 'skip' }, null), bad, 'more than any metadata has room for');
});
