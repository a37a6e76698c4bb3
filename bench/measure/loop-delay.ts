// The bench's side of loop-delay-hook.ts: asks the daemon's threads for their event-loop delay and reads the answers.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { until } from '../support/wait.js';

/** Milliseconds by which ticks came late: 99th percentile, and the latest. */
export interface LoopDelays {
  readonly mainP99Ms: number;
  readonly engineP99Ms: number;
}

/** With the medians and the worst. */
export interface LoopDelayReport extends LoopDelays {
  readonly mainP50Ms: number;
  readonly mainMaxMs: number;
  readonly engineP50Ms: number;
  readonly engineMaxMs: number;
}

/** The main thread is 0; the engine is the first worker that the daemon starts. */
const THREADS = [0, 1] as const;
const UNKNOWN = { p50Ms: NaN, p99Ms: NaN, maxMs: NaN };

const reportSchema = z.object({ p50Ms: z.number(), p99Ms: z.number(), maxMs: z.number() });

/** Since the last call. `signal` sends SIGUSR2 to the daemon, whose threads answer into `folder`. */
export async function readLoopDelays(folder: string, signal: () => void): Promise<LoopDelayReport> {
  const files = THREADS.map((thread) => join(folder, `${thread}.json`));
  for (const file of files) rmSync(file, { force: true });
  signal();
  await until('event-loop delays', async () => files.every((file) => existsSync(file)), { timeoutMs: 5_000 });
  const [main = UNKNOWN, engine = UNKNOWN] = files.map(readReport);
  return {
    mainP50Ms: main.p50Ms,
    mainP99Ms: main.p99Ms,
    mainMaxMs: main.maxMs,
    engineP50Ms: engine.p50Ms,
    engineP99Ms: engine.p99Ms,
    engineMaxMs: engine.maxMs,
  };
}

function readReport(file: string): z.infer<typeof reportSchema> {
  return reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
