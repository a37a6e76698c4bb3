// Torrent files: what is read, and the policy of safety.md where the references disagree, refusal by refusal and
// repair by repair.
import { createHash } from 'node:crypto';
import t from 'tap';
import { parseInfoDictionary } from '../../../../engine/metainfo/info-dictionary.js';
import { parseTorrentFile } from '../../../../engine/metainfo/torrent-file.js';
import type { Metainfo } from '../../../../engine/metainfo/types.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';
import { rawBencode, type RawBencode } from '../../../support/raw-bencode.js';

type Entries = Record<string, RawBencode | undefined>;

const HASH = Buffer.alloc(20, 7);
const SINGLE: Entries = { length: 100, name: 'name.bin', 'piece length': 16_384, pieces: HASH };
const MULTI: Entries = {
  files: [file(['a'], 60), file(['b'], 40)],
  name: 'folder',
  'piece length': 16_384,
  pieces: HASH,
};

function file(path: RawBencode, length: RawBencode, more: Entries = {}): RawBencode {
  return dictionary({ length, path, ...more });
}

function dictionary(entries: Entries): RawBencode {
  const given = Object.entries(entries).filter((entry): entry is [string, RawBencode] => entry[1] !== undefined);
  return { pairs: given };
}

function torrent(info: Entries, around: Entries = {}): Buffer {
  return rawBencode(dictionary({ ...around, info: dictionary(info) }));
}

function sha1(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex');
}

function paths(metainfo: Metainfo): string[] {
  return metainfo.info.files.map((entry) => entry.path.join('/'));
}

void t.test('a single-file torrent', async (t) => {
  const made = makeTorrent({
    name: 'film.mkv',
    pieceLength: 16_384,
    files: seededBytes(1, 50_000),
    private: true,
    trackers: [['http://a.example/announce', 'udp://b.example:80'], ['https://c.example/x']],
    webSeeds: ['https://w.example/film.mkv'],
  });
  const { info, infoBytes, trackers, webSeeds } = parseTorrentFile(made.torrentBytes);
  t.equal(info.infoHash, made.infoHash);
  t.strictSame(Buffer.from(infoBytes), Buffer.from(made.infoBytes));
  t.equal(info.name, 'film.mkv');
  t.equal(info.totalBytes, 50_000);
  t.equal(info.pieceLength, 16_384);
  t.equal(info.pieceCount, 4);
  t.equal(info.isPrivate, true);
  t.equal(Buffer.from(info.pieceHashes.subarray(60)).toString('hex'), sha1(made.payload.subarray(49_152)));
  t.strictSame(info.files, [{ index: 0, path: ['film.mkv'], sizeBytes: 50_000, offset: 0, isPad: false }]);
  t.strictSame(trackers, [['http://a.example/announce', 'udp://b.example:80'], ['https://c.example/x']]);
  t.strictSame(webSeeds, ['https://w.example/film.mkv']);
});

void t.test('a multi-file torrent with pad files (BEP 47)', async (t) => {
  const made = makeTorrent({
    name: 'album',
    pieceLength: 1024,
    files: [
      { path: ['cd1', 'one.flac'], bytes: seededBytes(1, 1500) },
      { path: ['two.flac'], bytes: seededBytes(2, 2048) },
      { path: ['three.flac'], bytes: seededBytes(3, 10) },
    ],
    padFiles: true,
  });
  const { info } = parseTorrentFile(made.torrentBytes);
  t.equal(info.infoHash, made.infoHash);
  t.strictSame(
    info.files.map(({ path, sizeBytes, offset, isPad }) => [path.join('/'), sizeBytes, offset, isPad]),
    [
      ['album/cd1/one.flac', 1500, 0, false],
      ['album/.pad/548', 548, 1500, true],
      ['album/two.flac', 2048, 2048, false],
      ['album/three.flac', 10, 4096, false],
    ],
  );
  t.equal(info.totalBytes, made.payload.length);
  t.equal(info.pieceCount, 5);
  t.equal(info.isPrivate, false);
  t.strictSame(parseInfoDictionary(made.infoBytes), info, 'the info dictionary alone tells the same');
});

