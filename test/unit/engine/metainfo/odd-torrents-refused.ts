// Every refusal that docs/limits.md names, and those of which it leaves no doubt.
import { rawBencode } from '../../../support/raw-bencode.js';
import {
  dictionary,
  file,
  filed,
  HASH,
  MIB,
  multi,
  pathed,
  single,
  SINGLE,
  torrent,
  verbatim,
  type OddTorrent,
} from './odd-torrents-parts.js';

const text = (latin1: string) => (): Uint8Array => Buffer.from(latin1, 'latin1');

const NOT_A_TORRENT: readonly OddTorrent[] = [
  { name: 'nothing', why: '2.4', build: text(''), outcome: /^bencode: unexpected end at byte 0$/ },
  { name: 'a web page', why: '2.4', build: text('<html>'), outcome: /^bencode: expected a value, found byte 0x3c/ },
  { name: 'a list', why: '2.4', build: text('le'), outcome: /^torrent: not a bencoded dictionary$/ },
  { name: 'a string', why: '2.4', build: text('4:info'), outcome: /^torrent: not a bencoded dictionary$/ },
  { name: 'cut short', why: '2.4', build: () => torrent(SINGLE).subarray(0, -3), outcome: /^bencode: / },
  {
    name: 'more than 10 MiB',
    why: '2.3',
    build: () => Buffer.alloc(10 * MIB + 1),
    outcome: /^torrent: 10485761 bytes, at most 10485760$/,
  },
  {
    name: 'no info',
    why: '2.3',
    build: () => rawBencode(dictionary({ announce: 'http://a/' })),
    outcome: /^info: missing$/,
  },
  {
    name: 'an info that is no dictionary',
    why: '2.3',
    build: () => torrent('x'),
    outcome: /^info: not a dictionary$/,
  },
];

const BOMBS: readonly OddTorrent[] = [
  { name: 'a million lists', why: '2.4', build: text('l'.repeat(1e6)), outcome: /nested deeper than 100/ },
  { name: 'a million dictionaries', why: '2.4', build: text('d1:a'.repeat(1e6)), outcome: /nested deeper than 100/ },
  {
    name: 'a million lists within info',
    why: '2.4',
    build: () => torrent(verbatim('l'.repeat(1e6))),
    outcome: /nested deeper than 100/,
  },
  {
    name: 'nesting of 101',
    why: 'policy',
    build: single({ x: verbatim('l'.repeat(99) + 'e'.repeat(99)) }),
    outcome: /nested deeper than 100/,
  },
  {
    name: 'a string of a gigabyte',
    why: '2.4',
    build: text('d4:info999999999:'),
    outcome: /^bencode: string longer than the \d+ bytes left/,
  },
  {
    name: 'a string one byte too long',
    why: '2.4',
    build: text('d4:info5:spam'),
    outcome: /^bencode: string of 5 bytes where 4 are left/,
  },
  {
    name: 'a length of a million digits',
    why: '2.4',
    build: text(`d${'9'.repeat(1e6)}:`),
    outcome: /^bencode: string longer than/,
  },
  { name: 'a negative string length', why: '2.4', build: text('d-1:a'), outcome: /found byte 0x2d/ },
  {
    name: 'an integer of a million digits',
    why: '2.5',
    build: single({ x: verbatim(`i${'9'.repeat(1e6)}e`) }),
    outcome: /^bencode: integer of 1000000 digits/,
  },
  {
    name: 'more than 3,000,000 tokens',
    why: '2.4',
    build: single({}, { a: verbatim(`l${'0:'.repeat(3e6)}e`) }),
    outcome: /^bencode: more than 3000000 tokens/,
  },
  {
    name: 'more than 2,500,000 tokens in info',
    why: '2.3',
    build: single({ x: verbatim(`l${'0:'.repeat(2.5e6)}e`) }),
    outcome: /^info: more than 2500000 tokens$/,
  },
];

