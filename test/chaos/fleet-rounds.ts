// Rounds of chaos in a fleet: while it is worked on, one of its roles is killed or stands still, and is there again. Then the fleet
// has to be whole within a time, and what both fronts show has to be what was promised. The first violation ends it.
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineDto } from '../../shared-protocol/dto/engines.js';
import type { CategoryDto } from '../../shared-protocol/dto/labels.js';
import type { TorrentDto } from '../../shared-protocol/dto/torrents.js';
import { FleetUnderTest } from '../support/fleet.js';
import { SeededRandom } from '../support/seeded-random.js';
import { LISTED_ATTRIBUTES, makeReferences } from './attributes.js';
import { seconds, someFault } from './fleet-faults.js';
import { FleetModel, LISTED_NAMES, type View } from './fleet-model.js';
import { Workload } from './fleet-workload.js';

const FRONTS = 2;
export const WHOLE_WITHIN_MS = 20_000;
/** Beyond that a fleet that is late is told from one that has lost something. */
const GIVE_UP_MS = 90_000;
const LOOK_MS = 100;
const LONGEST_BEFORE_MS = 1_500;
const LONGEST_AFTER_MS = 500;
/** Categories that attributes of torrents refer to. */
const PRESET = /^preset /;

export interface FleetChaosOptions {
  readonly rounds: number;
  readonly seed: number;
  /** An empty directory. */
  readonly directory: string;
  readonly nodes: number;
  readonly longestStillMs: number;
}

export interface FleetChaosReport {
  readonly rounds: number;
  readonly acknowledged: number;
  readonly slowestMs: number;
  /** null: none. */
  readonly violation: string | null;
}

/** `onRound` is told a line for each. */
export async function runFleetChaos(
  { rounds, seed, directory, nodes, longestStillMs }: FleetChaosOptions,
  onRound: (line: string) => void,
): Promise<FleetChaosReport> {
  // Apart, so that the same befalls the fleet again, however far the workload comes meanwhile.
  const [random, workloads] = [new SeededRandom(seed), new SeededRandom(~seed)];
  const model = new FleetModel();
  const fleet = await FleetUnderTest.start(directory, nodes, FRONTS);
  const workload = new Workload(fleet, model, workloads);
  const report = (round: number, slowestMs: number, violation: string | null): FleetChaosReport => {
    return { rounds: round, acknowledged: workload.acknowledged, slowestMs, violation };
  };
  try {
    await makeReferences(fleet.admin(0));
    await wholeAfter(fleet, model, performance.now());
    let slowestMs = 0;
    for (let round = 1; round <= rounds; round++) {
      const before = workload.acknowledged;
      workload.start();
      await sleep(random.below(LONGEST_BEFORE_MS));
      const fault = someFault(fleet, random, longestStillMs);
      await fault.befall();
      const healedAtMs = performance.now();
      await sleep(random.below(LONGEST_AFTER_MS));
      await workload.stop();
      const { inDoubt } = model;
      const { tookMs, late, amiss } = await wholeAfter(fleet, model, healedAtMs);
      slowestMs = Math.max(slowestMs, tookMs);
      const changes = `${workload.acknowledged - before} acknowledged, ${inDoubt} in doubt`;
      const outcome = `${amiss.length > 0 ? 'never whole, given up' : 'whole'} after ${seconds(tookMs)}`;
      onRound(`round ${round}: ${fault.name}; ${outcome}; ${changes}`);
      const violations = [
        ...fleet.died.map((told) => `ended by itself: ${told}`),
        ...late.map((line) => `${seconds(WHOLE_WITHIN_MS)} after it was healed: ${line}`),
        ...amiss.map((line) => `in the end: ${line}`),
      ];
      if (violations.length > 0) {
        return report(round, slowestMs, [`round ${round}: ${fault.name}; ${outcome}`, ...violations].join('\n'));
      }
    }
    return report(rounds, slowestMs, null);
  } finally {
    await fleet.kill();
  }
}

/** `late`: what was amiss when it should have been whole; `amiss`: what was when it was given up. */
async function wholeAfter(fleet: FleetUnderTest, model: FleetModel, healedAtMs: number) {
  let late: readonly string[] = [];
  for (;;) {
    const { views, amiss } = await lookAt(fleet, model);
    const tookMs = performance.now() - healedAtMs;
    const [view] = views;
    if (view && amiss.length === 0) model.learn(view);
    if (tookMs > WHOLE_WITHIN_MS && late.length === 0) late = amiss;
    if (amiss.length === 0 || tookMs > GIVE_UP_MS) return { tookMs, late, amiss };
    await sleep(LOOK_MS);
  }
}

/** `amiss`: nothing where the fleet is whole. */
async function lookAt(fleet: FleetUnderTest, model: FleetModel) {
  const amiss: string[] = [];
  const views: View[] = [];
  for (const [front, { name }] of fleet.fronts.entries()) {
    try {
      const { json: engines } = await fleet.admin(front).api<EngineDto[]>('GET', '/api/engines');
      const away = engines.filter(({ away_since }) => away_since !== null);
      amiss.push(...away.map((engine) => `${name}: ${engine.name} is away: ${engine.reason}`));
      const view = await viewOf(fleet, front);
      amiss.push(...model.differences(view).map((line) => `${name}: ${line}`));
      views.push(view);
    } catch (error) {
      amiss.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const [first, ...others] = views.map(textOf);
  if (others.some((text) => text !== first)) amiss.push('the fronts show different things');
  amiss.push(...fleet.ofSeveralEngines().map((id) => `${id}: it is more than one engine's`));
  if (fleet.leading.size !== 1) amiss.push(`${[...fleet.leading].join(' and ') || 'no front'} leads`);
  return { views, amiss };
}

async function viewOf(fleet: FleetUnderTest, front: number): Promise<View> {
  const torrents: TorrentDto[][] = [];
  for (const account of fleet.engines.keys()) {
    torrents.push((await fleet.account(account, front).api<TorrentDto[]>('GET', '/api/torrents')).json);
  }
  const { json } = await fleet.admin(front).api<CategoryDto[]>('GET', '/api/categories');
  return { torrents, categories: json.filter(({ name }) => !PRESET.test(name)) };
}

/** What both fronts have to show alike. */
function textOf({ torrents, categories }: View): string {
  const seen = torrents.map((list) =>
    list
      .map((torrent) => [torrent.id, ...LISTED_NAMES.map((name) => LISTED_ATTRIBUTES[name].seen(torrent))].join(' '))
      .sort(),
  );
  return JSON.stringify([seen, categories.map(({ id, name }) => `${id} ${name}`).sort()]);
}