void t.test('what is refused', async (t) => {
  const cases: { name: string; given: Uint8Array; expected: RegExp }[] = [
    { name: 'nothing', given: new Uint8Array(0), expected: /unexpected end/ },
    { name: 'a web page', given: Buffer.from('<html>'), expected: /expected a value, found byte 0x3c/ },
    { name: 'a list', given: Buffer.from('le'), expected: /^torrent: not a bencoded dictionary/ },
    { name: 'more than 10 MiB', given: Buffer.alloc(10 * 1024 * 1024 + 1), expected: /^torrent: 10485761 bytes/ },
    { name: 'cut short', given: torrent(SINGLE).subarray(0, -3), expected: /bencode: / },
    { name: 'no info', given: rawBencode(dictionary({ announce: 'http://a' })), expected: /^info: missing/ },
    {
      name: 'an info that is no dictionary',
      given: rawBencode(dictionary({ info: 'x' })),
      expected: /^info: not a dictionary/,
    },
    { name: 'no name', given: torrent({ ...SINGLE, name: undefined }), expected: /^info.name: missing/ },
    { name: 'a name that is no string', given: torrent({ ...SINGLE, name: ['x'] }), expected: /^info.name: a list or/ },
    {
      name: 'no piece length',
      given: torrent({ ...SINGLE, 'piece length': undefined }),
      expected: /^info.piece length: missing/,
    },
    { name: 'piece length 0', given: torrent({ ...SINGLE, 'piece length': 0 }), expected: /^info.piece length: 0, / },
    {
      name: 'piece length negative',
      given: torrent({ ...SINGLE, 'piece length': -1 }),
      expected: /^info.piece length: -1, /,
    },
    {
      name: 'piece length above 512 MiB',
      given: torrent({ ...SINGLE, 'piece length': 512 * 1024 * 1024 + 1 }),
      expected: /^info.piece length: 536870913, /,
    },
    {
      name: 'piece length as text',
      given: torrent({ ...SINGLE, 'piece length': '16384' }),
      expected: /piece length: "16384"/,
    },
    { name: 'no pieces', given: torrent({ ...SINGLE, pieces: undefined }), expected: /^info.pieces: missing/ },
    {
      name: 'pieces not of 20 bytes',
      given: torrent({ ...SINGLE, pieces: Buffer.alloc(21) }),
      expected: /21 bytes, not a multiple of 20/,
    },
    {
      name: 'too few pieces',
      given: torrent({ ...SINGLE, length: 16_385 }),
      expected: /1 hashes, but 16385 bytes in pieces of 16384 need 2/,
    },
    {
      name: 'too many pieces',
      given: torrent({ ...SINGLE, pieces: Buffer.alloc(40) }),
      expected: /2 hashes, .* need 1/,
    },
    { name: 'pieces empty', given: torrent({ ...SINGLE, pieces: '' }), expected: /0 hashes/ },
    {
      name: 'no length and no files',
      given: torrent({ ...SINGLE, length: undefined }),
      expected: /^info.length: missing/,
    },
    { name: 'total size 0', given: torrent({ ...SINGLE, length: 0, pieces: '' }), expected: /^info: total size 0/ },
    { name: 'a negative length', given: torrent({ ...SINGLE, length: -5 }), expected: /^info.length: -5, / },
    {
      name: 'a length that is no integer',
      given: torrent({ ...SINGLE, length: '100' }),
      expected: /^info.length: "100"/,
    },
    {
      name: 'a length that a double would round',
      given: torrent({ ...SINGLE, length: { verbatim: 'i9007199254740993e' } }),
      expected: /^info.length: 9007199254740993, /,
    },
    {
      name: 'a length beyond 64 bits',
      given: torrent({ ...SINGLE, length: { verbatim: 'i9223372036854775808e' } }),
      expected: /^info.length: 9223372036854775808, /,
    },
    {
      name: 'a length beyond 17.59 TB',
      given: torrent({ ...SINGLE, length: 2 ** 44 }),
      expected: /^info.length: 17592186044416/,
    },
    { name: 'no files', given: torrent({ ...MULTI, files: [] }), expected: /^info.files: empty/ },
    { name: 'files that are no list', given: torrent({ ...MULTI, files: 'x' }), expected: /^info.files: not a list/ },
    {
      name: 'a file that is no dictionary',
      given: torrent({ ...MULTI, files: [file(['a'], 100), 'x'] }),
      expected: /^info.files\[1\]: not a/,
    },
    {
      name: 'a file of negative length',
      given: torrent({ ...MULTI, files: [file(['a'], 101), file(['b'], -1)] }),
      expected: /^info.files\[1\].length: -1, /,
    },
    {
      name: 'a file without length',
      given: torrent({ ...MULTI, files: [dictionary({ path: ['a'] })] }),
      expected: /^info.files\[0\].length: missing/,
    },
    {
      name: 'a file without path',
      given: torrent({ ...MULTI, files: [dictionary({ length: 100 })] }),
      expected: /^info.files\[0\].path: missing/,
    },
    {
      name: 'a path without elements',
      given: torrent({ ...MULTI, files: [file([''], 100)] }),
      expected: /^info.files\[0\].path: empty/,
    },
    {
      name: 'a path that is no list',
      given: torrent({ ...MULTI, files: [file('a', 100)] }),
      expected: /^info.files\[0\].path: not a list/,
    },
    {
      name: 'a path of integers',
      given: torrent({ ...MULTI, files: [file([1], 100)] }),
      expected: /^info.files\[0\].path: an element is not/,
    },
    {
      name: 'a path of more than 100 elements',
      given: torrent({
        ...MULTI,
        files: [
          file(
            Array.from({ length: 101 }, () => 'd'),
            100,
          ),
        ],
      }),
      expected: /^info.files\[0\].path: more than 100 elements/,
    },
    {
      name: 'files all empty',
      given: torrent({ ...MULTI, files: [file(['a'], 0)], pieces: '' }),
      expected: /^info: total size 0/,
    },
    {
      name: 'offsets beyond 48 bits',
      given: torrent({ ...MULTI, files: Array.from({ length: 17 }, (_, i) => file([String(i)], 2 ** 44 - 16_384)) }),
      expected: /^info.files: more than 281474976710655 bytes/,
    },
    {
      name: 'more than 500 duplicate paths',
      given: torrent({ ...MULTI, files: Array.from({ length: 502 }, () => file(['a'], 1)) }),
      expected: /^info.files: more than 500 duplicate paths/,
    },
    {
      name: 'duplicate keys inside info',
      given: rawBencode(
        dictionary({
          info: {
            pairs: [
              ['length', 100],
              ['name', 'a'],
              ['name', 'b'],
              ['piece length', 16_384],
              ['pieces', HASH],
            ],
          },
        }),
      ),
      expected: /duplicate key "name"/,
    },
    {
      name: 'duplicate keys in a file of info',
      given: torrent({
        ...MULTI,
        files: [
          {
            pairs: [
              ['length', 100],
              ['length', 1],
              ['path', ['a']],
            ],
          },
        ],
      }),
      expected: /duplicate key "length"/,
    },
    {
      name: 'version 2 only',
      given: torrent({ 'file tree': dictionary({}), 'meta version': 2, name: 'x', 'piece length': 16_384 }),
      expected: /^torrent: version 2 only \(BEP 52\), which is not supported/,
    },
    {
      name: 'nesting deeper than 100',
      given: torrent({ ...SINGLE, x: { verbatim: 'l'.repeat(99) + 'e'.repeat(99) } }),
      expected: /nested deeper than 100/,
    },
    {
      name: 'more than 3,000,000 tokens',
      given: torrent(SINGLE, { a: { verbatim: `l${'0:'.repeat(3_000_000)}e` } }),
      expected: /more than 3000000 tokens/,
    },
    {
      name: 'more than 2,500,000 tokens in info',
      given: torrent({ ...SINGLE, x: { verbatim: `l${'0:'.repeat(2_500_000)}e` } }),
      expected: /more than 2500000 tokens/,
    },
  ];
  for (const { name, given, expected } of cases) {
    t.throws(() => parseTorrentFile(given), { code: 'TORRENT_INVALID', message: expected }, name);
  }
});