const INTEGERS: readonly OddTorrent[] = [
  {
    name: 'an integer without digits',
    why: '2.5',
    build: single({ length: verbatim('ie') }),
    outcome: /^bencode: int/,
  },
  { name: 'a lone minus', why: '2.5', build: single({ length: verbatim('i-e') }), outcome: /^bencode: integer with/ },
  {
    name: 'a fraction',
    why: '2.5',
    build: single({ length: verbatim('i1.0e') }),
    outcome: /^bencode: integer without/,
  },
  {
    name: 'a length beyond 64 bits',
    why: '2.5',
    build: single({ length: verbatim('i9223372036854775808e') }),
    outcome: /^info.length: 9223372036854775808, expected an integer from 0 to 17592186028032$/,
  },
  {
    name: 'a length that a double would round',
    why: '2.3',
    build: single({ length: verbatim('i9007199254740993e') }),
    outcome: /^info.length: 9007199254740993, /,
  },
];

const SIZES: readonly OddTorrent[] = [
  {
    name: 'no piece length',
    why: 'policy',
    build: single({ 'piece length': undefined }),
    outcome: /length: missing, /,
  },
  { name: 'piece length 0', why: 'policy', build: single({ 'piece length': 0 }), outcome: /^info.piece length: 0, / },
  {
    name: 'piece length negative',
    why: 'policy',
    build: single({ 'piece length': -1 }),
    outcome: /^info.piece length: -1, expected an integer from 1 to 536870912$/,
  },
  {
    name: 'piece length above 512 MiB',
    why: 'policy',
    build: single({ 'piece length': 512 * MIB + 1 }),
    outcome: /^info.piece length: 536870913, /,
  },
  {
    name: 'piece length as text',
    why: 'policy',
    build: single({ 'piece length': '16384' }),
    outcome: /^info.piece length: "16384", /,
  },
  { name: 'no pieces', why: 'policy', build: single({ pieces: undefined }), outcome: /^info.pieces: missing, / },
  { name: 'pieces as a list', why: 'policy', build: single({ pieces: [HASH] }), outcome: /^info.pieces: a list or/ },
  { name: 'pieces empty', why: 'policy', build: single({ pieces: '' }), outcome: /^info.pieces: 0 hashes, / },
  {
    name: 'pieces not a multiple of 20',
    why: 'policy',
    build: single({ pieces: Buffer.alloc(21) }),
    outcome: /^info.pieces: 21 bytes, not a multiple of 20$/,
  },
  {
    name: 'a piece too few',
    why: 'policy',
    build: single({ length: 16_385 }),
    outcome: /^info.pieces: 1 hashes, but 16385 bytes in pieces of 16384 need 2$/,
  },
  {
    name: 'a piece too many',
    why: 'policy',
    build: single({ pieces: Buffer.alloc(40) }),
    outcome: /^info.pieces: 2 hashes, but 100 bytes in pieces of 16384 need 1$/,
  },
  {
    name: 'more than 2,097,152 pieces, by what is claimed',
    why: '2.3',
    build: single({ length: 2_097_153, 'piece length': 1 }),
    outcome: /^info.pieces: 2097153 pieces, at most 2097152$/,
  },
  {
    name: 'as many pieces as can be claimed',
    why: '2.3',
    build: single({ length: 2 ** 43, 'piece length': 1 }),
    outcome: /^info.pieces: 8796093022208 pieces, at most 2097152$/,
  },
  {
    name: 'no length and no files',
    why: 'policy',
    build: single({ length: undefined }),
    outcome: /^info.length: missing, /,
  },
  { name: 'total size 0', why: 'policy', build: single({ length: 0, pieces: '' }), outcome: /^info: total size 0$/ },
  { name: 'a negative length', why: 'policy', build: single({ length: -5 }), outcome: /^info.length: -5, / },
  { name: 'a length as text', why: 'policy', build: single({ length: '100' }), outcome: /^info.length: "100", / },
  {
    name: 'a file beyond 17.59 TB',
    why: '2.3',
    build: single({ length: 2 ** 44 }),
    outcome: /^info.length: 17592186044416, /,
  },
  {
    name: 'offsets beyond 48 bits',
    why: '2.3',
    build: multi({ files: Array.from({ length: 17 }, (_, i) => file([String(i)], 2 ** 44 - 16_384)) }),
    outcome: /^info.files: more than 281474976710655 bytes in total$/,
  },
];

