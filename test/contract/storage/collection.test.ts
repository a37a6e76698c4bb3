// One suite over every Collection. What a store must keep over its end comes after what holds for memory as well.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { AppError } from '../../../shared-protocol/errors.js';
import type { CollectionShape } from '../../../storage/collection-shape.js';
import { openCollection } from '../../../storage/lowdb-collection.js';
import { openDatabase } from '../../../storage/postgres/database.js';
import { openPostgresCollection } from '../../../storage/postgres/postgres-collection.js';
import type { Collection } from '../../../storage/types.js';
import { MemoryCollection } from '../../support/memory-collection.js';
import { testWith } from '../../support/peers/index.js';
import { PostgresCluster, postgres } from '../../support/postgres.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

interface Names {
  names: string[];
}

const SHAPE: CollectionShape<Names> = {
  version: 2,
  defaults: { names: ['default'] },
  migrate: (data, fromVersion) => ({ names: [...(data as { list: string[] }).list, `from ${fromVersion}`] }),
  validate: (data) => {
    if (!Array.isArray((data as Names).names)) throw new AppError('BUG', 'names: expected a list');
    return data as Names;
  },
};

/** Where one collection is kept. */
interface Place {
  /** Each time as after a restart. */
  open<Data>(shape: CollectionShape<Data>): Promise<Collection<Data>>;
  /** From then on nothing can be written. */
  breakDown(): Promise<void>;
}

interface Kind {
  readonly name: string;
  readonly outlasts: boolean;
  test(title: string, run: (t: Test) => Promise<void>): void;
  makePlace(t: Test): Promise<Place>;
}

const kinds: Kind[] = [
  {
    name: 'memory',
    outlasts: false,
    test: (title, run) => void t.test(title, run),
    makePlace: async () => ({
      open: async (shape) => new MemoryCollection(shape.defaults, shape.validate),
      breakDown: async () => undefined,
    }),
  },
  {
    name: 'lowdb',
    outlasts: true,
    test: (title, run) => void t.test(title, run),
    async makePlace() {
      const directory = await temporaryDirectory();
      return {
        open: (shape) => openCollection(join(directory, 'names.json'), shape),
        breakDown: () => rm(directory, { recursive: true }),
      };
    },
  },
  {
    name: 'postgres',
    outlasts: true,
    test: (title, run) => void testWith(t, postgres, title, run),
    async makePlace(t) {
      const cluster = await (clusterOfAll ??= PostgresCluster.start());
      const name = await cluster.createDatabase();
      return {
        async open(shape) {
          const database = await openDatabase(cluster.address(name));
          t.teardown(() => database.close());
          return openPostgresCollection(database, 'names', shape);
        },
        breakDown: async () => void (await cluster.query('postgres', `DROP DATABASE ${name} WITH (FORCE)`)),
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
  const suite = (title: string, run: (t: Test, place: Place) => Promise<void>) =>
    test(`${name}: ${title}`, async (t) => run(t, await makePlace(t)));

  suite('one of which nothing is stored has the defaults', async (t, place) => {
    t.same((await place.open(SHAPE)).data.names, ['default']);
  });

  suite('data shows a change only once it is durable', async (t, place) => {
    const collection = await place.open(SHAPE);
    const before = collection.data;
    const done = collection.update(add('one'));
    t.same(collection.data.names, ['default']);
    await done;
    t.same(collection.data.names, ['default', 'one']);
    t.same(before.names, ['default'], 'what was shown before is as it was');
  });

  suite('changes made at once are all kept, in order', async (t, place) => {
    const collection = await place.open(SHAPE);
    const names = Array.from({ length: 20 }, (_, i) => `n${i}`);
    await Promise.all(names.map((one) => collection.update(add(one))));
    t.same(collection.data.names, ['default', ...names]);
  });

  suite('a change that fails leaves the data as it was, and others go on', async (t, place) => {
    const collection = await place.open(SHAPE);
    const halfDone = collection.update((data) => {
      data.names.push('half');
      throw new AppError('FILE_NOT_FOUND', 'changed its mind');
    });
    const without = collection.update((data) => Object.assign(data, { names: 'none' }));
    const after = collection.update(add('after'));
    await t.rejects(halfDone, { code: 'FILE_NOT_FOUND', message: 'changed its mind' });
    await t.rejects(without, { code: 'BUG', message: 'names: expected a list' });
    await after;
    t.same(collection.data.names, ['default', 'after']);
  });

  suite('own updates are no news', async (t, place) => {
    const collection = await place.open(SHAPE);
    let told = 0;
    collection.onChanged(() => void told++);
    for (const one of ['one', 'two', 'three']) await collection.update(add(one));
    t.equal(told, 0);
  });

  if (!outlasts) continue;

  suite('what was acknowledged is there after a restart, and the defaults are not', async (t, place) => {
    const collection = await place.open(SHAPE);
    await collection.update((data) => void data.names.pop());
    await collection.update(add('one'));
    t.same((await place.open(SHAPE)).data.names, ['one']);
  });

  suite('where nothing was changed, the next program has its own defaults', async (t, place) => {
    await place.open(SHAPE);
    const next = await place.open({ ...SHAPE, version: 3, defaults: { names: ['other'] } });
    t.same(next.data.names, ['other']);
  });

  suite('any text, any number, and keys in their order', async (t, place) => {
    const values = ['', '\0', 'a\0b', '\ud800', '\udc00\ud800', '\u2028', '🎬', 'é'.repeat(70_000)];
    const numbers = [0, -1, 0.1, 1e21, 5e-324, 1.7976931348623157e308, 2 ** 53 - 1];
    const data = { z: values, a: { b: numbers, '': null }, aa: [[], {}, true], '\0': 1 };
    const shape: CollectionShape<{ data: unknown }> = {
      version: 1,
      defaults: { data: null },
      migrate: (old) => old,
      validate: (stored) => stored as { data: unknown },
    };
    await (await place.open(shape)).update((stored) => void (stored.data = data));
    const read = (await place.open(shape)).data;
    t.equal(JSON.stringify(read.data), JSON.stringify(data));
  });

  suite('an older version is migrated, and stored in the present one with the next change', async (t, place) => {
    const first = await place.open<{ list: string[] }>({
      version: 1,
      defaults: { list: [] },
      migrate: (data) => data,
      validate: (data) => data as { list: string[] },
    });
    await first.update((data) => void data.list.push('old'));
    t.same((await place.open(SHAPE)).data.names, ['old', 'from 1']);
    await (await place.open(SHAPE)).update(add('new'));
    t.same((await place.open(SHAPE)).data.names, ['old', 'from 1', 'new']);
  });

  suite('a newer version is refused', async (t, place) => {
    await (await place.open({ ...SHAPE, version: 3 })).update(add('one'));
    await t.rejects(place.open(SHAPE), { code: 'STORAGE_TOO_NEW', message: /version 3; .* up to 2/ });
  });

  suite('what has not the shape is refused, never taken for nothing', async (t, place) => {
    const shape = { ...SHAPE, validate: (data: unknown) => data as Names };
    await (await place.open(shape)).update((data) => Object.assign(data, { names: 'none' }));
    await t.rejects(place.open(SHAPE), { code: 'STORAGE_FAILED', message: /expected a list/ });
  });

  suite('a store that fails leaves the data as it was', async (t, place) => {
    const collection = await place.open(SHAPE);
    await collection.update(add('one'));
    await place.breakDown();
    await t.rejects(collection.update(add('lost')), { code: 'STORAGE_FAILED' });
    t.same(collection.data.names, ['default', 'one']);
  });
}
