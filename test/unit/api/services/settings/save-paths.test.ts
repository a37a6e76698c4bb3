// Where torrents may be saved: over real directories and links, as a tester who would get out of them sees it.
import { chmod, mkdir, readdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { SavePaths } from '../../../../../api/services/settings/save-paths.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';
import { localFolders } from '../../../../../storage/local-folders.js';
import { oneEngine } from '../../../../../api/engines/one-engine.js';

const ADMIN = { role: 'admin' } as const;
const USER = { role: 'user' } as const;
const FORBIDDEN = { code: 'FORBIDDEN' };
const refused = (message: string) => ({ code: 'PATH_UNUSABLE', message });

/** `files` is the global save path, `series` that of a category; `secret` is nobody's. */
async function scene(given: { allowedPaths?: (base: string) => string[] } = {}) {
  const base = await realpath(await temporaryDirectory());
  for (const name of ['files', 'files/deep', 'series', 'secret', 'files-not']) await mkdir(join(base, name));
  await writeFile(join(base, 'files', 'a-file'), '');
  await writeFile(join(base, 'secret', 'a-file'), '');
  await symlink(join(base, 'secret'), join(base, 'files', 'out'));
  await symlink('../series', join(base, 'files', 'across'));
  await symlink(join(base, 'secret', 'later'), join(base, 'files', 'dangling'));
  await symlink('loop', join(base, 'files', 'loop'));
  await symlink(join(base, 'secret', 'a-file'), join(base, 'files', 'to-a-file'));
  const stored: string[] = [];
  const settings = {
    savePath: join(base, 'files'),
    store: async (_group: string, path: unknown) => {
      stored.push(String(path));
      settings.savePath = String(path);
    },
  };
  const categories = ['', join(base, 'series')].map((default_save_path, index) => ({
    id: index + 1,
    name: `c${index}`,
    color: '',
    default_save_path,
  }));
  const savePaths = new SavePaths(
    { settings, labels: { categories }, engines: oneEngine(localFolders) },
    {
      allowedPaths: given.allowedPaths?.(base) ?? [],
      dataDir: join(base, 'state'),
      backupDir: join(base, 'files', 'backups'),
    },
  );
  return { savePaths, stored, settings, at: (...names: string[]) => join(base, ...names) };
}

void t.test('what an add may mean by its path', async (t) => {
  const { savePaths, at } = await scene();
  for (const account of [ADMIN, USER]) {
    t.equal(await savePaths.resolve(account, ''), at('files'));
    t.equal(await savePaths.resolve(account, 'new/er'), at('files', 'new', 'er'), 'relative: below the default');
    t.equal(await savePaths.resolve(account, at('files')), at('files'));
    t.equal(await savePaths.resolve(account, `${at('files', 'deep')}//x/../y/`), at('files', 'deep', 'y'));
    t.equal(await savePaths.resolve(account, at('series', 'x')), at('series', 'x'), "a category's path is a root");
    t.equal(await savePaths.resolve(account, '../series/x'), at('series', 'x'));
    t.equal(await savePaths.resolve(account, 'across/x'), at('files', 'across', 'x'), 'a link from root to root');
  }
  t.equal(await savePaths.resolve(ADMIN, at('secret')), at('secret'), 'administrators go where they like');
  t.equal(await savePaths.resolve(ADMIN, 'out/x'), at('files', 'out', 'x'));
});

void t.test('archives of the state are no place for torrents, and what is around them is', async (t) => {
  const { savePaths, at } = await scene();
  const homed = { role: 'user', home: at('files') } as const;
  const reason = 'save_path: lies in the folder of the backups';
  for (const account of [ADMIN, USER, homed]) {
    t.equal(await savePaths.resolve(account, at('files')), at('files'));
    for (const path of [at('files', 'backups'), at('files', 'backups', 'x')]) {
      await t.rejects(savePaths.resolve(account, path), refused(reason), path);
    }
    t.notOk((await savePaths.boundsOf(account))(at('files', 'backups')), 'nor is it offered');
  }
  await mkdir(at('files', 'backups'));
  await symlink(at('files', 'backups'), at('files', 'round-about'));
  await t.rejects(savePaths.resolve(USER, at('files', 'round-about')), refused(reason), 'by a link');
});

void t.test('others do not get out, and do not learn what is there', async (t) => {
  const { savePaths, at } = await scene();
  const outside = [
    '/',
    '/etc',
    at('secret'),
    at('secret', 'a-file'),
    at('secret', 'a-file', 'x'),
    at('secret', 'nothing'),
  ];
  const sideways = [at('files-not'), at('FILES', 'x'), '..', '../secret/x', 'deep/../../secret', 'out/../../secret'];
  const byLink = ['to-a-file', 'to-a-file/x', 'out', 'out/x', 'out/a-file', 'out/a-file/x', at('files', 'out', 'x')];
  for (const path of [...outside, ...sideways, ...byLink])
    await t.rejects(savePaths.resolve(USER, path), FORBIDDEN, path);
  t.equal(await savePaths.resolve(USER, 'out/deep/../../x'), at('files', 'x'), 'by its text it never leaves');
});

void t.test('what cannot be a directory', async (t) => {
  const { savePaths, at } = await scene();
  for (const account of [ADMIN, USER]) {
    await t.rejects(savePaths.resolve(account, 'a\0b'), refused('save_path: contains a NUL character'));
    await t.rejects(savePaths.resolve(account, 'x'.repeat(4097)), refused('save_path: longer than 4096 bytes'));
    for (const long of ['\u2603'.repeat(1_366), '"'.repeat(2_049), '\x01'.repeat(683)])
      await t.rejects(savePaths.resolve(account, long), refused('save_path: longer than 4096 bytes'));
    await t.rejects(savePaths.resolve(account, 'a-file'), refused('save_path: not a directory'));
    await t.rejects(savePaths.resolve(account, 'a-file/x'), refused('save_path: not a directory'));
    await t.rejects(savePaths.resolve(account, 'dangling'), refused('save_path: leads nowhere'));
    await t.rejects(savePaths.resolve(account, 'dangling/x'), refused('save_path: leads nowhere'));
    await t.rejects(savePaths.resolve(account, 'loop/x'), refused('save_path: cannot be used'));
    await t.rejects(savePaths.resolve(account, `${'y'.repeat(300)}`), refused('save_path: cannot be used'));
  }
  await t.rejects(savePaths.resolve(ADMIN, at('secret', 'a-file')), refused('save_path: not a directory'));
});

void t.test('allowed paths bind everybody; the default is allowed wherever it is', async (t) => {
  const { savePaths, at } = await scene({ allowedPaths: (base) => [join(base, 'series'), join(base, 'absent')] });
  for (const account of [ADMIN, USER]) {
    t.equal(await savePaths.resolve(account, at('series', 'x')), at('series', 'x'));
    t.equal(await savePaths.resolve(account, at('absent', 'x')), at('absent', 'x'), 'a root that is not there yet');
    t.equal(await savePaths.resolve(account, ''), at('files'));
  }
  await t.rejects(savePaths.resolve(ADMIN, at('secret')), refused('save_path: outside the allowed paths'));
  await t.rejects(savePaths.setDefault(ADMIN, at('secret')), refused('path: outside the allowed paths'));
  await t.rejects(savePaths.resolve(USER, at('files', 'x')), FORBIDDEN, 'the global path is no root then');
});

void t.test('a root that leads nowhere holds nothing', async (t) => {
  const { savePaths, at } = await scene({ allowedPaths: (base) => [join(base, 'files', 'dangling')] });
  await t.rejects(savePaths.resolve(USER, at('secret', 'later')), FORBIDDEN);
  await t.rejects(savePaths.resolve(USER, at('files', 'dangling', 'x')), FORBIDDEN);
});

void t.test('paths that are stored', async (t) => {
  const { savePaths, stored, at } = await scene();
  t.equal(await savePaths.confine(USER, '', 'default_save_path'), '');
  t.equal(await savePaths.confine(USER, `${at('series')}/`, 'default_save_path'), at('series'));
  await t.rejects(
    savePaths.confine(ADMIN, 'series', 'save_path'),
    refused('save_path: Enter an absolute path, e.g. /data/torrents.'),
  );
  await t.rejects(savePaths.confine(USER, at('secret'), 'save_path'), FORBIDDEN);
  await t.rejects(savePaths.setDefault(ADMIN, ''), refused('path: must not be empty'));
  await t.rejects(savePaths.setDefault(ADMIN, 'files'), refused('path: Enter an absolute path, e.g. /data/torrents.'));
  await t.rejects(savePaths.setDefault(ADMIN, at('files', 'a-file')), refused('path: not a directory'));
  await t.rejects(savePaths.setDefault(USER, at('secret')), FORBIDDEN);
  t.same(stored, []);
  await savePaths.setDefault(USER, at('files', 'deep'));
  t.equal(savePaths.defaultPath, at('files', 'deep'));
  await t.rejects(savePaths.resolve(USER, at('files', 'x')), FORBIDDEN, 'the roots move with it');
  await savePaths.setDefault(ADMIN, at('secret', 'new'));
  t.same(stored, [at('files', 'deep'), at('secret', 'new')]);
});

void t.test('a path that is chosen is one at which something can be made, and nothing is left there', async (t) => {
  const { savePaths, stored, at } = await scene();
  const made = 'does not exist and cannot be made (nothing can be created there)';
  // In /proc nobody makes anything, root neither.
  for (const path of ['/proc/nope', '/proc/nope/deeper']) {
    await t.rejects(savePaths.choose(ADMIN, path, 'save_path'), refused(`save_path: ${made}`), path);
    await t.rejects(savePaths.setDefault(ADMIN, path), refused(`path: ${made}`), path);
    await t.rejects(savePaths.tryOut({}, path, 'path'), refused(`path: ${made}`), path);
    t.equal(await savePaths.choose(ADMIN, path, 'save_path', path), path, 'it was stored, and may be away');
  }
  const there = refused('path: not writable (nothing can be created there)');
  await t.rejects(savePaths.choose(ADMIN, '/proc', 'path'), there);
  const long = at('files', 'new', 'y'.repeat(256), 'x');
  const tooLong = refused('path: does not exist and cannot be made (a name in it is too long)');
  await t.rejects(savePaths.choose(ADMIN, long, 'path'), tooLong);
  await t.rejects(savePaths.choose(USER, '/proc/nope', 'path'), FORBIDDEN, 'outside it is not tried');
  t.same(stored, []);
  const before = await readdir(at('files'));
  for (const path of [at('files'), at('files', 'new', 'er'), at('files', 'y'.repeat(255))])
    t.equal(await savePaths.choose(USER, path, 'path'), path);
  t.same(await readdir(at('files')), before);
});

void t.test('what the system does not permit', { skip: process.getuid?.() === 0 && 'root may' }, async (t) => {
  const { savePaths, at } = await scene();
  await chmod(at('files', 'deep'), 0o500);
  await t.rejects(
    savePaths.choose(USER, at('files', 'deep'), 'path'),
    refused('path: not writable (permission denied)'),
  );
  const made = refused('path: does not exist and cannot be made (permission denied)');
  await t.rejects(savePaths.choose(USER, at('files', 'deep', 'new'), 'path'), made);
});

void t.test('whatever a plain user sends, it is inside or refused', async (t) => {
  const { savePaths, at } = await scene();
  const names = [
    'files',
    'series',
    'secret',
    'out',
    'across',
    'dangling',
    'to-a-file',
    'loop',
    'a-file',
    'deep',
    'FILES',
    'files-not',
  ];
  const odd = ['..', '.', '', '~', '\\..\\', '\0', '%2e%2e', '\u2025', '..\u200b', 'x'.repeat(300)];
  const element = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...names) },
    { weight: 3, arbitrary: fc.constantFrom('..', '..', '../..') },
    { weight: 2, arbitrary: fc.constantFrom(...odd) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
  );
  const path = fc
    .tuple(
      fc.constantFrom('', '/', at(), `${at()}/`, `${at('files')}/`, `/..${at()}/`),
      fc.array(element, { maxLength: 8 }),
    )
    .map(([start, elements]) => start + elements.join('/'));
  let inside = 0;
  await fc.assert(
    fc.asyncProperty(path, async (requested) => {
      let resolved: string;
      try {
        resolved = await savePaths.resolve(USER, requested);
      } catch (error) {
        return (
          error instanceof Error && /^(FORBIDDEN|save_path: )/.test(error.message) && !error.message.includes(at())
        );
      }
      inside++;
      const real = await deepestReal(resolved);
      return [at('files'), at('series')].some((root) => real === root || real.startsWith(root + sep));
    }),
    { numRuns: 3_000, examples: [['out/../out/x'], [`${at('files')}/../secret`], [`${'../'.repeat(1400)}etc`]] },
  );
  t.ok(inside > 300, `${inside} of them got in`);
});

/** By the system's own resolution, of what exists. */
async function deepestReal(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return join(await deepestReal(resolve(path, '..')), path.slice(path.lastIndexOf(sep)));
  }
}
