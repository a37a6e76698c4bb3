// What time it is for all fronts: the database says it, whatever the machines of the fronts say.
import t from 'tap';
import { DEFAULT_DATABASE_OPTIONS, openDatabase } from '../../../storage/postgres/database.js';
import { testWith } from '../../support/peers/index.js';
import { PostgresCluster, postgres } from '../../support/postgres.js';

const YEAR_MS = 365.25 * 86_400_000;

let cluster: PostgresCluster;
if (postgres.isAvailable()) cluster = await PostgresCluster.start();

/** Sets the clock of a database ahead. */
async function setClock(name: string, years: number): Promise<void> {
  await cluster.query(
    name,
    `CREATE OR REPLACE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
       $$ SELECT pg_catalog.clock_timestamp() + interval '${years} years' $$`,
  );
  await cluster.query(name, `ALTER DATABASE ${name} SET search_path = public, pg_catalog`);
}

void testWith(t, postgres, 'fronts go by the clock of the database, also when it is set', async (t) => {
  const name = await cluster.createDatabase();
  await setClock(name, 10);
  const database = await openDatabase(cluster.address(name), { ...DEFAULT_DATABASE_OPTIONS, keepAliveMs: 50 });
  t.teardown(() => database.close());
  const { databaseClock } = database.changes;
  const yearsAhead = (): number => Math.round((databaseClock.unixMs() - Date.now()) / YEAR_MS);
  t.equal(yearsAhead(), 10);
  await setClock(name, 20);
  while (yearsAhead() !== 20) await cluster.query(name, 'SELECT 1');
});
