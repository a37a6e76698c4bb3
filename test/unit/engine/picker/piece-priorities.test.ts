import t from 'tap';
import { piecePrioritiesFromFiles } from '../../../../engine/picker/index.js';
import type { TorrentInfo } from '../../../../engine/metainfo/types.js';
import type { FilePriority } from '../../../../engine/disk/types.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';

/** Pieces of 10 bytes; a size in brackets is a pad file. */
function torrent(sizes: readonly (number | [number])[]): TorrentInfo {
  let offset = 0;
  const files = sizes.map((size, index) => {
    const sizeBytes = typeof size === 'number' ? size : size[0];
    const file = { index, path: [`${index}`], sizeBytes, offset, isPad: typeof size !== 'number' };
    offset += sizeBytes;
    return file;
  });
  return {
    infoHash: parseInfoHash('a'.repeat(40)),
    name: 'board',
    pieceLength: 10,
    pieceCount: Math.ceil(offset / 10),
    totalBytes: offset,
    contentBytes: files.reduce((sum, { sizeBytes, isPad }) => (isPad ? sum : sum + sizeBytes), 0),
    pieceHashes: new Uint8Array(0),
    files,
    isPrivate: false,
  };
}

interface Case {
  readonly name: string;
  readonly sizes: readonly (number | [number])[];
  readonly files: readonly FilePriority[];
  readonly expected: readonly FilePriority[];
}

const CASES: readonly Case[] = [
  { name: 'one file', sizes: [25], files: ['high'], expected: ['high', 'high', 'high'] },
  { name: 'a shared piece: the higher', sizes: [15, 15], files: ['skip', 'max'], expected: ['skip', 'max', 'max'] },
  { name: 'a border between pieces', sizes: [20, 10], files: ['skip', 'normal'], expected: ['skip', 'skip', 'normal'] },
  { name: 'three files in one piece', sizes: [3, 3, 4], files: ['skip', 'high', 'normal'], expected: ['high'] },
  { name: 'pad files want nothing', sizes: [5, [5], 10], files: ['skip', 'max', 'high'], expected: ['skip', 'high'] },
  { name: 'empty files want nothing', sizes: [10, 0, 10], files: ['skip', 'max', 'skip'], expected: ['skip', 'skip'] },
  { name: 'files without an entry', sizes: [10, 10], files: ['skip'], expected: ['skip', 'normal'] },
];

for (const { name, sizes, files, expected } of CASES)
  void t.test(`a piece is as wanted as its most wanted file: ${name}`, async (t) => {
    t.same(piecePrioritiesFromFiles(torrent(sizes), files), expected);
  });

/** With the edges of files first. */
const EDGES: readonly (Omit<Case, 'expected'> & { readonly expected: string })[] = [
  { name: 'one file', sizes: [55], files: ['normal'], expected: 'ennnne' },
  { name: 'a piece that two files share', sizes: [25, 25], files: [], expected: 'enene' },
  { name: 'a file within one piece', sizes: [22, 3, 25], files: [], expected: 'enene' },
  { name: 'before the most wanted', sizes: [40, 40], files: ['max', 'high'], expected: 'emmeehhe' },
  { name: 'a skipped file has no edges', sizes: [40, 40], files: ['skip', 'high'], expected: '----ehhe' },
  { name: 'but its neighbour in the same piece has', sizes: [15, 25], files: ['skip', 'normal'], expected: '-ene' },
  { name: 'a hundredth of a large file', sizes: [2_500], files: [], expected: `eee${'n'.repeat(244)}eee` },
  { name: 'pad files have none', sizes: [35, [25], 40], files: [], expected: 'enne--enne' },
];

for (const { name, sizes, files, expected } of EDGES)
  void t.test(`the edges of wanted files come first: ${name}`, async (t) => {
    const letters = piecePrioritiesFromFiles(torrent(sizes), files, true).map((priority) =>
      priority === 'skip' ? '-' : priority[0],
    );
    t.equal(letters.join(''), expected);
  });
