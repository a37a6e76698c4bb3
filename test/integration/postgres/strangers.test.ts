// Other roles of the database, and what others have made of it: forged notifications, a role that may only read, a search path that
// leads elsewhere, a schema that is older; and records that are large.
import t, { type Test } from 'tap';
import { Client } from 'pg';
import type { CollectionShape } from '../../../storage/collection-shape.js';
import { openDatabase, type Database } from '../../../storage/postgres/database.js';
import { openPostgresCollection } from '../../../storage/postgres/postgres-collection.js';
import { openPostgresLeases } from '../../../storage/postgres/postgres-leases.js';
import type { Query } from '../../../storage/postgres/query.js';
import { nextChange } from '../../support/next-change.js';
import { testWith } from '../../support/peers/index.js';
import { PASSWORD, PostgresCluster, postgres } from '../../support/postgres.js';

interface Texts {
  texts: string[];
}

const SHAPE: CollectionShape<Texts> = {
  version: 1,
  defaults: { texts: [] },
  migrate: (data) => data,
  validate: (data) => data as Texts,
};
const FORGED = 20_000;
const MIB = 2 ** 20;

let cluster: PostgresCluster;
if (postgres.isAvailable()) {
  cluster = await PostgresCluster.start();
  for (const role of ['swarmd', 'stranger']) {
    await cluster.query('postgres', `CREATE ROLE ${role} LOGIN PASSWORD '${PASSWORD}'`);
  }
}

/** A database of the role `swarmd`, as the documents have it made. */
async function ownDatabase(): Promise<string> {
  const name = await cluster.createDatabase();
  await cluster.query('postgres', `ALTER DATABASE ${name} OWNER TO swarmd`);
  return name;
}

const addressOf = (name: string, role: string) => cluster.address(name).replace('//postgres:', `//${role}:`);

async function open(t: Test, name: string, role = 'swarmd'): Promise<Database> {
  const database = await openDatabase(addressOf(name, role));
  t.teardown(() => database.close());
  return database;
}

/** Counts the queries that do not come from a transaction. */
function countQueries(database: Database): () => number {
  let queries = 0;
  const ask = database.query;
  const query: Query = (text, values) => {
    queries++;
    return ask(text, values);
  };
  Object.assign(database, { query });
  return () => queries;
}

void testWith(t, postgres, 'another role forges notifications, and can do nothing else', async (t) => {
  const name = await ownDatabase();
  const [database, other] = [await open(t, name), await open(t, name)];
  const queries = countQueries(database);
  const collection = await openPostgresCollection(database, 'texts', SHAPE);
  const beside = await openPostgresCollection(other, 'texts', SHAPE);
  const leases = openPostgresLeases(database);
  let released = 0;
  leases.onReleased(() => void released++);
  let told = 0;
  collection.onChanged(() => void told++);
  const listening = `SELECT pid FROM pg_stat_activity WHERE datname = '${name}' AND query LIKE 'LISTEN%' ORDER BY pid`;
  const listeners = await cluster.query(name, listening);

  const stranger = new Client({ connectionString: addressOf(name, 'stranger') });
  await stranger.connect();
  t.teardown(() => stranger.end());
  for (const text of [
    'SELECT data FROM collections',
    `UPDATE collections SET data = '{}'`,
    'DELETE FROM leases',
    'DROP TABLE collections',
    'CREATE TABLE public.feed_items_2 ()',
  ]) {
    await t.rejects(stranger.query(text), { message: /permission denied|must be owner/ }, text);
  }
  const before = queries();
  const rubbish = ['', ' ', 'texts', 'texts ', 'texts NaN', 'texts -1', 'texts 1e400', '\u2028 🎬', 'x'.repeat(7_999)];
  for (const channel of ['swarmd_collections', 'swarmd_leases']) {
    for (const payload of rubbish) await stranger.query('SELECT pg_notify($1, $2)', [channel, payload]);
    const forged = `SELECT pg_notify($1, 'texts ' || n) FROM generate_series(1000000, ${1_000_000 + FORGED - 1}) AS n`;
    await stranger.query(forged, [channel]);
  }
  // Notifications come in the order of the commits: the forged ones have been heard by then.
  const seen = nextChange(collection);
  await beside.update((data) => void data.texts.push('from beside'));
  await seen;
  t.same(collection.data, { texts: ['from beside'] });
  t.equal(told, 1, 'what was forged is no change');
  t.ok(queries() - before < FORGED / 10, `looks are put together: ${queries() - before}`);
  t.equal(released, rubbish.length + FORGED);
  t.equal((await leases.claim('front', 'me', 10_000))?.epoch, 1);
  t.equal(await leases.claim('front', 'you', 10_000), null, 'a lease that is said to be released is held');
  t.same(await cluster.query(name, listening), listeners, 'no connection was lost');
});

