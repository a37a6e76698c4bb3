// Where files lie below the save path: in the metainfo's folder, another one, or none.
import t from 'tap';
import { areTooManyTopNames, foldersFor, laidOut, topNamesOf } from '../../../../engine/metainfo/disk-paths.js';
import type { TorrentInfo } from '../../../../engine/metainfo/types.js';
import type { ContentLayout } from '../../../../shared-protocol/content-layout.js';
import { torrentOf } from '../../../support/disk-fixtures.js';

const SHOW = torrentOf(64, 'show/film 100', 'show/extras/sound 10');
const FILE = torrentOf(64, 'film.mkv 100');
const BARE = torrentOf(64, 'README 1');

const paths = ({ files }: TorrentInfo): string[] => files.map(({ path }) => path.join('/'));

const CASES: readonly { readonly info: TorrentInfo; readonly layout: ContentLayout; readonly expected: string[] }[] = [
  { info: SHOW, layout: 'original', expected: ['show/film', 'show/extras/sound'] },
  { info: SHOW, layout: 'subfolder', expected: ['show/film', 'show/extras/sound'] },
  { info: SHOW, layout: 'no_subfolder', expected: ['film', 'extras/sound'] },
  { info: FILE, layout: 'original', expected: ['film.mkv'] },
  { info: FILE, layout: 'subfolder', expected: ['film/film.mkv'] },
  { info: FILE, layout: 'no_subfolder', expected: ['film.mkv'] },
  { info: BARE, layout: 'subfolder', expected: ['README/README'] },
];

for (const { info, layout, expected } of CASES) {
  void t.test(`${layout}: ${expected.join(', ')}`, async (t) => {
    const [folder] = foldersFor(info, layout);
    t.same(paths(laidOut(info, { folder })), expected);
  });
}

void t.test('web seeds are asked for what the metainfo says', async (t) => {
  const laid = laidOut(SHOW, { folder: '', own: new Map([[1, ['music', 'sound']]]) });
  t.same(paths(laid), ['film', 'music/sound']);
  t.same(
    laid.files.map(({ rawPath }) => rawPath),
    [['film'], ['extras', 'sound']],
  );
  t.equal(laid.name, SHOW.name);
  t.same(topNamesOf(laid), ['film', 'music']);
});

void t.test('one with many files at its top keeps its folder', async (t) => {
  const few = torrentOf(64, ...Array.from({ length: 256 }, (_, n) => `show/${n} 1`));
  const many = torrentOf(64, ...Array.from({ length: 257 }, (_, n) => `show/${n} 1`));
  t.same(foldersFor(few, 'no_subfolder'), ['', undefined]);
  t.same(foldersFor(many, 'no_subfolder'), [undefined]);
  t.equal(areTooManyTopNames(['n'.repeat(16 * 1024 + 1)]), true);
});
