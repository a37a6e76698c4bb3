// `npm run soak -- [--minutes N]`: prints each sample and the slopes; exit 1 when anything grows.
import { parseArgs } from 'node:util';
import { MEASURES } from './samples.js';
import { runSoak } from './soak.js';
import { renderVerdicts } from './verdict.js';

const { values } = parseArgs({ options: { minutes: { type: 'string' } } });
const minutes = Number(values.minutes ?? 30);
console.log(`soak: ${minutes} minutes`);
console.log(`minute: ${MEASURES.join(', ')}`);
const { verdicts, churned } = await runSoak(minutes, (minute, sample) => {
  console.log(`${minute.toFixed(2)}: ${MEASURES.map((measure) => sample[measure].toFixed(1)).join(', ')}`);
});
const { torrents, peers, clients } = churned;
console.log(`\n${torrents} torrents, ${peers} peers, ${clients} users\n${renderVerdicts(verdicts)}`);
process.exitCode = verdicts.some(({ hasGrown }) => hasGrown) ? 1 : 0;