void testWith(t, postgres, 'a role that may only read does not begin', async (t) => {
  const name = await ownDatabase();
  await t.rejects(open(t, name, 'stranger'), {
    code: 'STORAGE_FAILED',
    message: new RegExp(`PostgreSQL database ${name} at .*: permission denied for schema public$`),
  });
  await open(t, name);
  await cluster.query(name, 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO stranger');
  const denied = { code: 'STORAGE_FAILED', message: new RegExp(`database ${name} .*: permission denied for table`) };
  const reading = await open(t, name, 'stranger');
  await t.rejects(openPostgresCollection(reading, 'texts', SHAPE), denied);
  await t.rejects(openPostgresLeases(reading).claim('front', 'me', 1_000), denied);
  t.same(await cluster.query(name, 'SELECT name FROM collections'), []);
});

void testWith(t, postgres, 'a standby, or a role that is set to read only, refuses each change in words', async (t) => {
  const name = await ownDatabase();
  const before = await openPostgresCollection(await open(t, name), 'texts', SHAPE);
  await before.update((data) => void data.texts.push('kept'));
  await cluster.query(name, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await t.rejects(openPostgresCollection(await open(t, name), 'texts', SHAPE), {
    code: 'STORAGE_FAILED',
    message: /cannot execute INSERT in a read-only transaction$/,
  });
  t.same(before.data, { texts: ['kept'] });
});

void testWith(t, postgres, 'a search path that leads elsewhere leads to no records of another schema', async (t) => {
  const name = await ownDatabase();
  const first = await openPostgresCollection(await open(t, name), 'texts', SHAPE);
  await first.update((data) => void data.texts.push('in public'));
  await cluster.query(name, `ALTER DATABASE ${name} SET search_path = nowhere`);
  await t.rejects(open(t, name), { code: 'STORAGE_FAILED', message: /no schema has been selected to create in$/ });
  await cluster.query(name, 'CREATE SCHEMA elsewhere AUTHORIZATION swarmd');
  await cluster.query(name, `ALTER DATABASE ${name} SET search_path = elsewhere`);
  const other = await openPostgresCollection(await open(t, name), 'texts', SHAPE);
  t.same(other.data, { texts: [] });
  await other.update((data) => void data.texts.push('elsewhere'));
  await other.update((data) => void data.texts.push('and again'));
  // Both have been told of the changes of the other, as channels are those of the whole database.
  await first.update((data) => void data.texts.push('once more'));
  await first.refresh();
  t.same([first.data, other.data], [{ texts: ['in public', 'once more'] }, { texts: ['elsewhere', 'and again'] }]);
});

void testWith(
  t,
  postgres,
  'an older schema is brought up to date, with the records and beside its front',
  async (t) => {
    const name = await ownDatabase();
    const old = await openPostgresCollection(await open(t, name), 'texts', SHAPE);
    await old.update((data) => void data.texts.push('of before'));
    await cluster.query(name, 'DROP TABLE leases, feed_polls, feed_counts, feed_items');
    await cluster.query(name, 'DELETE FROM schema_migrations WHERE number > 1');
    const database = await open(t, name);
    const collection = await openPostgresCollection(database, 'texts', SHAPE);
    t.same(collection.data, { texts: ['of before'] });
    t.ok(await openPostgresLeases(database).claim('front', 'me', 1_000));
    await database.query('SELECT 1 FROM feed_items');
    const seen = nextChange(old);
    await collection.update((data) => void data.texts.push('of now'));
    await seen;
    t.same(old.data, { texts: ['of before', 'of now'] });
  },
);

void testWith(t, postgres, '10 MiB of texts, of whatever characters, are stored and seen by others', async (t) => {
  const name = await ownDatabase();
  const one = await openPostgresCollection(await open(t, name), 'texts', SHAPE);
  const other = await openPostgresCollection(await open(t, name), 'texts', SHAPE);
  const texts = ['\0'.repeat(MIB), '\ud800'.repeat(MIB / 4), `${'é'.repeat(4 * MIB)}\udc00`, '🎬'.repeat(MIB)];
  const seen = nextChange(other);
  await one.update((data) => void (data.texts = texts));
  await seen;
  t.ok(texts.every((text, i) => one.data.texts[i] === text && other.data.texts[i] === text));
  const [row] = await cluster.query(name, 'SELECT octet_length(data::text) AS bytes FROM collections');
  t.ok(Number(row?.['bytes']) > 10 * MIB);
});
