// `node dist/test/crash/main.js [--samples N] [--max-states N] [--seed N]`: more states than the test has time for.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeScratch } from '../support/peers/scratch.js';
import { SeededRandom } from '../support/seeded-random.js';
import { enumerateCrashes } from './enumerate.js';
import { recordLives } from './life.js';

const { values } = parseArgs({
  options: { samples: { type: 'string' }, 'max-states': { type: 'string' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 2 ** 32);
const scratch = await makeScratch('crash', 64 * 1024 * 1024);
try {
  await mkdir(join(scratch.path, 'root'));
  const recorded = await recordLives(join(scratch.path, 'root'), join(scratch.path, 'sources'));
  const enumeration = await enumerateCrashes(recorded, {
    random: new SeededRandom(seed),
    scratch: scratch.path,
    samples: Number(values.samples ?? 20),
    maxStates: Number(values['max-states'] ?? 20_000),
  });
  const { moments, states, claimedPieces, failures } = enumeration;
  console.log(
    `--seed ${seed}: ${moments} moments, ${states} states, ${claimedPieces} claims, ${failures.length} failures`,
  );
  for (const line of failures.slice(0, 50)) console.log(`  ${line}`);
  process.exitCode = failures.length > 0 ? 1 : 0;
} finally {
  await scratch.remove();
}
