// Save paths that are completed while they are typed: what an administrator is shown, what an account finds in its home,
// and what neither it nor one without a home learns of others and of what lies outside.
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import t, { type Test } from 'tap';
import type { PathsDto } from '../../../shared-protocol/dto/paths.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { World, type Caller } from './runner/world.js';

const NOTHING = { paths: [], complete: true, allowed: false, free_bytes: null, total_bytes: null };

/** `mary` has a home with another's in it; `nils` has none; `otto` shares his with `pia`. */
async function scene(t: Test, args: (base: string) => readonly string[] = () => []) {
  const base = await realpath(await temporaryDirectory());
  const at = (...names: string[]) => join(base, ...names);
  const folders = [
    'mary/Films/old',
    'mary/films-new',
    'mary/.hidden',
    'mary/inner/deep',
    'nils',
    'both/x',
    'secret/plans',
  ];
  for (const folder of folders) await mkdir(at(folder), { recursive: true });
  await writeFile(at('mary', 'film.mkv'), '');
  await symlink(at('secret'), at('mary', 'film-link-out'));
  await symlink(at('mary', 'Films'), at('mary', 'film-link-in'));
  await symlink(at('mary', 'film.mkv'), at('mary', 'film-link-file'));
  const world = await World.start([...args(base)]);
  t.teardown(() => world.close());
  const account = async (name: string, home: string) => {
    const caller = await world.caller({ name, isAdmin: false, permissions: ['perm_add_torrents'] });
    await world.asAdmin('PUT', `/api/users/${caller.id}`, await withHome(world, caller, home));
    return caller;
  };
  const ask = async (caller: Caller, prefix: string): Promise<PathsDto> => {
    const headers = { ...world.source(), ...caller.bearer };
    const answer = await world.harness.call('GET', `/api/paths?prefix=${encodeURIComponent(prefix)}`, { headers });
    t.equal(answer.status, 200, answer.text);
    return answer.json<PathsDto>();
  };
  const names = async (caller: Caller, prefix: string) =>
    (await ask(caller, prefix)).paths.map((path) => path.replace(base, ''));
  return { world, at, account, ask, names };
}

async function withHome(world: World, { id }: Caller, home: string): Promise<object> {
  const users = await world.asAdmin<readonly { id: number }[]>('GET', '/api/users');
  return { ...users.find((user) => user.id === id), home };
}

void t.test('administrators find the folders of the server', async (t) => {
  const { world, at, ask, names } = await scene(t);
  const { admin } = world;
  t.same(await names(admin, at('mary', 'fil')), [
    '/mary/Films',
    '/mary/film-link-in',
    '/mary/film-link-out',
    '/mary/films-new',
  ]);
  t.same(await names(admin, at('mary', 'films')), ['/mary/Films', '/mary/films-new']);
  t.same(await names(admin, `${at('mary')}/.`), ['/mary/.hidden'], 'what begins with a dot, where one is typed');
  t.same(await names(admin, at('mary', 'Films/')), ['/mary/Films/old']);
  t.match(await ask(admin, at('mary', 'Films')), {
    allowed: true,
    exists: true,
    free_bytes: Number,
    total_bytes: Number,
  });
  t.match(await ask(admin, at('new', 'er')), { allowed: true, exists: false, free_bytes: Number });
  t.match(await ask(admin, at('mary', 'film.mkv')), { allowed: false, exists: false, free_bytes: null });
  t.match(await ask(admin, ''), { paths: [world.harness.filesDir], allowed: true });
  const { dataDir } = world.harness;
  t.notOk((await ask(admin, dataDir)).paths.includes(dataDir), 'the data directory is nobody’s save path');
  t.match(await ask(admin, `${dataDir}/`), { ...NOTHING, exists: false });
  const label = basename(dataDir);
  await mkdir(join(world.harness.filesDir, label, 'deep'), { recursive: true });
  t.same(
    (await ask(admin, `${label}/`)).paths,
    [join(world.harness.filesDir, label, 'deep')],
    'relative: below the default',
  );
});

void t.test('an account finds what is in its home, and nothing else', async (t) => {
  const { at, account, ask, names } = await scene(t);
  const mary = await account('mary', at('mary'));
  await account('inner', at('mary', 'inner'));
  t.same(await names(mary, at('mary/')), ['/mary/Films', '/mary/film-link-in', '/mary/films-new']);
  t.same(await names(mary, at('mary', 'film-link-in/')), ['/mary/film-link-in/old']);
  t.same(await names(mary, 'films-'), ['/mary/films-new']);
  t.same(await names(mary, at('ma')), ['/mary'], 'the home itself, as it is known');
  const outside = [
    at('secret/'),
    at('secret'),
    at('nothing/'),
    '/',
    '/et',
    at('mary', '..', 'secret/'),
    at('mary/../'),
  ];
  const within = [at('mary', 'film-link-out/'), at('mary', 'film-link-out', 'pl')];
  for (const prefix of [...outside, ...within]) {
    const { paths, ...others } = await ask(mary, prefix);
    t.same(
      paths.filter((path) => path !== at('mary')),
      [],
      prefix,
    );
    t.match(others, { allowed: false, exists: false, free_bytes: null }, prefix);
  }
  const inner = await ask(mary, at('mary', 'inner/'));
  t.same([inner.paths, inner.exists], [[], false], 'the home of another in its own');
});

void t.test('where several accounts save, each finds what it knows', async (t) => {
  const { world, at, account, ask, names } = await scene(t, (base) => ['--allowed-paths', base]);
  const nils = await account('nils', '');
  const films = at('nils', 'films');
  const headers = { ...world.source(), ...nils.bearer };
  const magnet = (digit: string) => `magnet:?xt=urn:btih:${digit.repeat(40)}`;
  const body = { magnet: magnet('a'), save_path: films };
  t.equal((await world.harness.call('POST', '/api/torrents/magnet', { headers, body })).status, 200);
  await world.asAdmin('POST', '/api/torrents/magnet', { magnet: magnet('b'), save_path: at('secret', 'plans') });
  t.same(await names(nils, at('')), ['/nils/films'], 'no names of folders, but what it saved to');
  t.same(await names(nils, at('secret/')), []);
  for (const guess of [at('secret'), at('secret', 'plans'), at('secret', 'none')])
    t.match(await ask(nils, guess), { allowed: true, exists: null }, 'not whether it is there');
  t.match(await ask(nils, '/etc'), { ...NOTHING, exists: null });
  const otto = await account('otto', at('both'));
  t.same(await names(otto, at('both/')), ['/both/x']);
  await world.asAdmin('POST', '/api/users', {
    ...{ username: 'pia', password: 'pias password', role: 'user', home: at('both') },
  });
  t.same(await names(otto, at('both/')), [], 'a home of two is none that is listed');
});

void t.test('however many folders there are', async (t) => {
  const { world, at, ask } = await scene(t);
  for (let n = 0; n < 150; n++) await mkdir(at('secret', `n${String(n).padStart(3, '0')}`));
  const first = await ask(world.admin, at('secret/'));
  t.same([first.paths.length, first.paths[0], first.complete], [100, at('secret', 'n000'), false]);
  t.match(await ask(world.admin, at('secret', 'n14')), { paths: { length: 10 }, complete: true });
});
