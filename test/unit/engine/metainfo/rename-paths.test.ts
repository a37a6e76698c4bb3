// Paths after a rename: first those that are refused, then what becomes of the others and of what is stored of them.
import t from 'tap';
import { laidOut, type DiskPaths } from '../../../../engine/metainfo/disk-paths.js';
import { readPathList, writePathList } from '../../../../engine/metainfo/path-list.js';
import { renamedPaths } from '../../../../engine/metainfo/rename-paths.js';
import { torrentOf } from '../../../support/disk-fixtures.js';

const SHOW = torrentOf(64, 'show/film.mkv 100', 'show/extras/sound 10', 'show/extras/text 10', 'show/Cover.jpg 1');
const FILE = torrentOf(64, 'film.mkv 100');

const REFUSED: readonly {
  readonly from: string;
  readonly to: string;
  readonly code: string;
  readonly message: RegExp;
}[] = [
  { from: 'show/none', to: 'show/b', code: 'FILE_NOT_FOUND', message: /^from: / },
  { from: 'film.mkv', to: 'show/b', code: 'FILE_NOT_FOUND', message: /^from: / },
  { from: 'show/extras/', to: 'show/b', code: 'FILE_NOT_FOUND', message: /^from: / },
  { from: 'show/film.mkv/x', to: 'show/b', code: 'FILE_NOT_FOUND', message: /^from: / },
  ...['../b', '/b', 'show/../../b', './b', 'show//b', 'b/', '.', '..', 'a\\b', 'a\0b'].map((to) => ({
    from: 'show/film.mkv',
    to,
    code: 'RENAME_INVALID',
    message: /^to: /,
  })),
  ...[
    'show/con',
    'show/NUL.txt',
    'show/a:b',
    'show/b.',
    'show/b ',
    'show/a\u202eb',
    'show/\ud800',
    `show/${'n'.repeat(241)}`,
  ].map((to) => ({ from: 'show/film.mkv', to, code: 'RENAME_INVALID', message: /^to: .* is no name on every system/ })),
  {
    from: 'show/film.mkv',
    to: Array(102).fill('d').join('/'),
    code: 'RENAME_INVALID',
    message: /folders in one another/,
  },
  { from: 'show', to: Array(90).fill('d'.repeat(30)).join('/'), code: 'RENAME_INVALID', message: /longer than/ },
  {
    from: 'show/film.mkv',
    to: 'show/Cover.jpg',
    code: 'MOVE_TARGET_TAKEN',
    message: /^to: show\/Cover\.jpg is another/,
  },
  { from: 'show/film.mkv', to: 'show/cOVER.jpg', code: 'MOVE_TARGET_TAKEN', message: /another file/ },
  { from: 'show/film.mkv', to: 'SHOW/EXTRAS', code: 'MOVE_TARGET_TAKEN', message: /folder of it/ },
  { from: 'show/film.mkv', to: 'show/cover.jpg/film', code: 'MOVE_TARGET_TAKEN', message: /another file/ },
  { from: 'show/extras', to: 'show/film.mkv', code: 'MOVE_TARGET_TAKEN', message: /another file/ },
];

for (const { from, to, code, message } of REFUSED) {
  void t.test(`refused: ${from} to ${JSON.stringify(to).slice(0, 60)}`, async (t) => {
    t.throws(() => renamedPaths(SHOW, {}, { from, to }), { code, message });
  });
}

void t.test('where names are those of POSIX', async (t) => {
  const posix = { ...SHOW, names: 'posix' } as const;
  for (const to of ['show/a: b?.mkv', 'show/b.', 'show/CON', 'show/a\\b', `show/${'n'.repeat(255)}`])
    t.equal(renamedPaths(posix, {}, { from: 'show/film.mkv', to })?.info.files[0]?.path.join('/'), to);
  for (const to of ['../b', 'show/..', 'show/a\u202eb', 'show/a\0b', `show/${'n'.repeat(256)}`])
    t.throws(() => renamedPaths(posix, {}, { from: 'show/film.mkv', to }), { code: 'RENAME_INVALID' });
});

