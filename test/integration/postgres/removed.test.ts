// What one front has removed is gone at the others, whatever they had open.
import t from 'tap';
import type { CollectionShape } from '../../../storage/collection-shape.js';
import { openDatabase } from '../../../storage/postgres/database.js';
import { PostgresStateStore } from '../../../storage/postgres/postgres-state-store.js';
import { nextChange } from '../../support/next-change.js';
import { testWith } from '../../support/peers/index.js';
import { PostgresCluster, postgres } from '../../support/postgres.js';

const SHAPE: CollectionShape<string[]> = {
  version: 1,
  defaults: [],
  migrate: (data) => data,
  validate: (data) => data as string[],
};
const NAME = 'preferences/7';

void testWith(t, postgres, 'another front is shown the defaults, and changes these', async (t) => {
  const cluster = await PostgresCluster.start();
  const name = await cluster.createDatabase();
  const openFront = async () => {
    const database = await openDatabase(cluster.address(name));
    t.teardown(() => database.close());
    return new PostgresStateStore(database);
  };
  const [one, other] = [await openFront(), await openFront()];
  await (await one.open(NAME, SHAPE)).update((data) => void data.push('a secret'));
  const shown = await other.open(NAME, SHAPE);
  t.same(shown.data, ['a secret']);

  const told = nextChange(shown);
  await one.remove(NAME);
  await told;
  t.equal(shown.data, SHAPE.defaults);
  const [row] = await cluster.query(name, 'SELECT data, revision::int FROM collections');
  t.same(row, { data: null, revision: 2 });

  await shown.update((data) => void data.push('new'));
  const fresh = await openFront();
  await fresh.remove(NAME);
  // Before it has heard of the removal, or after.
  await shown.update((data) => void data.push('newer'));
  t.same(shown.data, ['newer']);
  t.same((await (await openFront()).open(NAME, SHAPE)).data, ['newer']);
});
