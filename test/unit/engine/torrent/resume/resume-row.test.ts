// docs/semantics.md section 5: what is made of the files that are found when a torrent is loaded again.
import t from 'tap';
import type { FilePriority, FileState } from '../../../../../engine/disk/types.js';
import { Bitfield } from '../../../../../engine/torrent/pieces/bitfield.js';
import { buildResumeRow, judgeFiles } from '../../../../../engine/torrent/resume/resume-row.js';
import { shapeTorrent } from '../../../../support/torrent-shapes.js';

// pieces |0000|1111|2222|
// files  |aaaa|pp bb|bbcc|, p a pad file
const INFO = shapeTorrent(4, [{ sizeBytes: 4 }, { sizeBytes: 2, isPad: true }, { sizeBytes: 4 }, { sizeBytes: 2 }]);
const FILES: readonly FileState[] = [
  { sizeBytes: 4, mtimeMs: 1 },
  { sizeBytes: null, mtimeMs: 0 },
  { sizeBytes: 4, mtimeMs: 2, ctimeMs: 5 },
  { sizeBytes: 2, mtimeMs: 3 },
];
const NUMBERS = {
  bytesDone: 8,
  wantedDone: 8,
  wantedBytes: 12,
  uploadedBytes: 5,
  downloadedBytes: 9,
  lastActivityAt: 1_700_000_000,
};

function judge(
  change: Readonly<Record<number, FileState>>,
  pieces = [0, 1, 2],
  priorities: FilePriority[] | null = null,
) {
  const have = new Bitfield(3);
  for (const piece of pieces) have.set(piece);
  const saved = buildResumeRow(have.bytes, NUMBERS, FILES, 1_700_000_000_999);
  const found = FILES.map((state, index) => change[index] ?? state);
  return judgeFiles(INFO, priorities, have, saved.files, found);
}

void t.test('a row keeps what it is built from, in whole seconds', async (t) => {
  const row = buildResumeRow(Uint8Array.of(0xe0), NUMBERS, FILES, 1_700_000_000_999);
  t.same(row, { ...NUMBERS, have: Uint8Array.of(0xe0), files: FILES, savedAt: 1_700_000_000 });
  const pieces = { recent: [2], partial: [{ piece: 1, blocks: Uint8Array.of(0x80) }] };
  t.match(buildResumeRow(Uint8Array.of(0xe0), NUMBERS, FILES, 0, pieces), pieces);
});

const verdict = (change: Partial<ReturnType<typeof judge>>) => ({ missing: null, changed: [], touched: [], ...change });

void t.test('verdicts', async (t) => {
  const absent = { sizeBytes: null, mtimeMs: 0 };
  const skipFirst: FilePriority[] = ['skip', 'normal', 'normal', 'normal'];
  const cases: readonly { name: string; given: ReturnType<typeof judge>; expected: ReturnType<typeof judge> }[] = [
    { name: 'as saved', given: judge({}), expected: verdict({}) },
    { name: 'another time', given: judge({ 2: { sizeBytes: 4, mtimeMs: 9 } }), expected: verdict({ changed: [2] }) },
    { name: 'grown', given: judge({ 0: { sizeBytes: 5, mtimeMs: 1 } }), expected: verdict({ changed: [0] }) },
    { name: 'gone', given: judge({ 0: absent }), expected: verdict({ missing: 't/f0' }) },
    { name: 'shorter', given: judge({ 3: { sizeBytes: 1, mtimeMs: 3 } }), expected: verdict({ missing: 't/f3' }) },
    {
      name: 'shorter, but not than what was verified',
      given: judge({ 2: { sizeBytes: 2, mtimeMs: 2 } }, [0, 1]),
      expected: verdict({ changed: [2] }),
    },
    {
      name: 'gone outweighs changed',
      given: judge({ 0: { sizeBytes: 4, mtimeMs: 9 }, 3: absent }),
      expected: verdict({ missing: 't/f3', changed: [0] }),
    },
    { name: 'gone, but nothing of it was verified', given: judge({ 0: absent }, [1, 2]), expected: verdict({}) },
    {
      name: 'gone, but not wanted: what is claimed of it is looked at',
      given: judge({ 0: absent }, [0, 1, 2], skipFirst),
      expected: verdict({ changed: [0] }),
    },
    {
      name: 'changed, but not wanted',
      given: judge({ 0: { sizeBytes: 4, mtimeMs: 9 } }, [0, 1, 2], skipFirst),
      expected: verdict({ changed: [0] }),
    },
    { name: 'a pad file is never there', given: judge({ 1: absent }), expected: verdict({}) },
    {
      name: 'nothing verified at all',
      given: judge({ 0: absent, 2: absent, 3: absent }, []),
      expected: verdict({}),
    },
    {
      name: 'another ctime alone',
      given: judge({ 2: { sizeBytes: 4, mtimeMs: 2, ctimeMs: 6 } }),
      expected: verdict({ touched: [2] }),
    },
    {
      name: 'another ctime of what is not verified',
      given: judge({ 2: { sizeBytes: 4, mtimeMs: 2, ctimeMs: 6 } }, [0]),
      expected: verdict({}),
    },
    { name: 'no ctime known', given: judge({ 2: { sizeBytes: 4, mtimeMs: 2 } }), expected: verdict({}) },
  ];
  for (const { name, given, expected } of cases) t.same(given, expected, name);
});

void t.test('a file that was saved as absent but has verified bytes now is hashed again', async (t) => {
  const have = new Bitfield(3, Uint8Array.of(0xe0));
  t.same(judgeFiles(INFO, null, have, [], FILES), verdict({ changed: [0, 2, 3] }));
});