/** `own`: how many files have to be stored. */
function renamed(info: typeof SHOW, now: DiskPaths, from: string, to: string) {
  const after = renamedPaths(info, now, { from, to });
  if (!after) return null;
  // As the next run reads it.
  const laid = laidOut(info, { folder: after.folder, own: readPathList(writePathList(after.own)) });
  const paths = laid.files.map(({ path }) => path.join('/'));
  return { paths, own: after.own.size, topNames: after.topNames, now: after };
}

void t.test('a file', async (t) => {
  t.match(renamed(SHOW, {}, 'show/film.mkv', 'show/Film (2020).mkv'), {
    paths: ['show/Film (2020).mkv', 'show/extras/sound', 'show/extras/text', 'show/Cover.jpg'],
    own: 1,
    topNames: ['show'],
  });
  t.match(renamed(SHOW, {}, 'show/Cover.jpg', 'show/cover.jpg'), { own: 1 }, 'in another case');
  t.match(renamed(FILE, {}, 'film.mkv', 'b/film.mkv'), { paths: ['b/film.mkv'], own: 0, topNames: ['b'] });
  t.equal(renamed(FILE, {}, 'film.mkv', 'film.mkv'), null);
});

void t.test('a folder, into another one of its own and back', async (t) => {
  const into = renamed(SHOW, {}, 'show/extras', 'show/extras/more');
  t.same(into?.paths.slice(1, 3), ['show/extras/more/sound', 'show/extras/more/text']);
  const back = renamed(SHOW, into!.now, 'show/extras/more', 'show/extras');
  t.match(back, { paths: SHOW.files.map(({ path }) => path.join('/')), own: 0 });
});

void t.test('the folder of all files costs no list, whatever was renamed in it', async (t) => {
  const top = renamed(SHOW, {}, 'show', 'Serie');
  t.match(top, { own: 0, topNames: ['Serie'] });
  t.same(top?.paths[1], 'Serie/extras/sound');
  const file = renamed(SHOW, top!.now, 'Serie/film.mkv', 'Serie/1.mkv');
  t.match(file, { own: 1 });
  t.match(renamed(SHOW, file!.now, 'Serie', 'show'), { own: 1, paths: ['show/1.mkv', 'show/extras/sound'] });
});

void t.test('out of the folder, and of one that has none', async (t) => {
  const out = renamed(SHOW, {}, 'show/extras', 'extras');
  t.match(out, { own: 2, topNames: ['show', 'extras'] });
  t.match(renamed(SHOW, { folder: '' }, 'extras', 'music'), {
    paths: ['film.mkv', 'music/sound', 'music/text', 'Cover.jpg'],
    topNames: ['film.mkv', 'music', 'Cover.jpg'],
  });
});

void t.test('with a suffix of incomplete files, their names with it are taken as well', async (t) => {
  const refused = [
    ['show/film.mkv', 'show/Cover.jpg.part'],
    ['show/film.mkv', 'show/cover.JPG.Part'],
    ['show/film.mkv', 'show/film.mkv.part'],
    ['show/film.mkv', 'show/Cover.jpg.part/film'],
    ['show/extras', 'show/film.mkv.part'],
  ] as const;
  for (const [from, to] of refused) {
    t.throws(() => renamedPaths(SHOW, {}, { from, to }, '.part'), { code: 'MOVE_TARGET_TAKEN' }, to);
    t.ok(renamedPaths(SHOW, {}, { from, to }), 'without one they are free');
  }
  const whole = torrentOf(64, 'show/film.part 100', 'show/sound 1');
  t.throws(() => renamedPaths(whole, {}, { from: 'show/film.part', to: 'show/film' }, '.part'), {
    code: 'MOVE_TARGET_TAKEN',
  });
  t.ok(renamedPaths(SHOW, {}, { from: 'show', to: 'Show' }, '.part'), 'another case is another name');
  t.ok(renamedPaths(SHOW, {}, { from: 'show/extras', to: 'show/more' }, '.part'));
});
