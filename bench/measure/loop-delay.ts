// The bench's side of loop-delay-hook.ts: asks the daemon's threads for their event-loop delay and reads the answers.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/wait.js';

/** Milliseconds by which ticks came late, 99th percentile. */
export interface LoopDelays {
  readonly mainP99Ms: number;
  readonly engineP99Ms: number;
}

/** The main thread is 0; the engine is the first worker that the daemon starts. */
const THREADS = [0, 1] as const;

/** Since the last call. `signal` sends SIGUSR2 to the daemon, whose threads answer into `folder`. */
export async function readLoopDelays(folder: string, signal: () => void): Promise<LoopDelays> {
  const files = THREADS.map((thread) => join(folder, `${thread}.json`));
  for (const file of files) rmSync(file, { force: true });
  signal();
  await until('event-loop delays', async () => files.every((file) => existsSync(file)), { timeoutMs: 5_000 });
  const [mainP99Ms = NaN, engineP99Ms = NaN] = files.map(readP99Ms);
  return { mainP99Ms, engineP99Ms };
}

function readP99Ms(file: string): number {
  const report: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return typeof report === 'object' && report !== null && 'p99Ms' in report ? Number(report.p99Ms) : NaN;
}
