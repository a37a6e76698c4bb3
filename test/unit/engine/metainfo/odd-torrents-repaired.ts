// Every repair that docs/limits.md names, and what is borne as it is.
import { createHash } from 'node:crypto';
import { rawBencode } from '../../../support/raw-bencode.js';
import {
  dictionary,
  file,
  filed,
  HASH,
  MIB,
  MULTI,
  multi,
  pathed,
  single,
  SINGLE,
  torrent,
  verbatim,
  type OddTorrent,
} from './odd-torrents-parts.js';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const WHOLE = { paths: ['name.bin'], name: 'name.bin', sizes: [100] };
const NAMELESS = createHash('sha1')
  .update(rawBencode(dictionary({ ...SINGLE, name: '' })))
  .digest('hex');

const SPELLING: readonly OddTorrent[] = [
  { name: 'leading zeros', why: '2.5', build: single({ length: verbatim('i00100e') }), outcome: WHOLE },
  { name: 'a minus zero', why: '2.5', build: single({ private: verbatim('i-0e') }), outcome: WHOLE },
  { name: 'a string length with zeros', why: '2.5', build: single({ name: verbatim('008:name.bin') }), outcome: WHOLE },
  {
    name: 'a huge integer nobody reads',
    why: '2.3',
    build: single({ x: verbatim(`i${'9'.repeat(100)}e`) }),
    outcome: WHOLE,
  },
  {
    name: 'an integer beyond 64 bits nobody reads',
    why: '2.5',
    build: single({ x: verbatim('i9223372036854775808e') }),
    outcome: WHOLE,
  },
  {
    name: 'unsorted keys',
    why: 'policy',
    build: () => torrent({ pieces: HASH, name: 'name.bin', 'piece length': 16_384, length: 100 }),
    outcome: WHOLE,
  },
  {
    name: 'bytes behind the root',
    why: 'policy',
    build: () => Buffer.concat([torrent(SINGLE), latin1('\r\nrubbish')]),
    outcome: WHOLE,
  },
  {
    name: 'nesting of 100',
    why: 'policy',
    build: single({ x: verbatim('l'.repeat(98) + 'e'.repeat(98)) }),
    outcome: WHOLE,
  },
  {
    name: 'the same key twice around info: the first counts',
    why: 'policy',
    build: () =>
      rawBencode({
        pairs: [
          ['info', dictionary(SINGLE)],
          ['info', dictionary({ ...SINGLE, name: 'second' })],
        ],
      }),
    outcome: WHOLE,
  },
  { name: 'piece length of 512 MiB', why: 'policy', build: single({ 'piece length': 512 * MIB }), outcome: WHOLE },
  { name: 'an odd piece length', why: 'policy', build: single({ 'piece length': 101 }), outcome: WHOLE },
  {
    name: 'a hybrid is used as version 1',
    why: 'policy',
    build: multi({ 'file tree': dictionary({ z: dictionary({}) }), 'meta version': 2 }),
    outcome: { paths: ['folder/a', 'folder/b'], name: 'folder' },
  },
];

const NAMES: readonly OddTorrent[] = [
  {
    name: 'an empty name',
    why: 'policy',
    build: single({ name: '' }),
    outcome: { paths: [NAMELESS], name: NAMELESS, infoHash: NAMELESS },
  },
  {
    name: 'a name of dots',
    why: 'policy',
    build: multi({ name: '..' }),
    outcome: { paths: ['_/a', '_/b'], name: '_' },
  },
  {
    name: 'an absolute name',
    why: '2.1',
    build: single({ name: '/etc/passwd' }),
    outcome: { paths: ['_etc_passwd'], name: '_etc_passwd' },
  },
  {
    name: 'a name that climbs',
    why: '2.1',
    build: single({ name: '../../etc/passwd' }),
    outcome: { paths: ['.._.._etc_passwd'] },
  },
  {
    name: 'a name that is not UTF-8',
    why: 'policy',
    build: single({ name: latin1('caf\xe9') }),
    outcome: { paths: ['caf_'], name: 'caf_' },
  },
  {
    name: 'a name of nothing that is seen',
    why: '2.1',
    build: single({ name: '\u200b\u2060\ufeff' }),
    outcome: { paths: ['_'] },
  },
  {
    name: 'a name beside another encoding',
    why: 'policy',
    build: multi({ name: Buffer.from([0x82, 0xa0]), 'name.utf-8': 'あ' }),
    outcome: { paths: ['あ/a', 'あ/b'], name: 'あ' },
  },
];

