// Whose torrents may take over files: what the engine is told of accounts as they change.
import { mkdir, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { FileAdopters } from '../../../../../api/services/accounts/file-adopters.js';
import type { Adopter } from '../../../../../shared-protocol/commands/shares.js';
import { AppError } from '../../../../../shared-protocol/errors.js';
import { account } from '../../../../support/feed-bench.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';
import { localFolders } from '../../../../../storage/local-folders.js';
import { oneEngine } from '../../../../../api/engines/one-engine.js';

void t.test('administrators anywhere, others where their homes really lie', async (t) => {
  const base = await realpath(await temporaryDirectory());
  await mkdir(join(base, 'big', 'bob'), { recursive: true });
  await symlink('big', join(base, 'homes'));
  const all = [account(1), account(2, { home: join(base, 'homes', 'bob', 'new') }), account(3)];
  const told: (readonly Adopter[])[] = [];
  const client = { setAdopters: async ({ adopters }: { adopters: readonly Adopter[] }) => void told.push(adopters) };
  const adopters = new FileAdopters({ accounts: { all }, engine: { client }, engines: oneEngine(localFolders) });
  await adopters.apply();
  t.same(told, [
    [
      { accountId: 1, home: null },
      { accountId: 2, home: join(base, 'big', 'bob', 'new') },
    ],
  ]);
  t.same(adopters.current, told[0]);
});

void t.test('a home that cannot be reached gives no right to what is around it', async (t) => {
  const base = await realpath(await temporaryDirectory());
  const [home, other] = [join(base, 'volume', 'bob'), join(base, 'links', 'carol')];
  await mkdir(join(base, 'links'));
  await mkdir(home, { recursive: true });
  await symlink('nowhere', other);
  const all = [account(1, { home }), account(2, { home: other })].map((each) => ({ ...each, role: 'user' as const }));
  const client = { setAdopters: async () => undefined };
  const adopters = new FileAdopters({ accounts: { all }, engine: { client }, engines: oneEngine(localFolders) });
  const homes = async () => (await adopters.find()).map((each) => each.home);
  t.same(await homes(), [home, other], 'a link that leads nowhere is no folder of others');
  await rename(join(base, 'volume'), join(base, 'gone'));
  await writeFile(join(base, 'volume'), 'no folder');
  t.same(await homes(), [home, other]);
});

void t.test('what was found before a right was taken away does not arrive after it', async (t) => {
  const accounts = { all: [account(1), account(2, { role: 'admin' })] };
  const told: number[][] = [];
  const client = {
    setAdopters: async ({ adopters }: { adopters: readonly Adopter[] }) =>
      void told.push(adopters.map(({ accountId }) => accountId)),
  };
  const adopters = new FileAdopters({ accounts, engine: { client }, engines: oneEngine(localFolders) });
  const before = adopters.apply();
  accounts.all = [account(1), account(2)];
  const after = adopters.apply();
  await Promise.all([before, after]);
  t.same(told.at(-1), [1]);
});

void t.test(
  'of an engine that is away, homes are what they were, and by their names where that is not known',
  async (t) => {
    const accounts = { all: [account(1), account(2, { home: '/homes/bob' })] };
    const client = { setAdopters: async () => undefined };
    let isAway = true;
    const locate = async (path: string) => {
      if (isAway) throw new AppError('ENGINE_AWAY', 'away');
      return { kind: 'place', path: `/big${path}` } as const;
    };
    const engines = { foldersOf: () => ({ locate }), nameFor: (name: string) => name };
    const adopters = new FileAdopters({ accounts, engine: { client }, engines });
    const homeOfBob = async () => (await adopters.find()).find(({ accountId }) => accountId === 2)?.home;
    t.equal(await homeOfBob(), '/homes/bob');
    isAway = false;
    t.equal(await homeOfBob(), '/big/homes/bob');
    isAway = true;
    t.equal(await homeOfBob(), '/big/homes/bob');
    accounts.all = [account(1), account(2, { home: '/homes/robert' })];
    t.equal(await homeOfBob(), '/homes/robert', 'nothing of the home before');
    accounts.all = [account(1), account(2)];
    t.equal(await homeOfBob(), undefined, 'a home that was taken away is none');
  },
);

void t.test('the folder that is watched for an account is told with it, until it is another', async (t) => {
  const all = [account(1, { role: 'admin' }), account(2)];
  const told: (readonly Adopter[])[] = [];
  let isAway = false;
  const client = {
    async setAdopters({ adopters }: { adopters: readonly Adopter[] }) {
      if (isAway) throw new AppError('ENGINE_TIMEOUT', 'too late');
      told.push(adopters);
    },
  };
  const adopters = new FileAdopters({ accounts: { all }, engine: { client }, engines: oneEngine(localFolders) });
  const [admin, bob] = all.map(({ id }) => id);
  await adopters.watch({ accountId: bob!, path: '/srv/watch' });
  await adopters.watch({ accountId: bob!, path: '/srv/watch' });
  await adopters.watch({ accountId: admin!, path: '/srv/watch' });
  isAway = true;
  await t.rejects(adopters.watch(null), { code: 'ENGINE_TIMEOUT' });
  isAway = false;
  await adopters.watch(null);
  t.same(told, [
    [
      { accountId: 1, home: null },
      { accountId: 2, home: '', watched: '/srv/watch' },
    ],
    [{ accountId: 1, home: null, watched: '/srv/watch' }],
    [{ accountId: 1, home: null }],
  ]);
});
