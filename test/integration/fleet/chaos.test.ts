// The short run of chaos in a fleet: parts of it are killed or stand still while it is worked on, nothing that was acknowledged is
// lost, and it is whole again within a time. `npm run chaos:fleet` runs a hundred rounds.
import t from 'tap';
import { runFleetChaos, WHOLE_WITHIN_MS } from '../../chaos/fleet-rounds.js';
import { testWith } from '../../support/peers/index.js';
import { MIB } from '../../support/peers/payload.js';
import { makeScratch } from '../../support/peers/scratch.js';
import { postgres } from '../../support/postgres.js';

const ROUNDS = 6;
const SEED = 58;
const FLEET_BYTES = 300 * MIB;
const LONGEST_STILL_MS = 5_000;

t.setTimeout(600_000);

void testWith(t, postgres, `${ROUNDS} rounds, --seed ${SEED}`, async (t) => {
  const scratch = await makeScratch('chaos-fleet', FLEET_BYTES);
  t.teardown(() => scratch.remove());
  const options = { rounds: ROUNDS, seed: SEED, nodes: 2, directory: scratch.path, longestStillMs: LONGEST_STILL_MS };
  const { violation, rounds, acknowledged, slowestMs } = await runFleetChaos(options, (line) => t.comment(line));
  t.equal(violation, null);
  t.equal(rounds, ROUNDS);
  t.ok(acknowledged > 100, `${acknowledged} changes were acknowledged`);
  t.ok(slowestMs <= WHOLE_WITHIN_MS, `whole within ${slowestMs} ms`);
});
