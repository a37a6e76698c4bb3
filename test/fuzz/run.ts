// `npm run fuzz -- --minutes N [--seed S] [folders or files below test/fuzz]`: every fuzzer again and again, each round
// with another seed and more runs, until the time is up. What fails is printed with its seed; the fuzzers say where they
// kept the input. Ends with 1 if anything failed.
import { spawn } from 'node:child_process';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { namedTests, TESTS } from '../runner/tests.js';

const MINUTE_MS = 60_000;
/** A round of one fuzzer may take so long; one that has not ended by then hangs. */
const ROUND_MS = 10 * MINUTE_MS;
const MAX_SCALE = 32;
const here = dirname(fileURLToPath(import.meta.url));

interface Tally {
  rounds: number;
  readonly failedSeeds: number[];
}

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const minutes = Number(values.minutes);
const firstSeed = Number(values.seed ?? Date.now() % 2 ** 31);
if (!(minutes > 0) || !Number.isSafeInteger(firstSeed)) {
  console.error('usage: npm run fuzz -- [--minutes N] [--seed S] [folders or files below test/fuzz]');
  process.exit(2);
}

const names = positionals.length > 0 ? positionals.map((name) => `fuzz/${name}`) : ['fuzz'];
const files = namedTests(names).map((name) => join(TESTS, name));
const tallies = new Map(files.map((file): [string, Tally] => [file, { rounds: 0, failedSeeds: [] }]));
const endMs = performance.now() + minutes * MINUTE_MS;
console.log(`${files.length} fuzzers for ${minutes} minutes, first seed ${firstSeed}`);

for (let round = 0; files.length > 0 && performance.now() < endMs; round++) {
  for (const [file, tally] of tallies) {
    const leftMs = endMs - performance.now();
    if (leftMs <= 0) break;
    const seed = (firstSeed + round) % 2 ** 31;
    const outcome = await runOne(file, seed, Math.min(MAX_SCALE, 2 ** round), leftMs);
    // Cut off by the end of the time is no failure.
    if (outcome.kind === 'unfinished') continue;
    tally.rounds++;
    if (outcome.kind === 'passed') continue;
    tally.failedSeeds.push(seed);
    console.log(`\nFAILED ${relative(here, file)}, seed ${seed}: ${outcome.reason}\n${outcome.output}`);
  }
}

for (const [file, { rounds, failedSeeds }] of tallies) {
  const verdict = failedSeeds.length === 0 ? 'ok' : `FAILED with seeds ${failedSeeds.join(', ')}`;
  console.log(`${relative(here, file).padEnd(40)} ${String(rounds).padStart(4)} rounds  ${verdict}`);
}
process.exit([...tallies.values()].some(({ failedSeeds }) => failedSeeds.length > 0) ? 1 : 0);

type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'failed'; readonly reason: string; readonly output: string };

function runOne(file: string, seed: number, scale: number, leftMs: number): Promise<Outcome> {
  const env = {
    ...process.env,
    FUZZ_SEED: String(seed),
    FUZZ_SCALE: String(scale),
    TAP_TIMEOUT: String(ROUND_MS / 1000),
  };
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  let ended: 'hangs' | 'unfinished' | null = null;
  const limitMs = Math.min(ROUND_MS, leftMs);
  const limit = setTimeout(() => {
    ended = limitMs === ROUND_MS ? 'hangs' : 'unfinished';
    child.kill('SIGKILL');
  }, limitMs);
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      if (code === 0) return resolve({ kind: 'passed' });
      if (ended === 'unfinished') return resolve({ kind: 'unfinished' });
      const reason = ended ?? (signal === null ? `exit ${code}` : `ended by ${signal}`);
      resolve({ kind: 'failed', reason, output: withoutPassed(Buffer.concat(chunks).toString()) });
    });
  });
}

/** What passed is not worth a line. */
function withoutPassed(output: string): string {
  const lines = output.split('\n').filter((line) => !/^ *(ok |1\.\.|# Subtest)|^$/.test(line));
  return lines.slice(0, 200).join('\n');
}
