// Rounds of chaos in a fleet: while it is worked on, one of its roles is killed or stands still, roles are cut off from one another, or
// an engine is left. Then the fleet has to be whole within a time, and what both fronts show has to be what was promised. The first
// violation ends it.
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { roleNames } from '../../../fleet/fleet.js';
import { FleetNetwork } from '../../support/fleet-network.js';
import { FleetUnderTest } from '../../support/fleet.js';
import { SeededRandom } from '../../support/seeded-random.js';
import { makeReferences } from '../attributes.js';
import { Downloads } from './downloads.js';
import { seconds, someFault, type Scene } from './faults.js';
import { lastLook } from './last-look.js';
import { wholeAfter } from './look.js';
import { FleetModel } from './model.js';
import { Workload } from './workload.js';
import { WriteGuard } from './write-guard.js';

const FRONTS = 2;
const LONGEST_BEFORE_MS = 1_500;
const LONGEST_AFTER_MS = 500;

export interface FleetChaosOptions {
  readonly rounds: number;
  readonly seed: number;
  /** An empty directory. */
  readonly directory: string;
  readonly nodes: number;
  readonly longestStillMs: number;
  /** How long it may take a fleet to be whole again. */
  readonly wholeWithinMs: number;
}

export interface FleetChaosReport {
  readonly acknowledged: number;
  /** Writes to files on the shared root, each by the engine whose the torrent was. */
  readonly writes: number;
  readonly slowestMs: number;
  /** null: none. */
  readonly violation: string | null;
}

interface Run extends Scene {
  readonly wholeWithinMs: number;
  readonly model: FleetModel;
  readonly workload: Workload;
  readonly guard: WriteGuard;
}

/** In a network namespace of this process alone. `onRound` is told a line for each. */
export async function runFleetChaos(
  options: FleetChaosOptions,
  onRound: (line: string) => void,
): Promise<FleetChaosReport> {
  const { rounds, seed, directory, nodes, longestStillMs, wholeWithinMs } = options;
  // Apart, so that the same befalls the fleet again, however far the workload comes meanwhile.
  const [random, workloads] = [new SeededRandom(seed), new SeededRandom(~seed)];
  const { engines, fronts } = roleNames(nodes, FRONTS);
  const network = new FleetNetwork(['postgres', ...engines, ...fronts]);
  await network.make();
  const fleet = await FleetUnderTest.start(directory, nodes, FRONTS, network);
  const model = new FleetModel();
  const downloads = await Downloads.start(network.here, network.range);
  const guard = await WriteGuard.start(fleet, model);
  const workload = new Workload(fleet, model, workloads, downloads);
  const run: Run = { fleet, network, random, longestStillMs, wholeWithinMs, model, workload, guard };
  let slowestMs = 0;
  const report = (violation: string | null): FleetChaosReport => {
    return { acknowledged: workload.acknowledged, writes: guard.judged, slowestMs, violation };
  };
  try {
    await makeReferences(fleet.admin(0));
    await wholeAfter(fleet, model, { atMs: performance.now(), withinMs: wholeWithinMs });
    for (let round = 1; round <= rounds; round++) {
      const { line, tookMs, violations } = await oneRound(run);
      slowestMs = Math.max(slowestMs, tookMs);
      onRound(`round ${round}: ${line}`);
      if (violations.length > 0) return report([`round ${round}: ${line}`, ...violations].join('\n'));
    }
    const amiss = await lastLook(fleet, model);
    return report(amiss.length > 0 ? amiss.join('\n') : null);
  } finally {
    await guard.stop();
    await fleet.kill();
    await downloads.close();
    await network.remove();
  }
}

async function oneRound(run: Run) {
  const { fleet, model, random, workload, guard, wholeWithinMs: withinMs } = run;
  const before = workload.acknowledged;
  guard.look();
  workload.start();
  await sleep(random.below(LONGEST_BEFORE_MS));
  const fault = someFault(run);
  await fault.befall();
  const atMs = performance.now();
  await sleep(random.below(LONGEST_AFTER_MS));
  await workload.stop();
  const { inDoubt } = model;
  const { tookMs, late, amiss } = await wholeAfter(fleet, model, { atMs, withinMs });
  const changes = `${workload.acknowledged - before} acknowledged, ${inDoubt} in doubt`;
  const outcome = `${amiss.length > 0 ? 'never whole, given up' : 'whole'} after ${seconds(tookMs)}`;
  const violations = [
    ...fleet.died.map((told) => `ended by itself: ${told}`),
    ...guard.violations,
    ...late.map((line) => `${seconds(withinMs)} after it was healed: ${line}`),
    ...amiss.map((line) => `in the end: ${line}`),
  ];
  return { line: `${fault.name}; ${outcome}; ${changes}`, tookMs, violations };
}
