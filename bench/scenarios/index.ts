// The scenarios by name, in the order in which they run.
import { blocklist } from './blocklist.js';
import { compatible } from './compatible.js';
import { connections } from './connections.js';
import { fleet } from './fleet.js';
import { hashing } from './hashing.js';
import { importing } from './import.js';
import { leech, leechRc4 } from './leech.js';
import { mixed } from './mixed.js';
import { neighbours } from './neighbours.js';
import { ownProcess } from './own-process.js';
import { passes } from './passes.js';
import { picker } from './picker.js';
import { protocol } from './protocol.js';
import { recheck } from './recheck.js';
import { scale } from './scale.js';
import type { Scenario } from './scenario.js';
import { seed, seedRc4 } from './seed.js';
import { splitter } from './splitter.js';
import { swarm } from './swarm.js';
import { tick } from './tick.js';
import { ui } from './ui.js';

export const SCENARIOS = {
  seed,
  leech,
  recheck,
  swarm,
  picker,
  splitter,
  hashing,
  protocol,
  tick,
  blocklist,
  passes,
  connections,
  mixed,
  neighbours,
  'seed-rc4': seedRc4,
  'leech-rc4': leechRc4,
  scale,
  compatible,
  import: importing,
  ui,
  fleet,
  'own-process': ownProcess,
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof SCENARIOS;
export const SCENARIO_NAMES = Object.keys(SCENARIOS) as ScenarioName[]; // the keys of the constant above
/** What runs when none is named. */
export const DEFAULT_SCENARIO_NAMES = SCENARIO_NAMES.filter((name) => !isOnRequest(SCENARIOS[name]));

function isOnRequest(scenario: Scenario): boolean {
  return scenario.isOnRequest === true;
}

export { runInterleaved, type MacroContext, type Scenario } from './scenario.js';
