// One suite over all Leases: who has one, when others get it, and which epoch they get it with.
import t, { type Test } from 'tap';
import { createMemoryLeases } from '../../../storage/memory-leases.js';
import { openDatabase } from '../../../storage/postgres/database.js';
import { openPostgresLeases } from '../../../storage/postgres/postgres-leases.js';
import type { Leases } from '../../../storage/types.js';
import { testWith } from '../../support/peers/index.js';
import { PostgresCluster, postgres } from '../../support/postgres.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const TTL_MS = 60_000;

interface World {
  /** Of two fronts, where the leases are for several. */
  readonly leases: readonly [Leases, Leases];
  /** The moment at which all that are held have run out comes. */
  runOut(): Promise<void>;
}

interface Kind {
  readonly name: string;
  test(title: string, run: (t: Test) => Promise<void>): void;
  makeWorld(t: Test): Promise<World>;
}

let cluster: Promise<PostgresCluster> | null = null;

const kinds: Kind[] = [
  {
    name: 'memory',
    test: (title, run) => void t.test(title, run),
    async makeWorld() {
      const clock = new VirtualClock();
      const leases = createMemoryLeases(clock);
      return { leases: [leases, leases], runOut: () => clock.advance(TTL_MS) };
    },
  },
  {
    name: 'postgres',
    test: (title, run) => void testWith(t, postgres, title, run),
    async makeWorld(t) {
      const postgres = await (cluster ??= PostgresCluster.start());
      const name = await postgres.createDatabase();
      const open = async (): Promise<Leases> => {
        const database = await openDatabase(postgres.address(name));
        t.teardown(() => database.close());
        return openPostgresLeases(database);
      };
      return {
        leases: [await open(), await open()],
        runOut: async () => void (await postgres.query(name, 'UPDATE leases SET until = now() WHERE until > now()')),
      };
    },
  },
];

for (const { name, test, makeWorld } of kinds) {
  const suite = (title: string, run: (t: Test, world: World) => Promise<void>) =>
    test(`${name}: ${title}`, async (t) => run(t, await makeWorld(t)));

  suite('one holder at a time, and each lease by itself', async (t, { leases: [one, other] }) => {
    t.match(await one.claim('feeds', 'a', TTL_MS), { epoch: 1, untilMs: Number });
    t.equal(await other.claim('feeds', 'b', TTL_MS), null);
    t.match(await other.claim('backup', 'b', TTL_MS), { epoch: 1 });
  });

  suite('of many that claim at once one gets it', async (t, { leases }) => {
    const claims = Array.from({ length: 40 }, (_, i) => leases[i % 2]!.claim('feeds', `holder ${i}`, TTL_MS));
    t.equal((await Promise.all(claims)).filter((lease) => lease !== null).length, 1);
  });

  suite('the holder claims again: the same epoch, and a new span', async (t, { leases: [one, other] }) => {
    const first = await one.claim('feeds', 'a', TTL_MS);
    const second = await one.claim('feeds', 'a', TTL_MS);
    t.equal(second?.epoch, 1);
    t.ok(second!.untilMs >= first!.untilMs);
    t.equal(await other.claim('feeds', 'b', TTL_MS), null);
  });

  suite('renewed by the holder of the epoch alone', async (t, { leases: [one, other] }) => {
    const lease = await one.claim('feeds', 'a', TTL_MS);
    const renewed = await one.renew('feeds', 'a', 1, TTL_MS);
    t.equal(renewed?.epoch, 1);
    t.ok(renewed!.untilMs >= lease!.untilMs);
    t.same(
      [
        await other.renew('feeds', 'b', 1, TTL_MS),
        await one.renew('feeds', 'a', 2, TTL_MS),
        await one.renew('backup', 'a', 1, TTL_MS),
      ],
      [null, null, null],
    );
  });

  suite(
    'one that has run out is claimed, by anybody, with a higher epoch',
    async (t, { leases: [one, other], runOut }) => {
      await one.claim('feeds', 'a', TTL_MS);
      await runOut();
      t.equal(await one.renew('feeds', 'a', 1, TTL_MS), null);
      t.match(await one.claim('feeds', 'a', TTL_MS), { epoch: 2 });
      await runOut();
      t.match(await other.claim('feeds', 'b', TTL_MS), { epoch: 3 });
      t.equal(await one.renew('feeds', 'a', 2, TTL_MS), null);
      t.equal(await one.claim('feeds', 'a', TTL_MS), null);
    },
  );

  suite('one that is released is free at once, and whoever waits is told', async (t, { leases: [one, other] }) => {
    const lease = await one.claim('feeds', 'a', TTL_MS);
    const told = new Promise<void>((resolve) => other.onReleased(resolve));
    await one.release('feeds', 'a', lease!.epoch);
    await told;
    t.equal(await one.renew('feeds', 'a', 1, TTL_MS), null);
    t.match(await other.claim('feeds', 'b', TTL_MS), { epoch: 2 });
  });

  suite('who does not hold it releases nothing', async (t, { leases: [one, other], runOut }) => {
    await one.claim('feeds', 'a', TTL_MS);
    await other.release('feeds', 'b', 1);
    await one.release('feeds', 'a', 2);
    await one.release('backup', 'a', 1);
    t.equal(await other.claim('feeds', 'b', TTL_MS), null);
    await runOut();
    await other.claim('feeds', 'b', TTL_MS);
    await one.release('feeds', 'a', 1);
    t.match(await other.renew('feeds', 'b', 2, TTL_MS), { epoch: 2 }, 'who had it before does not take it away');
  });
}
