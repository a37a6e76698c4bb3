// What befalls a fleet: one of its roles is killed and started again, or stands still for a while, roles are cut off from one another,
// or an engine is to be left and is used again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Role } from '../../../fleet/role.js';
import type { FleetNetwork } from '../../support/fleet-network.js';
import type { FleetUnderTest } from '../../support/fleet.js';
import type { SeededRandom } from '../../support/seeded-random.js';
import { pick } from '../attributes.js';
import { someCut } from './cuts.js';

const LONGEST_ABSENCE_MS = 3_000;
/** Longer than it takes for an engine to be lost, and for others to take its torrents. */
const LOST_MS = 28_000;
/** The same for one that is there: it is silent for a while before anybody takes it for away. */
const CUT_OFF_MS = 48_000;
const SHORTEST_STILL_MS = 2_000;

export interface Fault {
  /** As it is told: `SIGKILL engine-1`. */
  readonly name: string;
  /** Resolves when all is there again. */
  befall(): Promise<void>;
}

export interface Scene {
  readonly fleet: FleetUnderTest;
  readonly network: FleetNetwork;
  readonly random: SeededRandom;
  /** For which a role stands still, or is cut off, at most. */
  readonly longestStillMs: number;
}

export function someFault(scene: Scene): Fault {
  const kind = pick(scene.random, [ofRole, ofRole, ofRole, cutOff, cutOff, cutOff, drained]);
  return kind(scene);
}

function ofRole({ fleet, random, longestStillMs }: Scene): Fault {
  const leading = fleet.fronts.filter(({ name }) => fleet.leading.has(name));
  const others = fleet.fronts.filter((front) => !leading.includes(front));
  const kinds = [leading, others, fleet.engines, [fleet.postgres]].filter(({ length }) => length > 0);
  const role: Role = pick(random, pick(random, kinds));
  const called = leading.some((front) => front === role) ? `${role.name}, which leads` : role.name;
  const isEngine = fleet.engines.includes(role);
  if (isEngine && longestStillMs >= LOST_MS && random.below(3) === 0) {
    return { name: `SIGKILL ${called}, lost`, befall: () => killed(fleet, role, LOST_MS) };
  }
  if (random.below(2) === 0) {
    const absentMs = random.below(LONGEST_ABSENCE_MS);
    return { name: `SIGKILL ${called}, ${seconds(absentMs)}`, befall: () => killed(fleet, role, absentMs) };
  }
  const stillMs = stillFor(random, longestStillMs);
  return { name: `SIGSTOP ${called}, ${seconds(stillMs)}`, befall: () => still(role, stillMs) };
}

function cutOff({ fleet, network, random, longestStillMs }: Scene): Fault {
  const cut = someCut(fleet, network, random);
  const isLost = cut.isOfEngine && longestStillMs >= LOST_MS && random.below(2) === 0;
  const cutMs = isLost ? CUT_OFF_MS : stillFor(random, longestStillMs);
  return {
    name: `cut ${cut.name}, ${isLost ? 'lost' : seconds(cutMs)}`,
    async befall() {
      cut.begin();
      await sleep(cutMs);
      cut.end();
    },
  };
}

/** Its torrents on the shared root go to others while it is worked on, all of them or as many as there is time for. */
function drained({ fleet, random, longestStillMs }: Scene): Fault {
  const { name } = pick(random, fleet.engines);
  const [front, forMs] = [random.below(fleet.fronts.length), stillFor(random, longestStillMs)];
  return {
    name: `drained ${name}, ${seconds(forMs)}`,
    async befall() {
      await fleet.drain(front, name, true);
      await sleep(forMs);
      await fleet.drain(front, name, false);
    },
  };
}

function stillFor(random: SeededRandom, longestMs: number): number {
  return SHORTEST_STILL_MS + random.below(longestMs - SHORTEST_STILL_MS);
}

async function killed(fleet: FleetUnderTest, role: Role, absentMs: number): Promise<void> {
  await fleet.killRole(role);
  await sleep(absentMs);
  await role.start();
}

async function still(role: Role, stillMs: number): Promise<void> {
  role.suspend();
  await sleep(stillMs);
  role.resume();
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
