// One suite over every StateStore. What a store must keep over its end comes after what holds for memory as well.
import t, { type Test } from 'tap';
import { AppError } from '../../../shared-protocol/errors.js';
import type { CollectionShape } from '../../../storage/collection-shape.js';
import { DirectoryStateStore } from '../../../storage/directory-state-store.js';
import { openDatabase } from '../../../storage/postgres/database.js';
import { PostgresStateStore } from '../../../storage/postgres/postgres-state-store.js';
import type { StateStore } from '../../../storage/types.js';
import { MemoryStateStore } from '../../support/memory-state-store.js';
import { testWith } from '../../support/peers/index.js';
import { PostgresCluster, postgres } from '../../support/postgres.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

interface Names {
  names: string[];
}

const SHAPE: CollectionShape<Names> = {
  version: 1,
  defaults: { names: ['default'] },
  migrate: (data) => data,
  validate: (data) => {
    if (!Array.isArray((data as Names).names)) throw new AppError('BUG', 'names: expected a list');
    return data as Names;
  },
};

/** Opens a store, each time as after a restart. */
type OpenStore = () => Promise<StateStore>;

interface Kind {
  readonly name: string;
  readonly outlasts: boolean;
  test(title: string, run: (t: Test) => Promise<void>): void;
  makePlace(t: Test): Promise<OpenStore>;
}

const kinds: Kind[] = [
  {
    name: 'memory',
    outlasts: false,
    test: (title, run) => void t.test(title, run),
    makePlace: async () => async () => new MemoryStateStore(),
  },
  {
    name: 'directory',
    outlasts: true,
    test: (title, run) => void t.test(title, run),
    async makePlace() {
      const directory = await temporaryDirectory();
      return async () => new DirectoryStateStore(directory);
    },
  },
  {
    name: 'postgres',
    outlasts: true,
    test: (title, run) => void testWith(t, postgres, title, run),
    async makePlace(t) {
      const cluster = await (clusterOfAll ??= PostgresCluster.start());
      const name = await cluster.createDatabase();
      return async () => {
        const database = await openDatabase(cluster.address(name));
        t.teardown(() => database.close());
        return new PostgresStateStore(database);
      };
    },
  },
];

let clusterOfAll: Promise<PostgresCluster> | null = null;

const add =
  (name: string) =>
  (data: Names): void =>
    void data.names.push(name);

for (const { name, outlasts, test, makePlace } of kinds) {
  const suite = (title: string, run: (t: Test, openStore: OpenStore) => Promise<void>) =>
    test(`${name}: ${title}`, async (t) => run(t, await makePlace(t)));

  suite('where nothing is stored the data are the defaults themselves', async (t, openStore) => {
    const store = await openStore();
    t.equal((await store.open('labels', SHAPE)).data, SHAPE.defaults);
  });

  suite('what is stored under one name is not under another', async (t, openStore) => {
    const store = await openStore();
    const labels = await store.open('labels', SHAPE);
    const ofSeven = await store.open('preferences/7', SHAPE);
    await ofSeven.update(add('seven'));
    t.same(labels.data.names, ['default']);
    t.same(ofSeven.data.names, ['default', 'seven']);
    t.same((await store.open('preferences/77', SHAPE)).data.names, ['default']);
  });

  suite('a name has one instance, whoever opens it and when', async (t, openStore) => {
    const store = await openStore();
    const [one, other] = await Promise.all([store.open('labels', SHAPE), store.open('labels', SHAPE)]);
    t.equal(one, other);
    await one.update(add('one'));
    t.equal(await store.open('labels', SHAPE), one);
  });

  suite('names are those of which something is stored', async (t, openStore) => {
    const store = await openStore();
    t.same(await store.names('preferences/'), []);
    for (const each of ['preferences/7', 'preferences/12', 'notices/7', 'labels']) {
      await (await store.open(each, SHAPE)).update(add(each));
    }
    await store.open('preferences/9', SHAPE);
    t.same((await store.names('preferences/')).sort(), ['preferences/12', 'preferences/7']);
  });

  suite('what is removed reads as its defaults, and later changes are made on these', async (t, openStore) => {
    const store = await openStore();
    const collection = await store.open('preferences/7', SHAPE);
    const asked = collection.update(add('one'));
    await store.remove('preferences/7');
    await asked;
    t.equal(collection.data, SHAPE.defaults);
    t.same(await store.names('preferences/'), []);
    t.equal((await store.open('preferences/7', SHAPE)).data, SHAPE.defaults);
    await collection.update(add('two'));
    t.same(collection.data.names, ['default', 'two']);
    t.same(await store.names('preferences/'), ['preferences/7']);
  });

  suite('the removal of one leaves the others, and that of none is no error', async (t, openStore) => {
    const store = await openStore();
    const other = await store.open('preferences/77', SHAPE);
    await other.update(add('other'));
    await store.open('preferences/7', SHAPE);
    await store.remove('preferences/7');
    await store.remove('notices/7');
    t.same(other.data.names, ['default', 'other']);
    t.same(await store.names('preferences/'), ['preferences/77']);
  });

  suite('a name that leads elsewhere is refused', async (t, openStore) => {
    const store = await openStore();
    for (const each of [
      '',
      '../accounts',
      'preferences/',
      'preferences/../../x',
      'a b',
      '/accounts',
      'preferences/.',
    ]) {
      await t.rejects(store.open(each, SHAPE), { code: 'BUG' }, each);
      await t.rejects(store.remove(each), { code: 'BUG' }, each);
    }
  });

  if (!outlasts) continue;

  suite('what was acknowledged is there after a restart, and what was removed is not', async (t, openStore) => {
    const before = await openStore();
    for (const each of ['preferences/7', 'labels', 'feeds']) {
      await (await before.open(each, SHAPE)).update(add('one'));
      await (await before.open(each, SHAPE)).update(add('two'));
    }
    await before.remove('preferences/7');
    const after = await openStore();
    t.same((await after.open('labels', SHAPE)).data.names, ['default', 'one', 'two']);
    t.equal((await after.open('preferences/7', SHAPE)).data, SHAPE.defaults);
    await after.remove('feeds');
    t.equal((await after.open('feeds', SHAPE)).data, SHAPE.defaults, 'which was not open');
  });

  suite('one that could not be opened is tried again', async (t, openStore) => {
    const odd = { ...SHAPE, validate: (data: unknown) => data as Names };
    await (await (await openStore()).open('labels', odd)).update((data) => Object.assign(data, { names: 'none' }));
    const store = await openStore();
    await t.rejects(store.open('labels', SHAPE), { code: 'STORAGE_FAILED' });
    t.same((await store.open('labels', odd)).data.names, 'none');
  });
}
