import t from 'tap';
import type { TorrentFile } from '../../../../engine/metainfo/index.js';
import { filePartsOf } from '../../../../engine/webseed/file-parts.js';

/** Files of these sizes, one behind another. */
function files(...sizes: readonly number[]): TorrentFile[] {
  let offset = 0;
  return sizes.map((sizeBytes, index) => {
    const file = { index, path: [String(index)], sizeBytes, offset, isPad: false };
    offset += sizeBytes;
    return file;
  });
}

void t.test('the parts of a range, empty files left out', async (t) => {
  const given = files(0, 10, 0, 0, 5, 1, 20, 0);
  const cases = [
    { start: 0, end: 36, expected: ['1: 0-10', '4: 10-15', '5: 15-16', '6: 16-36'] },
    { start: 3, end: 10, expected: ['1: 3-10'] },
    { start: 9, end: 11, expected: ['1: 9-10', '4: 10-11'] },
    { start: 10, end: 15, expected: ['4: 10-15'] },
    { start: 14, end: 17, expected: ['4: 14-15', '5: 15-16', '6: 16-17'] },
    { start: 35, end: 36, expected: ['6: 35-36'] },
    { start: 5, end: 5, expected: [] },
  ];
  for (const { start, end, expected } of cases) {
    const parts = [...filePartsOf(given, start, end)];
    t.same(
      parts.map((part) => `${part.file.index}: ${part.start}-${part.end}`),
      expected,
      `${start}-${end}`,
    );
  }
});
