// What all fuzzers share: one seed, from FUZZ_SEED or always the same; how many runs, which FUZZ_SCALE multiplies for
// `npm run fuzz`; and a file that keeps the input which failed. Properties of fast-check get seed and file by themselves.
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc, { type RunDetails } from 'fast-check';

export const FUZZ_SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
const SCALE = Number(process.env['FUZZ_SCALE'] ?? 1);

/** As many as `npm test` has time for; more on the long run. */
export function fuzzRuns(count: number): number {
  return Math.max(1, Math.round(count * SCALE));
}

/** Writes the input to a file of its own. @returns a line that says where, and how to come back to it */
export function keepFailingInput(name: string, input: Uint8Array | string): string {
  const folder = join(tmpdir(), 'swarmd-fuzz');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name.replaceAll(/[^a-z0-9]+/gi, '-')}-${FUZZ_SEED}-${process.pid}-${++kept}`);
  writeFileSync(path, input);
  return `input kept in ${path}; FUZZ_SEED=${FUZZ_SEED} FUZZ_SCALE=${SCALE}`;
}

let kept = 0;

function report<Values>(details: RunDetails<Values>): void {
  if (!details.failed) return;
  // The bytes themselves where the input is nothing else, so that they can be committed as a regression case.
  const [only, ...others] = details.counterexample === null ? [] : [details.counterexample].flat(1);
  const input = only instanceof Uint8Array && others.length === 0 ? only : fc.stringify(details.counterexample);
  const message = fc.defaultReportMessage(details) ?? 'failed';
  throw new Error(`${message}\n${keepFailingInput('property', input)}`, { cause: details.errorInstance });
}

fc.configureGlobal({ seed: FUZZ_SEED, reporter: report });
