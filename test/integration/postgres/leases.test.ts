// Leases in PostgreSQL in real time: a holder's deadline comes before others have the lease, whatever the network does; they
// outlast the database's restart.
import t, { type Test } from 'tap';
import { systemClock, type Clock } from '../../../shared-protocol/clock.js';
import { DEFAULT_DATABASE_OPTIONS, openDatabase } from '../../../storage/postgres/database.js';
import { openPostgresLeases } from '../../../storage/postgres/postgres-leases.js';
import type { Lease, Leases } from '../../../storage/types.js';
import { testWith } from '../../support/peers/index.js';
import { PostgresCluster, postgres } from '../../support/postgres.js';
import { SeededRandom } from '../../support/seeded-random.js';

const LONG_MS = 600_000;
const SHORT_MS = 20;
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_102);
const CLAIMS = 60;

let cluster: PostgresCluster;
if (postgres.isAvailable()) cluster = await PostgresCluster.start();

async function openLeases(t: Test, name: string, clock: Clock = systemClock): Promise<Leases> {
  const database = await openDatabase(cluster.address(name), { ...DEFAULT_DATABASE_OPTIONS, clock });
  t.teardown(() => database.close());
  return openPostgresLeases(database);
}

async function claimed(leases: Leases, holder: string, ttlMs: number): Promise<Lease> {
  for (;;) {
    const lease = await leases.claim('feeds', holder, ttlMs);
    if (lease) return lease;
  }
}

void testWith(t, postgres, 'a deadline counts from before the database was asked', async (t) => {
  let nowMs = 0;
  const clock = { ...systemClock, nowMs: () => (nowMs += 1_000) };
  const leases = await openLeases(t, await cluster.createDatabase(), clock);
  t.same(await leases.claim('feeds', 'a', LONG_MS), { epoch: 1, untilMs: 1_000 + LONG_MS });
  t.same(await leases.renew('feeds', 'a', 1, LONG_MS), { epoch: 1, untilMs: 2_000 + LONG_MS });
});

void testWith(t, postgres, `no two have it at once, seed ${SEED}`, async (t) => {
  const name = await cluster.createDatabase();
  /** From the first answer of an epoch to the end of its last span. */
  const spans: { holder: string; epoch: number; fromMs: number; untilMs: number }[] = [];
  const hold = async (holder: string, leases: Leases, random: SeededRandom): Promise<void> => {
    while (spans.length < CLAIMS) {
      const { epoch, untilMs } = await claimed(leases, holder, SHORT_MS);
      const fromMs = systemClock.nowMs();
      const present = spans.find((span) => span.holder === holder && span.epoch === epoch);
      const span = present ?? { holder, epoch, fromMs, untilMs };
      if (!present) spans.push(span);
      span.untilMs = untilMs;
      const choice = random.below(3);
      const renewed = choice === 0 ? await leases.renew('feeds', holder, epoch, SHORT_MS) : null;
      if (renewed) span.untilMs = renewed.untilMs;
      if (choice === 1) {
        span.untilMs = Math.min(span.untilMs, systemClock.nowMs());
        await leases.release('feeds', holder, epoch);
      }
    }
  };
  const holders = await Promise.all(
    ['a', 'b', 'c'].map(async (holder) => [holder, await openLeases(t, name)] as const),
  );
  await Promise.all(holders.map(([holder, leases], i) => hold(holder, leases, new SeededRandom(SEED + i))));
  for (const [i, span] of spans.entries()) {
    const others = spans.filter(({ holder }) => holder !== span.holder);
    const overlapping = others.find(({ fromMs, untilMs }) => fromMs < span.untilMs && span.fromMs < untilMs);
    if (overlapping) t.fail(`${JSON.stringify(span)} and ${JSON.stringify(overlapping)}`);
    const sameEpoch = others.find(({ epoch }) => epoch === span.epoch);
    if (sameEpoch) t.fail(`claim ${i}: epoch ${span.epoch} was given to two`);
  }
  t.ok(new Set(spans.map(({ holder }) => holder)).size > 1, `${spans.length} claims`);
});

void testWith(t, postgres, 'a lease outlasts the database, its epoch as well', async (t) => {
  const name = await cluster.createDatabase();
  const [one, other] = [await openLeases(t, name), await openLeases(t, name)];
  const lease = await one.claim('feeds', 'a', LONG_MS);
  for (const end of ['stop', 'kill'] as const) {
    await cluster[end]();
    await t.rejects(one.renew('feeds', 'a', 1, LONG_MS), { code: 'STORAGE_FAILED' });
    await cluster.start();
    t.equal(await other.claim('feeds', 'b', LONG_MS), null);
    t.match(await one.renew('feeds', 'a', 1, LONG_MS), { epoch: lease?.epoch });
  }
  await one.release('feeds', 'a', 1);
  await cluster.kill();
  await cluster.start();
  t.match(await other.claim('feeds', 'b', LONG_MS), { epoch: 2 });
});

void testWith(t, postgres, 'who waits is told when the listening connection was lost', async (t) => {
  const name = await cluster.createDatabase();
  const [one, other] = [await openLeases(t, name), await openLeases(t, name)];
  const lease = await one.claim('feeds', 'a', LONG_MS);
  await cluster.query('postgres', `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`);
  const told = new Promise<void>((resolve) => other.onReleased(resolve));
  await one.release('feeds', 'a', lease!.epoch);
  await told;
  t.match(await other.claim('feeds', 'b', LONG_MS), { epoch: 2 });
});
