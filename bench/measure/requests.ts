// How long answers take, one request after another.
import { percentile } from './percentile.js';

const WARM_UP = 3;
const LEAST = 10;
const BUDGET_MS = 5_000;

export interface Latencies {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** For five seconds, ten requests at least. `between`: what comes before each and does not count. */
export async function timeRequests(
  ask: () => Promise<unknown>,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Latencies> {
  const times: number[] = [];
  const startMs = performance.now();
  for (let turn = -WARM_UP; turn < LEAST || performance.now() - startMs < BUDGET_MS; turn++) {
    await between();
    const askedMs = performance.now();
    await ask();
    if (turn >= 0) times.push(performance.now() - askedMs);
  }
  return { p50Ms: percentile(times, 50), p99Ms: percentile(times, 99) };
}