void t.test('more than 2,097,152 pieces are refused by what is claimed, not by what is there', async (t) => {
  const claims = (pieces: number) => torrent({ ...SINGLE, length: pieces, 'piece length': 1 });
  t.throws(() => parseTorrentFile(claims(2_097_153)), { message: 'info.pieces: 2097153 pieces, at most 2097152' });
  t.throws(() => parseTorrentFile(claims(2 ** 43)), { message: 'info.pieces: 8796093022208 pieces, at most 2097152' });
  t.throws(() => parseTorrentFile(claims(2_097_152)), { message: /^info.pieces: 1 hashes, .* need 2097152/ });
});

void t.test('what is repaired or borne', async (t) => {
  const cases: { name: string; given: Uint8Array; expected: string[] }[] = [
    {
      name: 'piece length of 512 MiB',
      given: torrent({ ...SINGLE, 'piece length': 512 * 1024 * 1024 }),
      expected: ['name.bin'],
    },
    { name: 'an odd piece length', given: torrent({ ...SINGLE, 'piece length': 101 }), expected: ['name.bin'] },
    { name: 'leading zeros', given: torrent({ ...SINGLE, length: { verbatim: 'i00100e' } }), expected: ['name.bin'] },
    {
      name: 'unsorted keys',
      given: torrent({ pieces: HASH, name: 'name.bin', 'piece length': 16_384, length: 100 }),
      expected: ['name.bin'],
    },
    {
      name: 'bytes behind the root',
      given: Buffer.concat([torrent(SINGLE), Buffer.from('\r\nrubbish')]),
      expected: ['name.bin'],
    },
    {
      name: 'nesting of 100',
      given: torrent({ ...SINGLE, x: { verbatim: 'l'.repeat(98) + 'e'.repeat(98) } }),
      expected: ['name.bin'],
    },
    {
      name: 'a huge integer nobody reads',
      given: torrent({ ...SINGLE, x: { verbatim: `i${'9'.repeat(100)}e` } }),
      expected: ['name.bin'],
    },
    {
      name: 'a hybrid is used as version 1',
      given: torrent({ ...MULTI, 'file tree': dictionary({ a: dictionary({}) }), 'meta version': 2 }),
      expected: ['folder/a', 'folder/b'],
    },
    {
      name: 'duplicate paths',
      given: torrent({ ...MULTI, files: [file(['d', 'a.txt'], 60), file(['d', 'a.txt'], 40)] }),
      expected: ['folder/d/a.txt', 'folder/d/a.1.txt'],
    },
    {
      name: 'paths made alike by their repair',
      given: torrent({ ...MULTI, files: [file(['a/b'], 60), file(['a\\b'], 40)] }),
      expected: ['folder/a_b', 'folder/a_b.1'],
    },
    {
      name: 'dots',
      given: torrent({ ...MULTI, files: [file(['..', '.', 'etc', 'passwd'], 100)] }),
      expected: ['folder/_/_/etc/passwd'],
    },
    { name: 'empty elements', given: torrent({ ...MULTI, files: [file(['', 'a', ''], 100)] }), expected: ['folder/a'] },
    { name: 'a name of dots', given: torrent({ ...MULTI, name: '..' }), expected: ['_/a', '_/b'] },
    { name: 'an absolute name', given: torrent({ ...SINGLE, name: '/etc/passwd' }), expected: ['_etc_passwd'] },
    { name: 'a device of Windows', given: torrent({ ...SINGLE, name: 'nul.txt' }), expected: ['_nul.txt'] },
    {
      name: 'a path that is not UTF-8',
      given: torrent({ ...MULTI, files: [file([Buffer.from('\xe9t\xe9', 'latin1')], 100)] }),
      expected: ['folder/_t_'],
    },
    {
      name: 'name and path in UTF-8 beside another encoding',
      given: torrent({
        ...MULTI,
        name: Buffer.from([0x82, 0xa0]),
        'name.utf-8': 'あ',
        files: [file([Buffer.from([0x82, 0xa0])], 100, { 'path.utf-8': ['い'] })],
      }),
      expected: ['あ/い'],
    },
    {
      name: 'a symbolic link is an empty file',
      given: torrent({
        ...MULTI,
        files: [file(['a'], 100), file(['link'], 5, { attr: 'l', 'symlink path': ['..', 'x'] })],
      }),
      expected: ['folder/a', 'folder/link'],
    },
    {
      name: 'a pad file without path',
      given: torrent({ ...MULTI, files: [file(['a'], 60), dictionary({ attr: 'p', length: 40 })] }),
      expected: ['folder/a', 'folder/.pad/40'],
    },
  ];
  for (const { name, given, expected } of cases) {
    const parsed = parseTorrentFile(given);
    t.strictSame(paths(parsed), expected, name);
    t.equal(parsed.info.infoHash, sha1(parsed.infoBytes), `${name}: the hash of the bytes as they are`);
    t.ok(Buffer.from(given).includes(Buffer.from(parsed.infoBytes)), `${name}: bytes kept`);
    t.equal(
      parsed.info.files.reduce((sum, entry) => sum + entry.sizeBytes, 0),
      parsed.info.totalBytes,
      `${name}: sizes`,
    );
  }
});

