// Opening a database: its schema comes about once, a newer one is refused, and so is one that would not keep what it was told.
// No error shows a password.
import { inspect } from 'node:util';
import { Client } from 'pg';
import t from 'tap';
import { openDatabase } from '../../../storage/postgres/database.js';
import { migrate } from '../../../storage/postgres/migrations.js';
import { queryOn } from '../../../storage/postgres/query.js';
import { freePort } from '../../support/free-port.js';
import { testWith } from '../../support/peers/index.js';
import { PASSWORD, PostgresCluster, postgres } from '../../support/postgres.js';

let cluster: PostgresCluster;
if (postgres.isAvailable()) cluster = await PostgresCluster.start();

void testWith(t, postgres, 'several that start together bring the schema up to date once', async (t) => {
  const name = await cluster.createDatabase();
  const databases = await Promise.all(Array.from({ length: 5 }, () => openDatabase(cluster.address(name))));
  const applied = await cluster.query(name, 'SELECT number FROM schema_migrations ORDER BY number');
  t.same(
    applied.map(({ number }) => number),
    applied.map((_, i) => i + 1),
  );
  t.ok(applied.length > 0);
  for (const database of databases) await database.close();
});

void testWith(t, postgres, 'a migration that fails leaves nothing behind, and those before it stay', async (t) => {
  const name = await cluster.createDatabase();
  const steps = [['CREATE TABLE one ()'], ['CREATE TABLE two ()', 'CREATE TABLE one ()']];
  const apply = async (migrations: readonly (readonly string[])[]): Promise<void> => {
    const client = new Client({ connectionString: cluster.address(name) });
    await client.connect();
    await migrate(name, queryOn(name, client), migrations).finally(() => client.end());
  };
  await t.rejects(apply(steps), { code: 'STORAGE_FAILED', message: /"one" already exists/ });
  const tables = await cluster.query(
    name,
    `SELECT to_regclass('one') IS NOT NULL AS one, to_regclass('two') IS NOT NULL AS two`,
  );
  t.same(tables, [{ one: true, two: false }]);
  await apply([steps[0]!, ['CREATE TABLE two ()']]);
  t.same(await cluster.query(name, 'SELECT max(number) FROM schema_migrations'), [{ max: 2 }]);
});

void testWith(t, postgres, 'a newer schema is refused', async (t) => {
  const name = await cluster.createDatabase();
  await (await openDatabase(cluster.address(name))).close();
  await cluster.query(name, 'INSERT INTO schema_migrations VALUES (99, now())');
  await t.rejects(openDatabase(cluster.address(name)), {
    code: 'STORAGE_TOO_NEW',
    message: new RegExp(`PostgreSQL database ${name} at .* has version 99; this program knows up to \\d+$`),
  });
});

void testWith(t, postgres, 'a database that would not keep what it is told is refused', async (t) => {
  const name = await cluster.createDatabase();
  await cluster.query(name, `ALTER DATABASE ${name} SET synchronous_commit = off`);
  await t.rejects(openDatabase(cluster.address(name)), {
    code: 'STORAGE_FAILED',
    message: /synchronous_commit is off/,
  });
  await cluster.query('postgres', `CREATE DATABASE bytes ENCODING 'SQL_ASCII' TEMPLATE template0`);
  await t.rejects(openDatabase(cluster.address('bytes')), { code: 'STORAGE_FAILED', message: /encoding is not UTF8/ });
});

void testWith(t, postgres, 'no error shows a password', async (t) => {
  const right = cluster.address('postgres');
  const wrong = right.replace(PASSWORD, 'wrong-password');
  const port = await freePort();
  const addresses = [
    wrong,
    cluster.address('missing'),
    cluster.address('postgres', '/nowhere'),
    `postgres://me:${PASSWORD}@127.0.0.1:${port}/swarmd`,
    `postgres://me:${PASSWORD}@localhost:${port}/swarmd`,
    `postgres://me:${PASSWORD}@127.0.0.1:port/swarmd`,
    `mysql://me:${PASSWORD}@127.0.0.1/swarmd`,
    `host=127.0.0.1 password=${PASSWORD}`,
  ];
  for (const address of addresses) {
    const error: unknown = await openDatabase(address).catch((thrown: unknown) => thrown);
    const shown = inspect(error, { depth: 10, showHidden: true });
    t.match(error, { code: 'STORAGE_FAILED', message: /^storage: ./ }, shown);
    t.notMatch(shown, /correct-horse-battery|wrong-password/);
  }
  const database = await openDatabase(right);
  await cluster.stop();
  const error: unknown = await database.query('SELECT 1').catch((thrown: unknown) => thrown);
  t.notMatch(inspect(error, { depth: 10, showHidden: true }), /correct-horse-battery/);
  await database.close();
});
