// The scenarios by name, in the order in which they run.
import { hashing } from './hashing.js';
import { leech } from './leech.js';
import { picker } from './picker.js';
import { protocol } from './protocol.js';
import { recheck } from './recheck.js';
import type { Scenario } from './scenario.js';
import { seed } from './seed.js';
import { splitter } from './splitter.js';
import { swarm } from './swarm.js';

export const SCENARIOS = {
  seed,
  leech,
  recheck,
  swarm,
  picker,
  splitter,
  hashing,
  protocol,
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof SCENARIOS;
export const SCENARIO_NAMES = Object.keys(SCENARIOS) as ScenarioName[]; // the keys of the constant above

export { runInterleaved, type MacroContext, type Scenario } from './scenario.js';