void t.test('the names that web seeds know, where they are others than on disk', async (t) => {
  const long = `${'x'.repeat(251)}.bin`;
  const cases = [
    { name: 'safe already', path: ['a', 'b c.txt'], raw: undefined },
    { name: 'forbidden characters', path: ['a', 'b: c?', 'd'], raw: ['a', 'b: c?', 'd'] },
    { name: 'a device of Windows', path: ['aux', 'nul.txt'], raw: ['aux', 'nul.txt'] },
    { name: 'a dot at the end', path: ['etc.', 'f'], raw: ['etc.', 'f'] },
    { name: 'empty elements', path: ['', 'a:', ''], raw: ['a:'] },
    { name: 'nothing but dots', path: ['.', '..', 'f'], raw: undefined },
    { name: 'dots beside a name', path: ['..', '.', 'f?'], raw: ['_', '_', 'f?'] },
    { name: 'not UTF-8', path: [Buffer.from('\xe9', 'latin1'), 'f?'], raw: ['_', 'f?'] },
    { name: 'as long as names may be', path: [long], raw: [long] },
    { name: 'longer', path: [`x${long}`], raw: undefined },
  ];
  for (const { name, path, raw } of cases) {
    const { info } = parseTorrentFile(torrent({ ...MULTI, name: 'a:b', files: [file(path, 100)] }));
    t.strictSame(info.files[0]?.rawPath, raw, name);
    t.equal('rawPath' in (info.files[0] ?? {}), raw !== undefined, name);
  }
  const others = parseTorrentFile(
    torrent({
      ...MULTI,
      files: [file(['d', 'a'], 60), file(['d', 'a'], 40), dictionary({ attr: 'p', length: 0, path: ['p:'] })],
    }),
  );
  t.strictSame(
    others.info.files.map(({ rawPath }) => rawPath),
    [undefined, ['d', 'a'], undefined],
    'renamed; a pad file is nowhere',
  );
  const utf8 = file([Buffer.from([0x82])], 100, { 'path.utf-8': ['い?'] });
  t.strictSame(parseTorrentFile(torrent({ ...MULTI, files: [utf8] })).info.files[0]?.rawPath, ['い?']);
});

