// What befalls a fleet: one of its roles is killed and started again, or stands still for a while.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Role } from '../../fleet/role.js';
import type { FleetUnderTest } from '../support/fleet.js';
import type { SeededRandom } from '../support/seeded-random.js';
import { pick } from './attributes.js';

const LONGEST_ABSENCE_MS = 3_000;
/** Longer than it takes for an engine to be lost, and for others to take its torrents. */
const LOST_MS = 28_000;
const SHORTEST_STILL_MS = 2_000;

export interface Fault {
  readonly role: Role;
  /** As it is told: `SIGKILL engine-1`. */
  readonly name: string;
  /** Resolves when the role is there again. */
  befall(): Promise<void>;
}

/** `longestStillMs`: for which a role stands still at most. */
export function someFault(fleet: FleetUnderTest, random: SeededRandom, longestStillMs: number): Fault {
  const leading = fleet.fronts.filter(({ name }) => fleet.leading.has(name));
  const others = fleet.fronts.filter((front) => !leading.includes(front));
  const kinds = [leading, others, fleet.engines, [fleet.postgres]].filter(({ length }) => length > 0);
  const role: Role = pick(random, pick(random, kinds));
  const called = leading.some((front) => front === role) ? `${role.name}, which leads` : role.name;
  const isEngine = fleet.engines.includes(role);
  if (isEngine && longestStillMs >= LOST_MS && random.below(3) === 0) {
    return { role, name: `SIGKILL ${called}, lost`, befall: () => killed(fleet, role, LOST_MS) };
  }
  if (random.below(2) === 0) {
    const absentMs = random.below(LONGEST_ABSENCE_MS);
    return { role, name: `SIGKILL ${called}, ${seconds(absentMs)}`, befall: () => killed(fleet, role, absentMs) };
  }
  const stillMs = SHORTEST_STILL_MS + random.below(longestStillMs - SHORTEST_STILL_MS);
  return { role, name: `SIGSTOP ${called}, ${seconds(stillMs)}`, befall: () => still(role, stillMs) };
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
