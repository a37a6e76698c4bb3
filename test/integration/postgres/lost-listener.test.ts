// The connection that listens is lost, is told nothing of that, or comes back to a database that was started anew: what was
// changed meanwhile is seen all the same.
import t, { type Test } from 'tap';
import { DEFAULT_DATABASE_OPTIONS, openDatabase } from '../../../storage/postgres/database.js';
import { openPostgresCollection } from '../../../storage/postgres/postgres-collection.js';
import type { Collection } from '../../../storage/types.js';
import { nextChange } from '../../support/next-change.js';
import { testWith } from '../../support/peers/index.js';
import { PostgresCluster, postgres } from '../../support/postgres.js';
import { PostgresRelay } from '../../support/postgres-relay.js';

interface Count {
  count: number;
}

const KEEP_ALIVE_MS = 100;
const LISTENERS = `FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query LIKE '%clock_timestamp%unix_ms'`;

let cluster: PostgresCluster;
if (postgres.isAvailable()) cluster = await PostgresCluster.start();

async function openFront(t: Test, address: string, options = DEFAULT_DATABASE_OPTIONS): Promise<Collection<Count>> {
  const database = await openDatabase(address, options);
  t.teardown(() => database.close());
  return openPostgresCollection(database, 'count', {
    version: 1,
    defaults: { count: 0 },
    migrate: (data) => data,
    validate: (data) => data as Count,
  });
}

const increment = (data: Count): void => void data.count++;

void testWith(t, postgres, 'all listening connections are terminated', async (t) => {
  const name = await cluster.createDatabase();
  const [one, other] = [await openFront(t, cluster.address(name)), await openFront(t, cluster.address(name))];
  for (let round = 1; round <= 3; round++) {
    const ended = await cluster.query('postgres', `SELECT pg_terminate_backend(pid) ${LISTENERS}`);
    t.ok(ended.length >= (round === 1 ? 2 : 0), 'those that have not come back yet are not among them');
    const seen = nextChange(other);
    await one.update(increment);
    await seen;
    t.same(other.data, { count: round });
  }
});

void testWith(t, postgres, 'a listening connection that is dead without a word', async (t) => {
  const name = await cluster.createDatabase();
  const relay = await PostgresRelay.start(cluster.directory);
  const options = { ...DEFAULT_DATABASE_OPTIONS, keepAliveMs: KEEP_ALIVE_MS };
  const front = await openFront(t, cluster.address(name, relay.directory), options);
  const other = await openFront(t, cluster.address(name));
  t.equal(relay.listening.size, 1);
  for (const socket of relay.listening) relay.silence(socket);
  const seen = nextChange(front);
  await other.update(increment);
  await seen;
  t.same(front.data, { count: 1 });
  t.ok(relay.listening.size > 1, 'on a new one');
});

void testWith(t, postgres, 'the database is started anew, in order and after a kill', async (t) => {
  const name = await cluster.createDatabase();
  const [one, other] = [await openFront(t, cluster.address(name)), await openFront(t, cluster.address(name))];
  for (const end of ['stop', 'kill'] as const) {
    const before = one.data.count;
    await cluster[end]();
    await t.rejects(one.update(increment), { code: 'STORAGE_FAILED' });
    t.same([one.data.count, other.data.count], [before, before], 'what was known is shown');
    await cluster.start();
    const seen = nextChange(other);
    await one.update(increment);
    await seen;
    t.equal(other.data.count, before + 1);
  }
});