void t.test('names', async (t) => {
  const latin1 = parseTorrentFile(torrent({ ...SINGLE, name: Buffer.from('caf\xe9', 'latin1') }));
  t.equal(latin1.info.name, 'caf\ufffd', 'U+FFFD for display');
  t.strictSame(paths(latin1), ['caf_'], '"_" on disk');
  const empty = parseTorrentFile(torrent({ ...MULTI, name: '' }));
  t.equal(empty.info.name, empty.info.infoHash, 'an empty name becomes the info hash');
  t.equal(paths(empty)[0], `${empty.info.infoHash}/a`);
});

void t.test('private (BEP 27)', async (t) => {
  const cases: { given: RawBencode | undefined; expected: boolean }[] = [
    { given: undefined, expected: false },
    { given: 0, expected: false },
    { given: 1, expected: true },
    { given: '1', expected: true },
    { given: '0', expected: false },
    { given: '', expected: false },
    { given: [], expected: false },
  ];
  for (const { given, expected } of cases) {
    t.equal(parseTorrentFile(torrent({ ...SINGLE, private: given })).info.isPrivate, expected, JSON.stringify(given));
  }
});

void t.test('trackers and web seeds around the info dictionary', async (t) => {
  const cases: { name: string; given: Entries; expected: string[][] }[] = [
    { name: 'announce alone', given: { announce: 'http://a/' }, expected: [['http://a/']] },
    {
      name: 'the list counts, not announce (BEP 12)',
      given: { announce: 'http://a/', 'announce-list': [['http://b/'], ['udp://c:1', 'http://b/']] },
      expected: [['http://b/'], ['udp://c:1']],
    },
    {
      name: 'a list of no use',
      given: { announce: 'http://a/', 'announce-list': [['wss://b/'], []] },
      expected: [['http://a/']],
    },
    {
      name: 'a plain list',
      given: { 'announce-list': ['http://a/', 'http://b/'] },
      expected: [['http://a/'], ['http://b/']],
    },
    {
      name: 'rubbish in the list',
      given: { 'announce-list': [5, [6, 'http://a/', ['http://no/']], dictionary({})] },
      expected: [['http://a/']],
    },
    { name: 'no list at all', given: { announce: 5, 'announce-list': 'x' }, expected: [] },
    { name: 'the first of two', given: { announce: 'http://a/', Announce: 'http://b/' }, expected: [['http://a/']] },
  ];
  for (const { name, given, expected } of cases) {
    t.strictSame(parseTorrentFile(torrent(SINGLE, given)).trackers, expected, name);
  }
  const twice = rawBencode({
    pairs: [
      ['announce', 'http://a/'],
      ['announce', 'http://b/'],
      ['info', dictionary(SINGLE)],
    ],
  });
  t.strictSame(parseTorrentFile(twice).trackers, [['http://a/']], 'of a key given twice the first counts');
  const second = dictionary({ ...SINGLE, name: 'second' });
  const twoInfos = rawBencode({
    pairs: [
      ['info', dictionary(SINGLE)],
      ['info', second],
    ],
  });
  t.strictSame(paths(parseTorrentFile(twoInfos)), ['name.bin'], 'also of two info dictionaries');
  const seeds = (urlList: RawBencode) => parseTorrentFile(torrent(SINGLE, { 'url-list': urlList })).webSeeds;
  t.strictSame(seeds('http://w/f'), ['http://w/f']);
  t.strictSame(seeds(['http://w/f', 'http://w/f', 'ftp://w/f', 7]), ['http://w/f']);
  t.strictSame(seeds(''), []);
});

