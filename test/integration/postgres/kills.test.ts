// PostgreSQL is killed while two fronts change one collection, again and again: what was acknowledged is there once, what was
// refused is not, and no change is there in part.
import t from 'tap';
import { AppError } from '../../../shared-protocol/errors.js';
import { openDatabase } from '../../../storage/postgres/database.js';
import { openPostgresCollection } from '../../../storage/postgres/postgres-collection.js';
import type { Collection } from '../../../storage/types.js';
import { nextChange } from '../../support/next-change.js';
import { testWith } from '../../support/peers/index.js';
import { PostgresCluster, postgres } from '../../support/postgres.js';
import { SeededRandom } from '../../support/seeded-random.js';

const ROUNDS = 8;
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_260_101);
/** Changes of a round before the kill, and turns of the event loop from the last of them to it. */
const MOST_CHANGES = 60;
const MOST_TURNS = 12;

interface Names {
  names: string[];
  /** Changed with the list, so that half of a change would be seen. */
  count: number;
}

class Front {
  readonly acknowledged: string[] = [];
  readonly refused: string[] = [];
  isStopped = false;

  constructor(
    private readonly letter: string,
    readonly collection: Collection<Names>,
    private readonly onAcknowledged: () => void,
  ) {}

  async run(): Promise<void> {
    this.isStopped = false;
    while (!this.isStopped) await this.change();
  }

  async change(): Promise<void> {
    const name = `${this.letter}${this.acknowledged.length + this.refused.length}`;
    try {
      await this.collection.update((data) => {
        data.names.push(name);
        data.count++;
      });
      this.acknowledged.push(name);
      this.onAcknowledged();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'STORAGE_FAILED' || error.data?.['outcome']) throw error;
      this.refused.push(name);
    }
  }
}

void testWith(t, postgres, `${ROUNDS} kills, seed ${SEED}`, async (t) => {
  const random = new SeededRandom(SEED);
  const cluster = await PostgresCluster.start();
  const address = cluster.address(await cluster.createDatabase());
  let left = 0;
  let kill: () => void = () => undefined;
  const onAcknowledged = (): void => {
    if (--left === 0) kill();
  };
  const fronts: Front[] = [];
  for (const letter of ['a', 'b']) {
    const database = await openDatabase(address);
    t.teardown(() => database.close());
    const collection = await openPostgresCollection<Names>(database, 'names', {
      version: 1,
      defaults: { names: [], count: 0 },
      migrate: (data) => data,
      validate: (data) => data as Names,
    });
    fronts.push(new Front(letter, collection, onAcknowledged));
  }

  for (let round = 1; round <= ROUNDS; round++) {
    left = 1 + random.below(MOST_CHANGES);
    const turns = random.below(MOST_TURNS);
    const killed = new Promise<void>((resolve) => (kill = resolve)).then(async () => {
      for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
      for (const front of fronts) front.isStopped = true;
      await cluster.kill();
      await cluster.start();
    });
    await Promise.all([killed, ...fronts.map((front) => front.run())]);
    for (const front of fronts) await front.change();

    const [a, b] = fronts.map(({ collection }) => collection) as [Collection<Names>, Collection<Names>];
    while (a.data.count < b.data.count) await nextChange(a);
    t.same(a.data, b.data, `round ${round}: both see the same`);
    t.equal(a.data.count, a.data.names.length, 'nothing half');
    t.same(
      [...a.data.names].sort(),
      fronts.flatMap((front) => front.acknowledged).sort(),
      'acknowledged, and no other',
    );
  }
  const refused = fronts.reduce((sum, front) => sum + front.refused.length, 0);
  t.comment(`${fronts.reduce((sum, front) => sum + front.acknowledged.length, 0)} acknowledged, ${refused} refused`);
});
