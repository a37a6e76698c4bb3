// Two fronts on one database: no change is lost, each sees what the other has changed, and is told of that alone.
import t, { type Test } from 'tap';
import type { CollectionShape } from '../../../storage/collection-shape.js';
import { openDatabase } from '../../../storage/postgres/database.js';
import { openPostgresCollection } from '../../../storage/postgres/postgres-collection.js';
import { nextChange } from '../../support/next-change.js';
import { testWith } from '../../support/peers/index.js';
import { PostgresCluster, postgres } from '../../support/postgres.js';

interface Counts {
  a: number;
  b: number;
}

const SHAPE: CollectionShape<Counts> = {
  version: 1,
  defaults: { a: 0, b: 0 },
  migrate: (data) => data,
  validate: (data) => data as Counts,
};
const INCREMENTS = 1_000;

let cluster: PostgresCluster;
if (postgres.isAvailable()) cluster = await PostgresCluster.start();

async function openFront(t: Test, name: string, options = {}) {
  const database = await openDatabase(cluster.address(name));
  t.teardown(() => database.close());
  return openPostgresCollection(database, 'counts', { ...SHAPE, ...options });
}

void testWith(t, postgres, `${INCREMENTS} increments through two pools at once`, async (t) => {
  const name = await cluster.createDatabase();
  const fronts = [await openFront(t, name), await openFront(t, name)] as const;
  const increments = Array.from({ length: INCREMENTS }, (_, i) =>
    fronts[i % 2]!.update((data) => {
      data[i % 2 === 0 ? 'a' : 'b']++;
    }),
  );
  await Promise.all(increments);
  const [row] = await cluster.query(name, 'SELECT revision::int, data FROM collections');
  t.same(row, { revision: INCREMENTS, data: { a: INCREMENTS / 2, b: INCREMENTS / 2 } });
  while (fronts[0].data.b < INCREMENTS / 2) await nextChange(fronts[0]);
  while (fronts[1].data.a < INCREMENTS / 2) await nextChange(fronts[1]);
  t.same(fronts[0].data, fronts[1].data);
});

void testWith(t, postgres, 'a change is seen by the other, who is told of it, and of none of its own', async (t) => {
  const name = await cluster.createDatabase();
  const [one, other] = [await openFront(t, name), await openFront(t, name)];
  const told = { one: 0, other: 0 };
  one.onChanged(() => void told.one++);
  other.onChanged(() => void told.other++);
  const seen = nextChange(other);
  await one.update((data) => void data.a++);
  await seen;
  t.same(other.data, { a: 1, b: 0 });
  const answered = nextChange(one);
  await other.update((data) => void data.b++);
  await answered;
  t.same(one.data, { a: 1, b: 1 });
  // Notifications come in the order of the commits: those of the own changes have been heard by now.
  t.same(told, { one: 1, other: 1 });
});

void testWith(t, postgres, 'who changes something on top of what it has not seen yet is told of that', async (t) => {
  const name = await cluster.createDatabase();
  const front = await openFront(t, name);
  const told = nextChange(front);
  // Without a notification.
  await cluster.query(name, `UPDATE collections SET version = 1, revision = 1, data = '{"a":5,"b":0}'`);
  await front.update((data) => void data.b++);
  await told;
  t.same(front.data, { a: 5, b: 1 });
});

void testWith(t, postgres, 'who asks sees what was changed before, though nobody told of it', async (t) => {
  const name = await cluster.createDatabase();
  const front = await openFront(t, name);
  const told = nextChange(front);
  await cluster.query(name, `UPDATE collections SET version = 1, revision = 1, data = '{"a":5,"b":0}'`);
  const own = front.update((data) => void data.b++);
  await Promise.all([front.refresh(), front.refresh()]);
  t.same(front.data, { a: 5, b: 1 }, 'after the own changes before it');
  await Promise.all([own, told]);
  await cluster.query(name, `UPDATE collections SET revision = 3, data = '{"a":9,"b":9}'`);
  await front.refresh();
  t.same(front.data, { a: 9, b: 9 });
});

void testWith(t, postgres, 'what a newer program has written is not shown, and not written over', async (t) => {
  const name = await cluster.createDatabase();
  let tell: (code: string) => void;
  const trouble = new Promise((resolve) => (tell = resolve));
  const old = await openFront(t, name, { onTrouble: (error: { code: string }) => tell(error.code) });
  await old.update((data) => void data.a++);
  const newer = await openFront(t, name, { version: 2 });
  await newer.update((data) => void data.b++);
  t.equal(await trouble, 'STORAGE_TOO_NEW');
  t.same(old.data, { a: 1, b: 0 });
  await t.rejects(
    old.update((data) => void data.a++),
    { code: 'STORAGE_TOO_NEW' },
  );
  t.same(newer.data, { a: 1, b: 1 });
});

void testWith(t, postgres, 'a database that went back is not taken for the present one', async (t) => {
  const name = await cluster.createDatabase();
  const front = await openFront(t, name);
  for (let i = 0; i < 3; i++) await front.update((data) => void data.a++);
  await cluster.query(name, `UPDATE collections SET revision = 1, data = '{"a":1,"b":0}'`);
  await t.rejects(
    front.update((data) => void data.a++),
    { code: 'STORAGE_FAILED', message: /went back from revision 3 to 1/ },
  );
  t.same(front.data, { a: 3, b: 0 });
});

void testWith(
  t,
  postgres,
  'a front that stands still in the middle of a change does not stop the others',
  async (t) => {
    const name = await cluster.createDatabase();
    const front = await openFront(t, name);
    const database = await openDatabase(cluster.address(name));
    t.teardown(() => database.close());
    let hasLocked: () => void;
    const locked = new Promise<void>((resolve) => (hasLocked = resolve));
    const stuck = database.transaction(async (query) => {
      await query('SELECT 1 FROM collections FOR UPDATE');
      hasLocked();
      await front.update((data) => void data.a++);
      await query('SELECT 1');
    });
    await locked;
    await t.rejects(stuck, { code: 'STORAGE_FAILED' });
    t.same(front.data, { a: 1, b: 0 });
  },
);