const PATHS: readonly OddTorrent[] = [
  { name: 'dots in a path', why: 'policy', build: pathed('..', '.', 'x'), outcome: { paths: ['folder/_/_/x'] } },
  { name: 'only dots above', why: '2.1', build: pathed('..', '..', '..'), outcome: { paths: ['folder/_/_/_'] } },
  { name: 'a slash in an element', why: '2.1', build: pathed('../../x'), outcome: { paths: ['folder/.._.._x'] } },
  { name: 'an absolute element', why: '2.1', build: pathed('/etc', 'x'), outcome: { paths: ['folder/_etc/x'] } },
  { name: 'backslashes', why: '2.1', build: pathed('..\\..\\x'), outcome: { paths: ['folder/.._.._x'] } },
  { name: 'a drive', why: '2.1', build: pathed('C:', 'x'), outcome: { paths: ['folder/C_/x'] } },
  { name: 'empty elements', why: '2.1', build: pathed('', 'a', ''), outcome: { paths: ['folder/a'] } },
  { name: 'NUL', why: '2.1', build: pathed('a\0.txt'), outcome: { paths: ['folder/a_.txt'] } },
  { name: 'control characters', why: '2.1', build: pathed('a\n\x1b\x7f\x85'), outcome: { paths: ['folder/a____'] } },
  { name: 'what Windows forbids', why: '2.1', build: pathed('<>:"|?*'), outcome: { paths: ['folder/_______'] } },
  { name: 'dots and spaces at the end', why: '2.1', build: pathed('a. . '), outcome: { paths: ['folder/a'] } },
  { name: 'bidi marks', why: '2.1', build: pathed('photo\u202egpj.exe'), outcome: { paths: ['folder/photogpj.exe'] } },
  { name: 'zero-width marks', why: '2.1', build: pathed('\ufeffa\u200bb'), outcome: { paths: ['folder/ab'] } },
  { name: 'dots hidden by a mark', why: '2.1', build: pathed('.\u200b.'), outcome: { paths: ['folder/_'] } },
  { name: 'a device', why: '2.7', build: pathed('CON'), outcome: { paths: ['folder/_CON'] } },
  {
    name: 'a device with extensions',
    why: '2.7',
    build: pathed('nul.tar.gz'),
    outcome: { paths: ['folder/_nul.tar.gz'] },
  },
  {
    name: 'devices with digits',
    why: '2.7',
    build: pathed('com1', 'LPT9.x'),
    outcome: { paths: ['folder/_com1/_LPT9.x'] },
  },
  { name: 'the clock', why: '2.7', build: pathed('clock$'), outcome: { paths: ['folder/_clock$'] } },
  { name: 'no device', why: '2.7', build: pathed('console', 'com10'), outcome: { paths: ['folder/console/com10'] } },
  { name: 'not UTF-8', why: 'policy', build: pathed(latin1('\xe9t\xe9')), outcome: { paths: ['folder/_t_'] } },
  { name: 'an overlong slash', why: '2.1', build: pathed(latin1('a\xc0\xafb')), outcome: { paths: ['folder/a__b'] } },
  {
    name: 'a surrogate in UTF-8',
    why: '2.1',
    build: pathed(latin1('a\xed\xa0\x80')),
    outcome: { paths: ['folder/a___'] },
  },
  {
    name: 'a long name keeps its extension',
    why: '2.1',
    build: pathed(`${'x'.repeat(300)}.mkv`),
    outcome: { paths: [`folder/${'x'.repeat(236)}.mkv`] },
  },
  {
    name: 'a long name is cut between characters',
    why: '2.1',
    build: pathed('日'.repeat(100)),
    outcome: { paths: [`folder/${'日'.repeat(80)}`] },
  },
  {
    name: 'a name of ten million bytes',
    why: '2.3',
    build: pathed('é'.repeat(5e6)),
    outcome: { paths: [`folder/${'é'.repeat(120)}`] },
  },
  {
    name: 'a path of 100 elements',
    why: '2.3',
    build: pathed(...Array.from({ length: 100 }, () => 'd')),
    outcome: { paths: [`folder${'/d'.repeat(100)}`] },
  },
];

