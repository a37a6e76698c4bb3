// `npm run chaos -- [--rounds N] [--seed N]`: prints the table; exit 1 when anything was lost.
import { parseArgs } from 'node:util';
import { renderChaos, runChaos } from './rounds.js';

const { values } = parseArgs({ options: { rounds: { type: 'string' }, seed: { type: 'string' } } });
const rounds = Number(values.rounds ?? 200);
const seed = Number(values.seed ?? Date.now() % 2 ** 32);
console.log(`chaos: ${rounds} rounds, --seed ${seed}`);
const report = await runChaos({ rounds, seed }, (round) => {
  if (round % 10 === 0) console.log(`round ${round}`);
});
console.log(renderChaos(report));
const { torrentsLost, settingsLost, wrongPieces, incomplete } = report;
process.exitCode = [torrentsLost, settingsLost, wrongPieces, incomplete].some(({ length }) => length > 0) ? 1 : 0;