void t.test('an info dictionary alone', async (t) => {
  const { infoBytes } = makeTorrent({ name: 'x', pieceLength: 16_384, files: seededBytes(1, 10) });
  t.throws(() => parseInfoDictionary(Buffer.concat([infoBytes, Buffer.from('x')])), { message: /1 bytes behind/ });
  t.throws(() => parseInfoDictionary(Buffer.from('4:spam')), { message: /info: not a dictionary/ });
  t.throws(() => parseInfoDictionary(Buffer.alloc(30 * 1024 * 1024 + 1)), { message: /31457281 bytes/ });
});

void t.test('nothing that is kept shares memory with the file', async (t) => {
  const { torrentBytes } = makeTorrent({ name: 'x', pieceLength: 16_384, files: seededBytes(1, 10) });
  const pooled = Buffer.concat([Buffer.from('xx'), torrentBytes]).subarray(2);
  const { info, infoBytes } = parseTorrentFile(pooled);
  const before = Buffer.from(info.pieceHashes).toString('hex') + Buffer.from(infoBytes).toString('hex');
  pooled.fill(0);
  t.equal(Buffer.from(info.pieceHashes).toString('hex') + Buffer.from(infoBytes).toString('hex'), before);
  t.equal(infoBytes.buffer.byteLength, infoBytes.length, 'so it crosses threads without a pool behind it');
  t.equal(info.pieceHashes.buffer.byteLength, 20);
});

void t.test('file systems that ignore case', async (t) => {
  const given = torrent({ ...MULTI, files: [file(['A'], 60), file(['a'], 40)] });
  t.strictSame(paths(parseTorrentFile(given)), ['folder/A', 'folder/a']);
  t.strictSame(paths(parseTorrentFile(given, { caseInsensitive: true })), ['folder/A', 'folder/a.1']);
});

void t.test('large torrents are read quickly', async (t) => {
  const entries = Array.from({ length: 100_000 }, (_, i) => {
    const folder = `folder ${10 + (i >> 11)}`;
    const name = `file ${100_000 + i}`;
    return `d6:lengthi1e4:pathl${folder.length}:${folder}${name.length}:${name}ee`;
  });
  const many = torrent({ ...MULTI, files: { verbatim: `l${entries.join('')}e` }, 'piece length': 100_000 });
  const pieces = torrent({ ...SINGLE, length: 16_384 * 500_000, pieces: seededBytes(1, 20 * 500_000) });
  for (const { name, given, files } of [
    { name: '100,000 files', given: many, files: 100_000 },
    { name: '500,000 pieces', given: pieces, files: 1 },
  ]) {
    const start = process.hrtime.bigint();
    t.equal(parseTorrentFile(given).info.files.length, files);
    const tookMs = Number(process.hrtime.bigint() - start) / 1e6;
    // About 300 and 15 ms on the two cores this was written on; the rest is room for a busy machine.
    t.ok(tookMs < 3_000, `${name}: ${tookMs.toFixed(0)} ms`);
  }
});
