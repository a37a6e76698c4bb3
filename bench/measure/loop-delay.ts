// The bench's side of loop-delay-hook.ts: asks the daemon's threads for their event-loop delay and reads the answers.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/wait.js';

/** Milliseconds by which ticks came late, 99th percentile. */
export interface LoopDelays {
  readonly mainP99Ms: number;
  readonly engineP99Ms: number;
}

/** The medians as well. */
export interface LoopDelayReport extends LoopDelays {
  readonly mainP50Ms: number;
  readonly engineP50Ms: number;
}

/** The main thread is 0; the engine is the first worker that the daemon starts. */
const THREADS = [0, 1] as const;

/** Since the last call. `signal` sends SIGUSR2 to the daemon, whose threads answer into `folder`. */
export async function readLoopDelays(folder: string, signal: () => void): Promise<LoopDelayReport> {
  const files = THREADS.map((thread) => join(folder, `${thread}.json`));
  for (const file of files) rmSync(file, { force: true });
  signal();
  await until('event-loop delays', async () => files.every((file) => existsSync(file)), { timeoutMs: 5_000 });
  const [main, engine] = files.map(readLateness);
  return {
    mainP50Ms: main?.p50Ms ?? NaN,
    mainP99Ms: main?.p99Ms ?? NaN,
    engineP50Ms: engine?.p50Ms ?? NaN,
    engineP99Ms: engine?.p99Ms ?? NaN,
  };
}

/** As the hook writes it. */
function readLateness(file: string): { readonly p50Ms: number; readonly p99Ms: number } {
  return JSON.parse(readFileSync(file, 'utf8')) as { readonly p50Ms: number; readonly p99Ms: number };
}
