// `npm run chaos:moves -- [--rounds N] [--seed N]`: prints the table; exit 1 when anything was lost, double or harmed.
import { parseArgs } from 'node:util';
import { renderMoveKills, runMoveKills } from './move-kills.js';

const { values } = parseArgs({ options: { rounds: { type: 'string' }, seed: { type: 'string' } } });
const rounds = Number(values.rounds ?? 200);
const seed = Number(values.seed ?? Date.now() % 2 ** 32);
console.log(`moves: ${rounds} rounds, --seed ${seed}`);
const report = await runMoveKills({ rounds, seed }, (round) => {
  if (round % 10 === 0) console.log(`round ${round}`);
});
console.log(renderMoveKills(report));
const { lost, double, falseClaims, strangersHarmed, failed } = report;
process.exitCode = [lost, double, falseClaims, strangersHarmed, failed].some(({ length }) => length > 0) ? 1 : 0;
