// `npm run chaos:fleet -- [--rounds N] [--seed N] [--nodes N] [--longest-s N] [--whole-within-s N]`: prints a line for each
// round; exit 1 at the first violation, with the logs of all roles kept. In a network namespace that is nobody else's (`unshare --net`).
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MIB } from '../../support/peers/payload.js';
import { makeScratch } from '../../support/peers/scratch.js';
import { seconds } from './faults.js';
import { runFleetChaos } from './rounds.js';

const FLEET_BYTES = 300 * MIB;

const number = { type: 'string' } as const;
const options = { rounds: number, seed: number, nodes: number, 'longest-s': number, 'whole-within-s': number };
const { values } = parseArgs({ options });
const rounds = Number(values.rounds ?? 100);
const seed = Number(values.seed ?? Date.now() % 2 ** 32);
const nodes = Number(values.nodes ?? 3);
const longestStillMs = 1_000 * Number(values['longest-s'] ?? 30);
console.log(`fleet: ${rounds} rounds, --seed ${seed} --nodes ${nodes}`);
const scratch = await makeScratch('chaos-fleet', FLEET_BYTES);
const wholeWithinMs = 1_000 * Number(values['whole-within-s'] ?? 20);
const chaos = { rounds, seed, nodes, directory: scratch.path, longestStillMs, wholeWithinMs };
const { violation, acknowledged, writes, slowestMs } = await runFleetChaos(chaos, (line) => console.log(line));
console.log(`${acknowledged} changes acknowledged; ${writes} writes seen; whole after ${seconds(slowestMs)} at most`);
if (violation !== null) {
  const kept = mkdtempSync(join(tmpdir(), 'swarmd-chaos-fleet-'));
  cpSync(join(scratch.path, 'logs'), kept, { recursive: true });
  console.log(`VIOLATION, --seed ${seed}: ${violation}\nlogs: ${kept}`);
  process.exitCode = 1;
}
await scratch.remove();