const COLLISIONS: readonly OddTorrent[] = [
  {
    name: 'duplicate paths',
    why: '2.6',
    build: filed(file(['d', 'a.txt'], 60), file(['d', 'a.txt'], 40)),
    outcome: { paths: ['folder/d/a.txt', 'folder/d/a.1.txt'], sizes: [60, 40] },
  },
  {
    name: 'the new name is wanted by another',
    why: '2.6',
    build: filed(file(['a'], 60), file(['a'], 30), file(['a.1'], 10)),
    outcome: { paths: ['folder/a', 'folder/a.2', 'folder/a.1'] },
  },
  {
    name: '500 duplicates',
    why: '2.6',
    build: filed(...Array.from({ length: 501 }, () => file(['a.x'], 1))),
    outcome: { paths: ['folder/a.x', ...Array.from({ length: 500 }, (_, i) => `folder/a.${i + 1}.x`)] },
  },
  {
    name: 'paths made alike by their repair',
    why: '2.6',
    build: filed(file(['a/b'], 60), file(['a\\b'], 40)),
    outcome: { paths: ['folder/a_b', 'folder/a_b.1'] },
  },
  {
    name: 'a file that is a folder of another',
    why: '2.6',
    build: filed(file(['a'], 60), file(['a', 'b'], 40)),
    outcome: { paths: ['folder/a.1', 'folder/a/b'] },
  },
  {
    name: 'composed and decomposed letters',
    why: '2.1',
    build: filed(file(['\u00e9'], 60), file(['e\u0301'], 40)),
    outcome: { paths: ['folder/\u00e9', 'folder/e\u0301.1'] },
  },
  {
    name: 'case, where the file system tells it apart',
    why: '2.6',
    build: filed(file(['A'], 60), file(['a'], 40)),
    outcome: { paths: ['folder/A', 'folder/a'] },
  },
  {
    name: 'case, where it does not',
    why: '2.6',
    build: filed(file(['A'], 60), file(['a'], 40)),
    rules: 'portable',
    outcome: { paths: ['folder/A', 'folder/a.1'] },
  },
];

const SPECIAL: readonly OddTorrent[] = [
  {
    name: 'a symbolic link is an empty file',
    why: '2.2',
    build: filed(file(['a'], 100), file(['link'], 5, { attr: 'l', 'symlink path': ['..', '..', 'etc'] })),
    outcome: { paths: ['folder/a', 'folder/link'], sizes: [100, 0] },
  },
  {
    name: 'a pad file',
    why: '2.7',
    build: filed(file(['a'], 60), file(['.pad', '30'], 30, { attr: 'p' }), file(['b'], 10)),
    outcome: { paths: ['folder/a', 'folder/.pad/30', 'folder/b'], sizes: [60, 30, 10], pads: [false, true, false] },
  },
  {
    name: 'a pad file without path',
    why: '2.7',
    build: filed(file(['a'], 60), dictionary({ attr: 'p', length: 40 })),
    outcome: { paths: ['folder/a', 'folder/.pad/40'], pads: [false, true] },
  },
  {
    name: 'pad files of one path, also that of a file',
    why: '2.7',
    build: filed(file(['p'], 10, { attr: 'p' }), file(['p'], 10, { attr: 'p' }), file(['p'], 80)),
    outcome: { paths: ['folder/p', 'folder/p', 'folder/p'], pads: [true, true, false] },
  },
  {
    name: 'an empty file among others',
    why: 'policy',
    build: filed(file(['a'], 0), file(['b'], 100), file(['c'], 0)),
    outcome: { paths: ['folder/a', 'folder/b', 'folder/c'], sizes: [0, 100, 0] },
  },
  {
    name: 'attributes that are no text',
    why: '2.7',
    build: filed(file(['a'], 100, { attr: ['p', 'l'] })),
    outcome: { paths: ['folder/a'], sizes: [100], pads: [false] },
  },
  {
    name: 'files and a length: the files count',
    why: 'policy',
    build: () => torrent({ ...MULTI, length: 7 }),
    outcome: { paths: ['folder/a', 'folder/b'], sizes: [60, 40] },
  },
];

export const REPAIRED: readonly OddTorrent[] = [...SPELLING, ...NAMES, ...PATHS, ...COLLISIONS, ...SPECIAL];