const FILES: readonly OddTorrent[] = [
  { name: 'no files', why: 'policy', build: filed(), outcome: /^info.files: empty$/ },
  { name: 'files that are no list', why: '2.3', build: multi({ files: 'x' }), outcome: /^info.files: not a list$/ },
  { name: 'a file that is no dictionary', why: '2.3', build: filed('x'), outcome: /^info.files\[0\]: not a dict/ },
  {
    name: 'a file without length',
    why: 'policy',
    build: filed(dictionary({ path: ['a'] })),
    outcome: /\.length: miss/,
  },
  {
    name: 'a file of negative length',
    why: 'policy',
    build: filed(file(['a'], 101), file(['b'], -1)),
    outcome: /^info.files\[1\].length: -1, /,
  },
  { name: 'a file without path', why: '2.1', build: filed(dictionary({ length: 100 })), outcome: /\.path: missing$/ },
  { name: 'a path without elements', why: '2.1', build: pathed(), outcome: /^info.files\[0\].path: empty$/ },
  { name: 'a path of empty elements', why: '2.1', build: pathed('', ''), outcome: /^info.files\[0\].path: empty$/ },
  { name: 'a path that is no list', why: '2.1', build: filed(file('a', 100)), outcome: /\.path: not a list$/ },
  { name: 'a path of integers', why: '2.1', build: pathed(1), outcome: /\.path: an element is not a string$/ },
  {
    name: 'a path of more than 100 elements',
    why: '2.3',
    build: pathed(...Array.from({ length: 101 }, () => 'd')),
    outcome: /^info.files\[0\].path: more than 100 elements$/,
  },
  {
    name: 'files all empty',
    why: 'policy',
    build: multi({ files: [file(['a'], 0)], pieces: '' }),
    outcome: /^info: total size 0$/,
  },
  {
    name: 'links only, so no byte at all',
    why: '2.2',
    build: multi({ files: [file(['a'], 100, { attr: 'l' })], pieces: '' }),
    outcome: /^info: total size 0$/,
  },
  {
    name: 'more than 500 duplicate paths',
    why: '2.6',
    build: filed(...Array.from({ length: 502 }, () => file(['a'], 1))),
    outcome: /^info.files: more than 500 duplicate paths, at "a"$/,
  },
  {
    name: 'a name whose 500 others are taken',
    why: '2.6',
    build: filed(...Array.from({ length: 502 }, (_, i) => file([i < 2 ? 'a' : `a.${i - 1}`], 1))),
    outcome: /^info.files: more than 500 duplicate paths, at "a"$/,
  },
];

const KEYS: readonly OddTorrent[] = [
  { name: 'no name', why: 'policy', build: single({ name: undefined }), outcome: /^info.name: missing, expected a/ },
  { name: 'a name that is no string', why: 'policy', build: single({ name: ['x'] }), outcome: /^info.name: a list or/ },
  {
    name: 'duplicate keys inside info',
    why: 'policy',
    build: () =>
      torrent(verbatim(`d6:lengthi100e4:name1:a4:name1:b12:piece lengthi16384e6:pieces20:${'x'.repeat(20)}e`)),
    outcome: /^bencode: duplicate key "name"$/,
  },
  {
    name: 'duplicate keys inside info, apart',
    why: 'policy',
    build: () =>
      torrent(verbatim(`d4:name1:a6:lengthi100e12:piece lengthi16384e6:pieces20:${'x'.repeat(20)}4:name1:be`)),
    outcome: /^bencode: duplicate key "name"$/,
  },
  {
    name: 'duplicate keys in a file of info',
    why: 'policy',
    build: filed(verbatim('d6:lengthi100e6:lengthi1e4:pathl1:aee')),
    outcome: /^bencode: duplicate key "length"$/,
  },
  {
    name: 'a key that is no string',
    why: '2.4',
    build: () => torrent(verbatim('di1ei2ee')),
    outcome: /dictionary key/,
  },
  { name: 'a key without value', why: '2.4', build: () => torrent(verbatim('d1:ae')), outcome: /unexpected "e"/ },
  {
    name: 'version 2 only',
    why: 'policy',
    build: () => torrent({ 'file tree': dictionary({}), 'meta version': 2, name: 'x', 'piece length': 16_384 }),
    outcome: /^torrent: version 2 only \(BEP 52\), which is not supported; a hybrid or version 1 torrent/,
  },
  {
    name: 'a version of the future',
    why: 'policy',
    build: () => torrent({ 'meta version': 3, name: 'x', 'piece length': 16_384 }),
    outcome: /^torrent: version 2 only/,
  },
];

export const REFUSED: readonly OddTorrent[] = [...NOT_A_TORRENT, ...BOMBS, ...INTEGERS, ...SIZES, ...FILES, ...KEYS];
