// Where files lie in a torrent that is made of them, and how long its pieces are.
import t from 'tap';
import bencode, { type BencodeInput } from 'bencode';
import { layOut } from '../../../../engine/creation/lay-out.js';
import { pieceLengthFor } from '../../../../engine/creation/piece-length.js';
import { parseInfoDictionary, writeInfoDictionary, writeTorrentFile } from '../../../../engine/metainfo/index.js';
import { parseTorrentFile } from '../../../../engine/metainfo/index.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

const listed = (path: string, sizeBytes = 1) => ({
  path: path.split('/'),
  sizeBytes,
  inode: 1,
  birthMs: 1,
  mtimeMs: 1,
  ctimeMs: 1,
  linkCount: 1,
});

void t.test('the order is that of libtorrent: element by element, byte by byte', async (t) => {
  const names = [
    'pack/ｚ',
    'pack/💾',
    'pack/sub.0',
    'pack/sub-1',
    'pack/sub/x',
    'pack/b',
    'pack/Zed/é',
    'pack/Zed/e',
    'pack/a',
  ];
  const { files } = layOut(
    names.map((name) => listed(name)),
    null,
  );
  t.same(
    files.map(({ path }) => path.slice(1).join('/')),
    ['Zed/e', 'Zed/é', 'a', 'b', 'sub/x', 'sub-1', 'sub.0', 'ｚ', '💾'],
  );
  t.same(
    files.map(({ index, offset }) => [index, offset]),
    names.map((_, index) => [index, index]),
  );
});

void t.test('pad files stand before what would begin within a piece, and not at the end', async (t) => {
  const {
    files,
    totalBytes,
    listed: sources,
  } = layOut([listed('p/a', 10), listed('p/b', 0), listed('p/c', 16 * KIB), listed('p/d', 3)], 16 * KIB);
  t.same(
    files.map(({ path, sizeBytes, offset, isPad }) => [path.slice(1).join('/'), sizeBytes, offset, isPad]),
    [
      ['a', 10, 0, false],
      ['b', 0, 10, false],
      ['.pad/16374', 16_374, 10, true],
      ['c', 16_384, 16_384, false],
      ['d', 3, 32_768, false],
    ],
  );
  t.equal(totalBytes, 32_771);
  t.equal(sources[2], null);
  t.equal(sources[1]?.path.join('/'), 'p/b');
});

void t.test('pieces are as long as keeps them few', async (t) => {
  for (const [totalBytes, expected] of [
    [0, 16 * KIB],
    [32 * MIB, 16 * KIB],
    [32 * MIB + 1, 32 * KIB],
    [4 * GIB, 2 * MIB],
    [32 * GIB, 16 * MIB],
    [900 * GIB, 16 * MIB],
  ] as const) {
    t.equal(pieceLengthFor(totalBytes), expected, String(totalBytes));
  }
});

void t.test('what is written is read again, and is what any encoder writes', async (t) => {
  const { files } = layOut([listed('größe/a/b', 20 * KIB), listed('größe/c', 7)], 16 * KIB);
  const pieces = Buffer.alloc(60, 7);
  const parts = {
    name: 'größe',
    isSingleFile: false,
    files,
    pieceLength: 16 * KIB,
    pieces,
    isPrivate: true,
    source: 'é',
  };
  const infoBytes = writeInfoDictionary(parts);
  t.same(
    Buffer.from(infoBytes).toString('latin1'),
    Buffer.from(
      bencode.encode({
        name: 'größe',
        'piece length': 16 * KIB,
        pieces,
        private: 1,
        source: 'é',
        files: [
          { path: ['a', 'b'], length: 20 * KIB },
          { attr: 'p', path: ['.pad', String(12 * KIB)], length: 12 * KIB },
          { path: ['c'], length: 7 },
        ],
      }),
    ).toString('latin1'),
  );
  t.match(parseInfoDictionary(infoBytes, 'posix'), {
    name: 'größe',
    pieceCount: 3,
    isPrivate: true,
    contentBytes: 20 * KIB + 7,
  });
  const single = writeInfoDictionary({ ...parts, isSingleFile: true, isPrivate: false, source: '' });
  t.match(bencode.decode(single), { length: 20 * KIB });
  t.notOk('files' in (bencode.decode(single) as object));
  const around = { webSeeds: ['http://a/'], httpSeeds: [], comment: 'ü', createdBy: 'x', createdAt: 1_700_000_000 };
  const torrent = writeTorrentFile({ infoBytes, trackers: [['http://b/announce'], ['udp://c:1']], ...around });
  t.match(parseTorrentFile(torrent), { trackers: [['http://b/announce'], ['udp://c:1']], webSeeds: ['http://a/'] });
  t.match(bencode.decode(torrent), { 'creation date': 1_700_000_000 });
  t.same(
    Buffer.from(torrent),
    Buffer.from(bencode.encode(bencode.decode(torrent) as BencodeInput)),
    'keys are in order',
  );
});
